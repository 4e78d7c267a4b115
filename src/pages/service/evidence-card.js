/** @import { EvidenceKind, EvidenceView } from "./types.d.ts" */
import { shownText } from "./answer-words.js";
import { button, el, fill, freshId, labelled } from "./dom.js";
import { span } from "./format.js";
import { errorMessage } from "./request.js";

/**
 * @typedef {{ text: string, start_s: number, end_s: number }} Words
 * @typedef {{ choose: (item: EvidenceView) => void, edit: (item: EvidenceView, words: Words) => Promise<void>,
 *   reject: (item: EvidenceView) => Promise<void>, putBack: (item: EvidenceView) => Promise<void> }} CardActions
 * @typedef {ReturnType<typeof evidenceCard>} Card
 */

/** The kinds that a person can write. */
export const WRITTEN = /** @type {EvidenceKind[]} */ ([
  "caption",
  "text",
  "equation",
  "subtitle",
  "speech",
]);

/** Kinds that reasoning again creates again. */
const REASONED = ["comparison", "calculation"];

/**
 * One item of evidence with its time, text and source, which can be corrected in place.
 * @param {EvidenceView} item
 * @param {boolean} rejected
 * @param {CardActions} actions
 */
export function evidenceCard(item, rejected, actions) {
  const body = el("div", { class: "body" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const node = el("li", {
    class: `card ${item.kind}${item.cited ? " cited" : ""}${rejected ? " rejected" : ""}`,
    tabindex: "-1",
    "aria-label": `${item.name}, ${item.kind}, ${span(item)}${item.cited ? ", cited" : ""}${rejected ? ", rejected" : ""}`,
  });
  let editing = false;

  /** @param {Promise<void>} work */
  const trying = async (work) => {
    problem.hidden = true;
    try {
      await work;
      return true;
    } catch (error) {
      problem.textContent = errorMessage(error);
      problem.hidden = false;
      return false;
    }
  };
  const does = el("div", { class: "does" });
  const read = () => {
    editing = false;
    fill(
      body,
      rejected ? el("p", { class: "words" }, el("del", {}, shownText(item) || "a frame")) : shown(),
    );
    fill(
      does,
      rejected
        ? back()
        : WRITTEN.includes(item.kind)
          ? [change(), out()]
          : REASONED.includes(item.kind)
            ? null
            : out(),
    );
  };
  const shown = () => [
    shownText(item) === "" ? null : el("p", { class: "words" }, shownText(item)),
    typeof item.was === "string" && item.was !== item.text
      ? el("p", { class: "was soft" }, "Previous text: ", el("del", {}, item.was))
      : null,
    el("p", { class: "soft source" }, source(item)),
  ];
  /**
   * @param {string} label
   * @param {"edit" | "reject"} action
   * @param {() => void} onclick
   */
  const doing = (label, action, onclick) =>
    button(label, onclick, {
      class: "quiet",
      "data-action": action,
      "aria-label": `${label} ${item.name}`,
    });
  const change = () => doing("Edit", "edit", edit);
  const out = () => doing("Reject", "reject", () => trying(actions.reject(item)));
  const back = () => doing("Put back", "reject", () => trying(actions.putBack(item)));
  const edit = () => {
    editing = true;
    const form = wordsForm(item, {
      save: async (words) => {
        if (await trying(actions.edit(item, words))) read();
      },
      leave: () => {
        problem.hidden = true;
        read();
        /** @type {HTMLElement | null} */ (does.querySelector("[data-action=edit]"))?.focus();
      },
    });
    fill(body, form);
    fill(does);
    form.querySelector("textarea")?.focus();
  };

  const go = () => actions.choose(item);
  const picture =
    item.thumbnail === null
      ? null
      : el("img", {
          src: item.thumbnail,
          alt: "",
          loading: "lazy",
          onerror: () => picture?.remove(),
        });
  fill(
    node,
    picture === null
      ? null
      : el(
          "button",
          { type: "button", class: "picture", tabindex: "-1", "aria-hidden": "true", onclick: go },
          picture,
        ),
    el(
      "div",
      { class: "says" },
      el(
        "div",
        { class: "head" },
        el("span", { class: "kind" }, `${item.name} ${item.kind}`),
        el(
          "button",
          {
            type: "button",
            class: "time",
            "data-action": "go",
            onclick: go,
            "aria-label": `Go to ${span(item)}, ${item.name}`,
          },
          span(item),
        ),
        item.clip === undefined ? null : el("span", { class: "soft" }, `clip ${item.clip}`),
        rejected ? el("span", { class: "tag against" }, "rejected") : null,
        does,
      ),
      body,
      problem,
    ),
  );
  read();
  return { node, item, rejected, editing: () => editing, edit };
}

/** @param {EvidenceView} item */
function source({ by, confidence, replaces }) {
  const person = by.name === "person" ? "a person" : by.name;
  // The service names a file after its place in the store, which means nothing to a person.
  const name = by.who === "file" ? by.name.replace(/ of \S+$/, " of this file") : by.name;
  const who =
    by.who === "person"
      ? `${replaces === undefined ? "Added" : "Corrected"} by ${person}`
      : `${by.who}: ${name}`;
  return confidence === null ? who : `${who}, confidence ${confidence.toFixed(2)}`;
}

/**
 * Enter saves, Shift+Enter breaks the line, Escape cancels.
 * @param {Words} words
 * @param {{ save: (words: Words) => Promise<void>, leave: () => void }} on
 * @param {HTMLElement | null} [first] shown above the words
 */
export function wordsForm(words, on, first = null) {
  const text = el("textarea", { rows: 3, required: true, maxlength: "20000", value: words.text });
  const seconds = { min: "0", max: "1000000", step: "0.01", required: true, type: "number" };
  const from = el("input", { ...seconds, value: round(words.start_s) });
  const to = el("input", { ...seconds, value: round(words.end_s) });
  const hint = el("p", { class: "soft hint", id: freshId("hint") }, "Enter saves, Escape cancels.");
  text.setAttribute("aria-describedby", hint.id);
  const save = el("button", { class: "primary" }, "Save");
  const form = el(
    "form",
    {
      class: "words-form",
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        to.setCustomValidity(
          Number(to.value) < Number(from.value) ? "The end must be after the start." : "",
        );
        if (!form.reportValidity()) return;
        save.disabled = true;
        await on.save({ text: text.value.trim(), ...timesOf(words, from.value, to.value) });
        save.disabled = false;
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        if (event.key === "Escape") on.leave();
        if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.target !== text)
          return;
        event.preventDefault();
        form.requestSubmit();
      },
    },
    first,
    labelled("Words", text),
    el("div", { class: "times" }, labelled("From second", from), labelled("to second", to)),
    hint,
    el("div", { class: "actions" }, save, button("Cancel", on.leave, { class: "quiet" })),
  );
  to.addEventListener("input", () => to.setCustomValidity(""));
  from.addEventListener("input", () => to.setCustomValidity(""));
  return form;
}

/** @param {number} seconds */
function round(seconds) {
  return String(Math.round(seconds * 100) / 100);
}

/**
 * A time that was not edited keeps all of its digits.
 * @param {Words} before
 * @param {string} from
 * @param {string} to
 */
function timesOf({ start_s, end_s }, from, to) {
  return {
    start_s: from === round(start_s) ? start_s : Number(from),
    end_s: to === round(end_s) ? end_s : Number(to),
  };
}
