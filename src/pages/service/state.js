/** @import { QuestionView } from "./types.d.ts" */
import { stateText } from "./answer-words.js";
import { html } from "./html.js";

/**
 * The state of a question in its colour.
 * @param {{ question: QuestionView }} props
 */
export function State({ question }) {
  const text = stateText(question);
  const kind = question.state === "answered" && text !== "Answered" ? "unanswered" : question.state;
  return html`<span class=${`state ${kind}`}>${text}</span>`;
}
