/** @import { QuestionView } from "./types.d.ts" */
import { answerText, questionText, stateText } from "./answer-words.js";
import { day, spent } from "./format.js";
import { html } from "./html.js";
import { pathTo } from "./routes.js";
import { State } from "./state.js";

/**
 * A question in a list, with its answer.
 * @param {{ question: QuestionView, videoName?: string | null }} props `videoName`: shown if the list is of several videos
 */
export function QuestionRow({ question, videoName = null }) {
  const { id, video, asked, answer, strategy, model, usage, review, from } = question;
  return html`<li>
    <a class="asked" href=${pathTo(video, id)}>${questionWords(question)}</a>
    <p>${answer === null ? stateText(question) : answerText(asked, answer)}</p>
    <p class="facts soft">
      <${State} question=${question} />
      ${videoName !== null && html`<a href=${pathTo(video)}>${videoName}</a>`}
      <span>${model === null ? strategy : `${strategy}, ${model}`}</span>
      <span>${spent(usage)}</span>
      ${from !== null && html`<span>reasoned again</span>`}
      ${review !== null && html`<span class="tag">${review.verdict}</span>`}
      <span>${day(question.created_at)}</span>
    </p>
  </li>`;
}

/** @param {Pick<QuestionView, "asked">} question */
export function questionWords({ asked }) {
  return questionText(asked);
}
