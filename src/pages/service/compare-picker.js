/** @import { QuestionView } from "./types.d.ts" */
import { listQuestions } from "./api.js";
import { nameAmong } from "./comparison-view.js";
import { html, useId } from "./html.js";
import { questionWords } from "./question-row.js";
import { pathTo } from "./routes.js";
import { useFetched } from "./use-fetched.js";

/** Most questions that are compared at once. */
const MOST = 4;

/**
 * Adds another question of the same video to the comparison.
 * @param {{ video: string, ids: readonly string[] }} props
 */
export function ComparePicker({ video, ids }) {
  const id = useId();
  const { value } = useFetched(
    () => listQuestions({ video, limit: 200, order: "asc" }),
    [video, ids.join()],
  );
  const all = value?.items ?? [];
  const others = all.filter((one) => !ids.includes(one.id));
  const add = (/** @type {Event} */ { currentTarget }) => {
    const added = /** @type {HTMLSelectElement} */ (currentTarget).value;
    if (added !== "") location.hash = pathTo(video, ...ids, added);
  };
  if (others.length === 0 && ids.length < 2) return null;
  return html`<div class="beside">
    ${
      others.length > 0 &&
      ids.length < MOST &&
      html`<label for=${id}>${ids.length > 1 ? "Also compare with" : "Compare with"}</label>
        <select id=${id} value="" onChange=${add}>
          <option value="">choose a question</option>
          ${others.map((one) => html`<option value=${one.id} key=${one.id}>${labelOf(one, all)}</option>`)}
        </select>`
    }
    ${ids.length > 1 && html`<a href=${pathTo(video, ids[0] ?? "")}>End the comparison</a>`}
  </div>`;
}

/**
 * @param {QuestionView} question
 * @param {readonly QuestionView[]} all
 */
function labelOf(question, all) {
  const same = all.filter((other) => questionWords(other) === questionWords(question));
  return `${questionWords(question).slice(0, 50)} – ${nameAmong(question, same)}`;
}
