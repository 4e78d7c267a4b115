/** @import { QuestionView } from "./types.d.ts" */
import { el } from "./dom.js";
import { day, STATE_NAMES } from "./format.js";

const TASK_NAMES = { open: "Open question", choice: "Choice", order: "Order" };

/**
 * The question, its strategy and model, and its state.
 * @param {QuestionView} question
 */
export function questionHead({ asked, strategy, model, state, answer, created_at, from }) {
  const words = asked.text === "" ? "What is the right order of the clips?" : asked.text;
  return el(
    "header",
    { class: "question-head" },
    el("h2", {}, words),
    asked.goal === undefined
      ? null
      : el("p", {}, el("span", { class: "soft" }, "Goal: "), asked.goal),
    asked.options === undefined
      ? null
      : el(
          "ol",
          { class: "options" },
          asked.options.map(({ letter, text }) =>
            el(
              "li",
              { class: letter === answer?.answer ? "chosen" : "" },
              el("span", { class: "letter" }, letter),
              el("span", {}, text),
              letter === answer?.answer ? el("span", { class: "tag" }, "chosen") : null,
            ),
          ),
        ),
    el(
      "p",
      { class: "facts soft" },
      el("span", { class: `state ${state}` }, STATE_NAMES[state]),
      el("span", {}, TASK_NAMES[asked.task]),
      el("span", {}, strategy),
      el("span", {}, model ?? "no language model"),
      from === null ? null : el("span", {}, "reasoned again"),
      el("span", {}, day(created_at)),
    ),
  );
}
