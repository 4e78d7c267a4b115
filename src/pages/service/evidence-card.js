/** @import { EvidenceKind, EvidenceView } from "./types.d.ts" */
/** @import { QuestionStore } from "./question-store.js" */
import { shownText } from "./answer-words.js";
import { EvidenceEditor } from "./evidence-editor.js";
import { span } from "./format.js";
import { html, useRef, useState } from "./html.js";
import { errorMessage } from "./request.js";
import { withCode } from "./with-code.js";

/** The kinds that a person can write. */
export const WRITTEN = /** @type {EvidenceKind[]} */ ([
  "caption",
  "text",
  "equation",
  "subtitle",
  "speech",
]);

/** Kinds that reasoning again creates again. */
export const REASONED = /** @type {EvidenceKind[]} */ (["comparison", "calculation"]);

/**
 * One item of evidence with its time, text and source, which can be corrected in place.
 * @param {{ item: EvidenceView, rejected: boolean, chosen: boolean, store: QuestionStore, choose: (item: EvidenceView) => void }} props
 */
export function EvidenceCard({ item, rejected, chosen, store, choose }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const card = useRef(/** @type {HTMLLIElement | null} */ (null));
  const draft = store.drafts.get(item.name);
  const isEditing = draft !== undefined && draft.at === "card";

  const paneOf = () => card.current?.closest(".evidence");
  /** The card may have been made again, in another list. */
  const refocus = (/** @type {string} */ actions, pane = paneOf()) =>
    setTimeout(() => {
      const button = pane?.querySelector(`li[data-name="${item.name}"] :is(${actions})`);
      if (button instanceof HTMLElement) button.focus({ preventScroll: true });
    });
  const trying = async (/** @type {Promise<void>} */ work) => {
    const pane = paneOf();
    setProblem(null);
    try {
      await work;
      refocus("[data-action=edit], [data-action=reject]", pane);
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  const edit = () => store.drafts.begin(item.name, { of: item, words: wordsOf(item), at: "card" });
  const action = (
    /** @type {string} */ label,
    /** @type {string} */ name,
    /** @type {() => void} */ onClick,
  ) => html`<button
    type="button"
    class="quiet"
    data-action=${name}
    aria-label=${`${label} ${item.name}`}
    onClick=${onClick}
  >
    ${label}
  </button>`;
  const actions = rejected
    ? action("Put back", "reject", () => trying(store.putBack(item)))
    : REASONED.includes(item.kind)
      ? null
      : html`${WRITTEN.includes(item.kind) && action("Edit", "edit", edit)}
        ${action("Reject", "reject", () => trying(store.reject(item)))}`;
  return html`<li
    ref=${card}
    class=${classes("card", item.kind, item.cited && "cited", rejected && "rejected", chosen && "chosen")}
    tabindex="-1"
    data-name=${item.name}
    aria-label=${[item.name, item.kind, span(item), item.cited && "cited", rejected && "rejected"].filter(Boolean).join(", ")}
  >
    <${Picture} item=${item} onClick=${() => choose(item)} />
    <div class="says">
      <div class="head">
        <span class="kind">${item.name} ${item.kind}</span>
        <button
          type="button"
          class="time"
          data-action="go"
          aria-label=${`Go to ${span(item)}, ${item.name}`}
          onClick=${() => choose(item)}
        >
          ${span(item)}
        </button>
        ${item.clip !== undefined && html`<span class="soft">clip ${item.clip}</span>`}
        ${rejected && html`<span class="tag against">rejected</span>`}
        ${!isEditing && html`<div class="does">${actions}</div>`}
      </div>
      ${
        isEditing
          ? html`<${EvidenceEditor}
              name=${item.name}
              draft=${draft}
              item=${item}
              rejected=${rejected}
              store=${store}
              left=${() => refocus("[data-action=edit]")}
            />`
          : html`<${Words} item=${item} rejected=${rejected} />`
      }
      ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    </div>
  </li>`;
}

/** @param {{ item: EvidenceView, rejected: boolean }} props */
function Words({ item, rejected }) {
  const text = shownText(item);
  if (rejected) return html`<p class="words"><del>${text || "a frame"}</del></p>`;
  return html`
    ${text !== "" && html`<p class="words">${text}</p>`}
    ${
      typeof item.was === "string" &&
      item.was !== item.text &&
      html`<p class="was soft">Previous text: <del>${item.was}</del></p>`
    }
    <p class="soft source">${source(item)}</p>
  `;
}

/**
 * A small picture of an item; nothing if the item has none or it cannot be loaded.
 * @param {{ item: EvidenceView, onClick: () => void }} props
 */
function Picture({ item, onClick }) {
  const [isBroken, setBroken] = useState(false);
  if (item.thumbnail === null || isBroken) return null;
  return html`<button type="button" class="picture" tabindex="-1" aria-hidden="true" onClick=${onClick}>
    <img src=${item.thumbnail} alt="" loading="lazy" onError=${() => setBroken(true)} />
  </button>`;
}

/** @param {EvidenceView} item */
export function wordsOf({ text, start_s, end_s }) {
  return { text, start_s, end_s };
}

/** @param {...(string | false)} names */
export function classes(...names) {
  return names.filter((name) => name !== false && name !== "").join(" ");
}

/** @param {EvidenceView} item */
function source({ by, confidence, replaces }) {
  const person = by.name === "person" ? "a person" : by.name;
  const who =
    by.who === "person"
      ? `${replaces === undefined ? "Added" : "Corrected"} by ${person}`
      : `${by.who}: ${by.name}`;
  return confidence === null ? who : `${who}, confidence ${confidence.toFixed(2)}`;
}
