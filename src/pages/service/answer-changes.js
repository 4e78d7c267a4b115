/** @import { EvidenceList, QuestionView } from "./types.d.ts" */
import { recognitionText } from "./answer-view.js";
import { answerText } from "./answer-words.js";
import { el } from "./dom.js";
import { span, spent } from "./format.js";
import { pathTo } from "./routes.js";

/**
 * Compares a repeated answer with the one before it, and lists the edits in between.
 *
 * @param {QuestionView} before
 * @param {QuestionView} now
 * @param {EvidenceList | null} then the current evidence of the earlier question
 * @param {EvidenceList | null} list
 */
export function answerChanges(before, now, then, list) {
  if (now.answer === null) return null;
  const same = JSON.stringify(before.answer?.answer) === JSON.stringify(now.answer.answer);
  const side = (/** @type {QuestionView} */ view, /** @type {string} */ title) =>
    el(
      "div",
      { class: view === now ? "side now" : "side" },
      el("h4", {}, title),
      el(
        "p",
        { class: "verdict" },
        view.answer === null ? "No answer" : answerText(view.asked, view.answer),
      ),
      view.answer === null || view.answer.confidence === null
        ? null
        : el("p", { class: "soft" }, `Confidence ${view.answer.confidence.toFixed(2)}`),
      el("p", { class: "soft" }, spent(view.usage)),
      view === now ? null : el("a", { href: pathTo(view.video, view.id) }, "Open"),
    );
  const edits = editsBetween(then, list);
  return el(
    "div",
    { role: "group", class: "panel changes", "aria-label": "What changed" },
    el("h3", {}, same ? "The answer stayed the same" : "The answer changed"),
    el("div", { class: "sides" }, side(before, "Before"), side(now, "Reasoned again")),
    edits.length === 0
      ? null
      : el(
          "ul",
          {},
          edits.map((edit) => el("li", {}, edit)),
        ),
    el("p", { class: "soft" }, recognitionText(now)),
  );
}

/**
 * @param {EvidenceList | null} then
 * @param {EvidenceList | null} list
 */
function editsBetween(then, list) {
  const items = list?.items ?? [];
  const known = new Set(items.map(({ id }) => id));
  const words = new Map(then?.items.map(({ id, was }) => [id, was]));
  const written = items
    .filter(({ by }) => by.who === "person")
    .map((item) => {
      const was = item.was ?? words.get(item.id) ?? null;
      if (item.replaces === undefined) return `Added at ${span(item)}: “${item.text}”`;
      return was === null
        ? `Corrected at ${span(item)}: “${item.text}”`
        : `Corrected at ${span(item)}: “${was}” became “${item.text}”`;
    });
  const out = (then?.rejected ?? [])
    .filter(({ id }) => !known.has(id))
    .map((item) => `Rejected at ${span(item)}: “${item.text || "a frame"}”`);
  return [...written, ...out];
}
