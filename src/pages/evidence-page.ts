import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";
import { countOf } from "../core/count-of.ts";
import type { CallRecord } from "../core/events.ts";
import { byTimeKindId, evidenceNames } from "../core/evidence.ts";
import { money } from "../core/money.ts";
import { orderingOf } from "../core/ordering.ts";
import {
  type Answer,
  EVIDENCE_KINDS,
  type Evidence,
  type EvidenceKind,
  type EvidenceSet,
  type Question,
  type Usage,
} from "../core/shapes.ts";
import { clock } from "../core/time.ts";

import {
  answerText,
  momentsTitle,
  noEvidenceText,
  questionText,
  remarksOn,
  SUPPORT_TEXT,
  shownText,
  unplacedText,
} from "./answer-words.js";

import { plainDirection } from "./plain-direction.ts";
import { preferenceMatrix } from "./preference-matrix.ts";
import { toolCallLines } from "./tool-calls.ts";

export interface EvidencePageData {
  /** Name of the video for a person, and its length in seconds. */
  video: { name: string; duration_s: number };
  question: Question;
  answer: Answer;
  evidence: Pick<EvidenceSet, "items" | "names">;
  strategy: string;
  /** `provider:model`, or null where no language model took part. */
  model: string | null;
  calls: readonly CallRecord[];
  usage: ReadonlyMap<string, Usage>;
  /** Data URI of a small picture by frame hash; frames without one are shown by their time alone. */
  thumbnails: ReadonlyMap<string, string>;
}

const KIND_NAMES: Record<EvidenceKind, string> = {
  caption: "captions",
  text: "text",
  equation: "equations",
  subtitle: "subtitles",
  speech: "speech",
  frame: "frames",
  comparison: "comparisons",
  calculation: "calculations",
};

