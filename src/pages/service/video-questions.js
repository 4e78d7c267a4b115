/** @import { QuestionView } from "./types.d.ts" */
import { listQuestions } from "./api.js";
import { fieldValue } from "./field.js";
import { html, useEffect, useId } from "./html.js";
import { MoreButton } from "./more-button.js";
import { FailureNotice } from "./notices.js";
import { QuestionRow, questionWords } from "./question-row.js";
import { pathTo } from "./routes.js";
import { onChanged } from "./tabs.js";
import { useFetched } from "./use-fetched.js";
import { useList } from "./use-list.js";

/**
 * All questions of a video, the last one first.
 * @param {{ video: string }} props
 */
export function VideoQuestions({ video }) {
  const { list, problem, more, again, refresh } = useList(
    (page) => listQuestions({ video, ...page }),
    video,
  );
  useEffect(() => onChanged(video, refresh), [refresh]);
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

/** @param {QuestionView} question */
function comparedName(question) {
  const { strategy, model, from } = question;
  const by = model === null ? strategy : `${strategy} ${model}`;
  return `${questionWords(question).slice(0, 50)} – ${by}${from === null ? "" : " (reasoned again)"}`;
}

/**
 * Selects another question of the same video to compare with this one.
 * @param {{ video: string, shown: string[] }} props
 */
export function ComparisonPicker({ video, shown }) {
  const [first = "", second = ""] = shown;
  const label = useId();
  const { value } = useFetched(
    () => listQuestions({ video, limit: 200, order: "asc" }),
    [video, first],
  );
  const others = value?.items.filter(({ id }) => id !== first) ?? [];
  if (others.length === 0) return null;
  const choose = (/** @type {Event} */ event) => {
    const other = fieldValue(event);
    location.hash = other === "" ? pathTo(video, first) : pathTo(video, first, other);
  };
  return html`<div class="beside">
    <label class="soft" for=${label}>Compare with</label>
    <select id=${label} value=${second} onChange=${choose}>
      <option value="" selected=${second === ""}>nothing</option>
      ${others.map(
        (question) =>
          html`<option value=${question.id} selected=${question.id === second}>${comparedName(question)}</option>`,
      )}
    </select>
  </div>`;
}
