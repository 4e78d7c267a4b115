/** @import { EvidenceList, QuestionView } from "./types.d.ts" */
import { answerText } from "./answer-words.js";
import { span, spent } from "./format.js";
import { recognitionText } from "./how-view.js";
import { html } from "./html.js";
import { pathTo } from "./routes.js";

/**
 * Compares a repeated answer with the one before it, and lists the edits in between.
 * @param {{ before: QuestionView, then: EvidenceList, now: QuestionView, list: EvidenceList | null }} props
 *   `then`: the current evidence of the earlier question
 */
export function AnswerChanges({ before, then, now, list }) {
  if (now.answer === null) return null;
  const same = JSON.stringify(before.answer?.answer) === JSON.stringify(now.answer.answer);
  const side = (/** @type {QuestionView} */ view, /** @type {string} */ title) => html`<div
    class=${view === now ? "side now" : "side"}
  >
    <h4>${title}</h4>
    <p class="verdict">${view.answer === null ? "No answer" : answerText(view.asked, view.answer)}</p>
    ${
      view.answer !== null &&
      view.answer.confidence !== null &&
      html`<p class="soft">Confidence ${view.answer.confidence.toFixed(2)}</p>`
    }
    <p class="soft">${spent(view.usage)}</p>
    ${view !== now && html`<a href=${pathTo(view.video, view.id)}>Open</a>`}
  </div>`;
  const edits = editsBetween(then, list);
  return html`<div role="group" class="panel changes" aria-label="What changed">
    <h3>${same ? "The answer stayed the same" : "The answer changed"}</h3>
    <div class="sides">${side(before, "Before")} ${side(now, "Reasoned again")}</div>
    ${edits.length > 0 && html`<ul>${edits.map((edit) => html`<li key=${edit}>${edit}</li>`)}</ul>`}
    <p class="soft">${recognitionText(now)}</p>
  </div>`;
}

/**
 * @param {EvidenceList} then
 * @param {EvidenceList | null} list
 */
function editsBetween(then, list) {
  const items = list?.items ?? [];
  const known = new Set(items.map(({ id }) => id));
  const words = new Map(then.items.map(({ id, was }) => [id, was]));
  const written = items
    .filter(({ by }) => by.who === "person")
    .map((item) => {
      const was = item.was ?? words.get(item.id) ?? null;
      if (item.replaces === undefined) return `Added at ${span(item)}: “${item.text}”`;
      return was === null
        ? `Corrected at ${span(item)}: “${item.text}”`
        : `Corrected at ${span(item)}: “${was}” became “${item.text}”`;
    });
  const out = then.rejected
    .filter(({ id }) => !known.has(id))
    .map((item) => `Rejected at ${span(item)}: “${item.text || "a frame"}”`);
  return [...written, ...out];
}
