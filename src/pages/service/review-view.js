/** @import { QuestionView } from "./types.d.ts" */

import { announce } from "./announce.js";
import { choiceText } from "./answer-words.js";
import { exportUrl, reviewQuestion } from "./api.js";
import { button, el, fill, freshId, labelled } from "./dom.js";
import { errorMessage } from "./request.js";

/**
 * A person's review of the answer: approved or corrected; and links to download the answer.
 * @param {QuestionView} question
 * @param {(question: QuestionView) => void} reviewed
 */
export function reviewView(question, reviewed) {
  const { id, asked, answer, review } = question;
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const writing = el("div", {});
  /** @param {Record<string, unknown>} body */
  const put = async (body) => {
    try {
      const next = await reviewQuestion(id, body);
      announce(body.verdict === "approved" ? "Approved." : "The right answer is saved.");
      reviewed(next);
    } catch (error) {
      problem.textContent = errorMessage(error);
      problem.hidden = false;
    }
  };
  const approve = button("Approve", () => put({ verdict: "approved" }), {
    "aria-pressed": String(review?.verdict === "approved"),
  });
  const correct = button(
    "Correct",
    () => {
      const form = rightAnswer(question, put, () => {
        fill(writing);
        correct.focus();
      });
      fill(writing, form);
      /** @type {HTMLElement | null} */ (form.querySelector("input, textarea"))?.focus();
    },
    { "aria-pressed": String(review?.verdict === "corrected") },
  );
  const exports = /** @type {const} */ ([
    ["json", "JSON"],
    ["html", "Page"],
    ...(review === null ? [] : [/** @type {const} */ (["row", "Row of a test set"])]),
  ]);
  return el(
    "div",
    { role: "group", class: "panel review", "aria-label": "Review" },
    el("h3", {}, "Is it right?"),
    review === null
      ? null
      : el(
          "p",
          { class: "wide" },
          review.verdict === "approved"
            ? "Approved"
            : `Corrected to ${choiceText(asked, review.answer)}`,
          review.note === null || review.note === "" ? "" : ` — ${review.note}`,
        ),
    el(
      "div",
      { class: "actions" },
      answer === null || answer.answer === null ? null : approve,
      correct,
    ),
    writing,
    problem,
    el(
      "p",
      { class: "exports" },
      el("span", { class: "soft" }, "Download"),
      exports.map(([as, label]) => el("a", { href: exportUrl(id, as), download: true }, label)),
    ),
  );
}

/**
 * @param {QuestionView} question
 * @param {(body: Record<string, unknown>) => void} put
 * @param {() => void} leave
 */
function rightAnswer({ asked, answer, review }, put, leave) {
  const note = el("input", { maxlength: "20000", value: review?.note ?? "" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const { field, read } = answerField(asked, review?.answer ?? answer?.answer ?? null);
  return el(
    "form",
    {
      class: "words-form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const text = note.value.trim();
        const right = read();
        problem.hidden = right !== null;
        if (right === null) problem.textContent = "Enter clip numbers such as 2, 1, 3.";
        else put({ verdict: "corrected", answer: right, ...(text === "" ? {} : { note: text }) });
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        event.stopPropagation();
        if (event.key === "Escape") leave();
      },
    },
    field,
    labelled("Note (reason, or where the video shows it)", note),
    problem,
    el(
      "div",
      { class: "actions" },
      el("button", { class: "primary" }, "Save"),
      button("Cancel", leave, { class: "quiet" }),
    ),
  );
}

/**
 * @param {QuestionView["asked"]} asked
 * @param {string | number[] | null} given
 * @returns {{ field: HTMLElement, read: () => string | number[] | null }} null: not readable
 */
function answerField(asked, given) {
  if (asked.options !== undefined) {
    const name = freshId("right");
    const radios = asked.options.map(({ letter, text }) => {
      const id = freshId("option");
      const radio = el("input", {
        type: "radio",
        id,
        name,
        required: true,
        value: letter,
        checked: letter === given,
      });
      return el("div", { class: "check" }, radio, el("label", { for: id }, `(${letter}) ${text}`));
    });
    const field = el("fieldset", {}, el("legend", {}, "The right answer"), radios);
    return {
      field,
      read: () =>
        /** @type {HTMLInputElement | null} */ (field.querySelector("input:checked"))?.value ?? "",
    };
  }
  if (asked.task === "order") {
    const input = el("input", {
      required: true,
      inputmode: "numeric",
      value: Array.isArray(given) ? given.join(", ") : "",
    });
    return {
      field: labelled(
        "The right order of clips",
        input,
        "Clip numbers in their right order, such as 2, 1, 3.",
      ),
      read: () => {
        const clips = input.value
          .split(/[\s,;→-]+/)
          .filter((part) => part !== "")
          .map(Number);
        const good = clips.length > 0 && clips.every((clip) => Number.isInteger(clip) && clip > 0);
        return good ? clips : null;
      },
    };
  }
  const input = el("textarea", {
    rows: 2,
    required: true,
    value: typeof given === "string" ? given : "",
  });
  return { field: labelled("The right answer", input), read: () => input.value.trim() };
}