/** One self-contained HTML file, without script and without anything from the network. Every text is escaped. */
export function evidencePage(data: EvidencePageData): string {
  const css = ["./palette.css", "./evidence-page.css", "./heat-map.css"]
    .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
    .join("");
  const names = evidenceNames(data.evidence);
  const cited = new Set(data.answer.cites);
  const items = [...data.evidence.items].sort(byTimeKindId);
  const isCited = ({ id }: Evidence) => cited.has(id);
  const cards = (title: string, id: string, shown: readonly Evidence[]) =>
    shown.length === 0
      ? ""
      : html`<h2 id="${id}">${title}</h2>
<ol class="cards">${shown.map((item) => card(item, names, cited, data.thumbnails))}</ol>`;
  const kinds = EVIDENCE_KINDS.filter((kind) => items.some((item) => item.kind === kind));
  return plainDirection(
    String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${questionText(data.question)}</title>
<style>${raw(css)}</style>
</head>
<body>
<main>
<p class="soft">${data.video.name} · ${clock(data.video.duration_s)}</p>
<h1>${questionText(data.question)}</h1>
${goal(data.question)}
${options(data)}
${verdict(data, items, names)}
${
  items.length === 0
    ? html`<h2>Evidence</h2><p>${noEvidenceText(data.answer)}</p>`
    : html`${cards("Cited evidence", "evidence", items.filter(isCited))}
<h2 id="timeline">Timeline</h2>
${kinds.map((kind) => lane(kind, items, names, cited, data.video.duration_s))}
<div class="lane soft"><span></span><div class="scale"><span>00:00</span><span>${clock(data.video.duration_s)}</span></div></div>
${cards(
  cited.size === 0 ? "Evidence" : "Other evidence",
  "other",
  items.filter((item) => !isCited(item)),
)}`
}
${comparisons(data)}
${calls(data)}
</main>
</body>
</html>
`),
  );
}

/** The heading has it if there is no other text. */
function goal({ text, goal: given }: Question) {
  if (given === undefined || text.trim() === "") return "";
  return html`<p><span class="soft">Goal: </span>${given}</p>`;
}

function options({ question, answer }: EvidencePageData) {
  if (question.options === undefined) return "";
  return html`<ul class="options">${question.options.map((option) =>
    option.letter === answer.answer
      ? html`<li class="chosen">(${option.letter}) ${option.text} <span class="soft">– chosen</span></li>`
      : html`<li>(${option.letter}) ${option.text}</li>`,
  )}</ul>`;
}

function verdict(
  { question, answer, strategy, model }: EvidencePageData,
  items: readonly Evidence[],
  names: ReadonlyMap<string, string>,
) {
  const by = model === null ? "No language model took part" : `Model: ${model}`;
  const cites = items.filter((item) => answer.cites.includes(item.id));
  return html`<section class="answer" aria-label="Answer">
<p class="verdict">${answerText(question, answer)}</p>
${answer.error === undefined ? "" : html`<p>${answer.error.message}</p>`}
${unplaced(answer)}
${support(answer)}
${
  cites.length === 0
    ? ""
    : html`<p>Evidence (cited by ${answer.cited_by}): ${cites.map(
        (item, index) =>
          html`${index === 0 ? "" : ", "}<a href="#${names.get(item.id)}">${names.get(item.id)} at ${clock(item.start_s)}</a>`,
      )}</p>`
}
${moments(answer, items, names)}
<p class="soft">Strategy: ${strategy}. ${by}.${
    answer.confidence === null
      ? ""
      : ` Confidence ${answer.confidence.toFixed(2)}, computed from ${answer.confidence_basis}.`
  }${answer.limits_met.length === 0 ? "" : ` Limits met: ${answer.limits_met.join(", ")}.`}</p>${remarksOn(answer).map((text) => html`<p class="soft">${text}</p>`)}
</section>`;
}

function unplaced({ diagnostics }: Answer) {
  const text = unplacedText(diagnostics);
  return text === null ? "" : html`<p>${text}</p>`;
}

/** The moments that match the question, best first, with their matching words. */
function moments(
  { moments: found = [] }: Answer,
  items: readonly Evidence[],
  names: ReadonlyMap<string, string>,
) {
  if (found.length === 0) return "";
  return html`<p>${momentsTitle(found)}:</p>
<ol class="moments">${found.map(({ start_s, text, words, option, evidence }) => {
    const name = items.some(({ id }) => id === evidence[0]) ? names.get(evidence[0] ?? "") : null;
    const time = clock(start_s);
    return html`<li>${name == null ? time : html`<a href="#${name}">${time}</a>`} ${option === undefined ? "" : `(${option}) `}${text} <span class="soft">${words.join(", ")}</span></li>`;
  })}</ol>`;
}

/** Whether the cited evidence supports the answer. An unsupported answer is marked as such. */
function support({ support: found, diagnostics }: Answer) {
  const taken = diagnostics?.handed_over;
  return html`${
    found === undefined
      ? ""
      : html`<p class="support ${found.verdict}"><strong>${SUPPORT_TEXT[found.verdict]}</strong>${found.words === "" ? "." : `: ${found.words}`} <span class="soft">(checked by ${found.by === "model" ? "a second model call" : "rule"})</span></p>`
  }${
    typeof taken === "string"
      ? html`<p>The strategy ${taken} answered in the agent's place. ${String(diagnostics?.why_handed_over ?? "")}</p>`
      : ""
  }`;
}

function comparisons({ answer }: EvidencePageData) {
  const ordering = orderingOf(answer.diagnostics);
  if (ordering === null) return "";
  const order = Array.isArray(answer.answer) ? answer.answer : ordering.clips;
  return html`<h2 id="comparisons">How the order was found</h2>
${preferenceMatrix(ordering, order)}`;
}

function lane(
  kind: EvidenceKind,
  items: readonly Evidence[],
  names: ReadonlyMap<string, string>,
  cited: ReadonlySet<string>,
  duration_s: number,
) {
  const share = (seconds: number) =>
    (100 * Math.min(1, Math.max(0, seconds / Math.max(duration_s, 0.001)))).toFixed(3);
  const marks = items
    .filter((item) => item.kind === kind)
    .map(
      (item) =>
        html`<a class="mark ${kind}${cited.has(item.id) ? " cited" : ""}" href="#${names.get(item.id)}" style="left:${share(item.start_s)}%;width:${share(item.end_s - item.start_s)}%" title="${clock(item.start_s)} ${shownText(item).slice(0, 80)}" aria-label="${names.get(item.id)}, ${kind} at ${clock(item.start_s)}"></a>`,
    );
  return html`<div class="lane"><span>${KIND_NAMES[kind]}</span><div class="track">${marks}</div></div>`;
}

function card(
  item: Evidence,
  names: ReadonlyMap<string, string>,
  cited: ReadonlySet<string>,
  thumbnails: ReadonlyMap<string, string>,
) {
  const name = names.get(item.id);
  const picture = item.frame === undefined ? undefined : thumbnails.get(item.frame.hash);
  const span =
    item.end_s > item.start_s ? `${clock(item.start_s)}–${clock(item.end_s)}` : clock(item.start_s);
  const source = `${item.by.who}: ${item.by.name}${item.confidence === null ? "" : `, confidence ${item.confidence.toFixed(2)}`}`;
  return html`<li class="card ${item.kind}${cited.has(item.id) ? " cited" : ""}" id="${name}">
${picture === undefined ? "" : html`<img src="${picture}" alt="Frame at ${clock(item.frame?.t_s ?? item.start_s)}" loading="lazy">`}
<p><span class="kind">${name} ${item.kind}</span> <span class="soft">${span} (${item.start_s.toFixed(2)} s)${item.clip === undefined ? "" : `, clip ${item.clip}`}${cited.has(item.id) ? ", cited" : ""}</span></p>
<p>${shownText(item)}</p>
<p class="soft">${source}</p>
</li>`;
}

function calls({ calls: made, usage, model }: EvidencePageData) {
  if (made.length === 0)
    return html`<h2>Calls</h2><p>${model === null ? "No language model took part, and nothing was spent." : "No call was made."}</p>`;
  return html`<h2>Calls</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Usage by stage"><table>
<thead><tr><th>Stage</th><th>Calls</th><th>Frames</th><th>Tokens in</th><th>Tokens out</th><th>Cost</th></tr></thead>
<tbody>${[...usage].map(
    ([stage, spent]) =>
      html`<tr><td>${stage}</td><td class="number">${spent.calls}</td><td class="number">${spent.frames}</td><td class="number">${spent.input}</td><td class="number">${spent.output}</td><td class="number">${money(spent.cost)}</td></tr>`,
  )}</tbody></table></div>
${made.map(
  (
    call,
  ) => html`<details><summary>${call.label} <span class="soft">${call.role}, ${call.model}, ${countOf(call.frames.length, "frame")}, ${call.finish}${call.cached ? ", from memory" : ""}, ${call.seconds.toFixed(2)} s</span></summary>
${callText(call)}
${call.frames.length === 0 ? "" : html`<p class="soft">Frames at ${call.frames.map((frame) => clock(frame.t_s)).join(", ")}</p>`}
</details>`,
)}`;
}

function callText(call: CallRecord) {
  const tools = toolCallLines(call);
  const said =
    call.text === "" && tools.length === 0 ? html`<span class="soft">(empty)</span>` : call.text;
  return html`${said === "" ? "" : html`<p>${said}</p>`}${
    tools.length === 0
      ? ""
      : html`<ul class="tools">${tools.map((line) => html`<li>${line}</li>`)}</ul>`
  }`;
}
