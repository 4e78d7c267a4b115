import { listQuestions } from "./api.js";
import { html } from "./html.js";
import { MoreButton } from "./more-button.js";
import { FailureNotice } from "./notices.js";
import { QuestionRow } from "./question-row.js";
import { useList } from "./use-list.js";

/**
 * All questions of a video, the last one first.
 * @param {{ video: string }} props
 */
export function VideoQuestions({ video }) {
  const { list, problem, more, again } = useList(
    (page) => listQuestions({ video, ...page }),
    video,
    video,
  );
  return html`<section aria-label="Questions">
    <h2>Questions</h2>
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${list === null && problem === null && html`<p class="soft">Loading the questions…</p>`}
    ${list?.total === 0 && html`<p class="soft nothing">No questions about this video yet.</p>`}
    ${
      list !== null &&
      html`<ol class="history">
          ${list.items.map((question) => html`<${QuestionRow} key=${question.id} question=${question} />`)}
        </ol>
        <${MoreButton} list=${list} more=${more} noun="question" />`
    }
  </section>`;
}
