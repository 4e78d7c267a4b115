import { html } from "hono/html";
import { countOf } from "../core/count-of.ts";
import { clock } from "../core/time.ts";
import { preferenceMatrix } from "./preference-matrix.ts";
import { OUTCOMES, type ReportPart, type ReportQuestion, type ReportSaid } from "./report-data.ts";

/** Characters of one reply that are shown. */
const MOST_REPLY = 4000;

/** The samples with what every run said to them, behind a form that `report-filter.js` brings to life. */
export function questionList(
  { runs, questions }: Pick<ReportPart, "runs" | "questions">,
  number: number,
) {
  if (questions.length === 0) return "";
  const groups = [...new Set(questions.flatMap((question) => question.groups))].sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  return html`<h3>Samples</h3>
<form class="filter" hidden data-list="questions-${number}">
<label>Outcome <select name="outcome"><option value="">any</option>${OUTCOMES.map((name) => html`<option>${name}</option>`)}${runs.length > 1 ? html`<option value="differs">runs differ</option>` : ""}</select></label>
<label>Run <select name="run"><option value="">any</option>${runs.map((name, index) => html`<option value="${index}">${name}</option>`)}</select></label>
<label>Group <select name="group"><option value="">any</option>${groups.map((name) => html`<option>${name}</option>`)}</select></label>
<label>Words <input name="words" type="search"></label>
<output role="status"></output>
</form>
<ul class="questions" id="questions-${number}">${questions.map((one) => question(one, runs))}</ul>`;
}

function question(asked: ReportQuestion, runs: readonly string[]) {
  const outcomes = JSON.stringify(asked.said.map(({ run, outcome }) => [run, outcome]));
  return html`<li data-outcomes="${outcomes}" data-groups="${JSON.stringify(asked.groups)}"><details>
<summary>${asked.said.map(({ outcome, run }) => html`<span class="outcome ${className(outcome)}" title="${runs[run]}: ${outcome}">${SIGNS[outcome]}<span class="hidden"> ${outcome} </span></span>`)} <b>${asked.id}</b> ${asked.text}</summary>
<p class="soft">${asked.video}${asked.groups.map((group) => html` · ${group}`)}</p>
${asked.options.length === 0 ? "" : html`<ul class="options">${asked.options.map(({ letter, text }) => html`<li>(${letter}) ${text}</li>`)}</ul>`}
<p>Right: ${asked.right}${asked.evidence_s.length === 0 ? "" : html`. The evidence lies at ${asked.evidence_s.map(([from, to]) => `${clock(from)}–${clock(to)}`).join(", ")}`}</p>
${asked.said.map((one) => said(one, runs, asked.id))}
</details></li>`;
}

function className(outcome: ReportSaid["outcome"]): string {
  return outcome.replace(" ", "-");
}

const SIGNS: Record<ReportSaid["outcome"], string> = {
  right: "✓",
  "partly right": "≈",
  wrong: "✗",
  unanswered: "–",
  "not scored": "·",
  failed: "!",
  "not asked": "?",
};

function said(one: ReportSaid, runs: readonly string[], sample: string) {
  const { reply, frames_s, ordering, evidence, calls } = one;
  const of = `sample ${sample}, ${runs[one.run]}${one.epoch > 1 ? `, epoch ${one.epoch}` : ""}`;
  return html`<div class="said ${className(one.outcome)}">
<p><b>${runs[one.run]}</b>${one.epoch > 1 ? `, epoch ${one.epoch}` : ""}: ${one.outcome}${one.answer === null ? "" : `, read as ${one.answer}`} <span class="soft">(${one.explanation})</span></p>
${reply === null ? "" : html`<pre>${reply.slice(0, MOST_REPLY)}${reply.length > MOST_REPLY ? `\n(${reply.length - MOST_REPLY} more characters)` : ""}</pre>`}
${frames_s.length === 0 ? "" : html`<p class="soft">${countOf(frames_s.length, "frame")} at ${frames_s.map((time) => time.toFixed(1)).join(", ")} s</p>`}
${evidence.length === 0 ? "" : html`<ul>${evidence.map((item) => html`<li>${clock(item.start_s)}–${clock(item.end_s)} ${item.kind}${item.clip === undefined ? "" : `, clip ${item.clip}`}: ${item.text}</li>`)}</ul>`}
${ordering === null ? "" : html`<details><summary>Judgements behind the order</summary>${preferenceMatrix(ordering.found, ordering.order, of)}</details>`}
${calls.length === 0 ? "" : callTable(calls)}
</div>`;
}

function callTable(calls: ReportSaid["calls"]) {
  return html`<details><summary>${countOf(calls.length, "call")}</summary>
<ul>${calls.map((call) => html`<li>${call.stage}: ${call.label} <span class="soft">${call.model}, ${countOf(call.frames, "frame")}, ${call.input} tokens in, ${call.output} out, ${call.finish}${call.cached ? ", from memory" : ""}, ${call.seconds.toFixed(2)} s</span></li>`)}</ul></details>`;
}
