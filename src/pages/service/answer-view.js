/** @import { Answer, EvidenceList, EvidenceView, QuestionView } from "./types.d.ts" */

import { answerText, momentsTitle, remarksOn, SUPPORT_TEXT, unplacedText } from "./answer-words.js";
import { clock } from "./clock.js";
import { day, span } from "./format.js";
import { html, useState } from "./html.js";
import { OrderStrip } from "./order-strip.js";
import { questionWords } from "./question-row.js";
import { State } from "./state.js";
import { withCode } from "./with-code.js";

const TASK_NAMES = { open: "Open question", choice: "Choice", order: "Order" };

/**
 * The question and its verdict: the answer with its confidence, its citations, and reasons for doubt.
 *
 * @param {{ question: QuestionView, list: EvidenceList | null, choose: (item: EvidenceView) => void, seek: (seconds: number) => void, children?: unknown }} props
 */
export function AnswerView({ question, list, choose, seek, children = null }) {
  const { asked, answer } = question;
  return html`
    <header class="question-head">
      <h2 tabindex="-1">${questionWords(question)}</h2>
      ${asked.goal !== undefined && asked.text !== "" && html`<p><span class="soft">Goal: </span>${asked.goal}</p>`}
      <p class="facts soft">
        <${State} question=${question} />
        <span>${TASK_NAMES[asked.task]}</span>
        <span>${question.strategy}</span>
        <span>${question.model ?? "no language model"}</span>
        ${question.from !== null && html`<span>reasoned again</span>`}
        <span>${day(question.created_at)}</span>
      </p>
    </header>
    ${
      answer === null
        ? html`<${NoAnswer} question=${question}>${children}<//>`
        : html`<${Verdict} question=${question} answer=${answer} list=${list} choose=${choose} seek=${seek}>
            ${children}
          <//>`
    }
  `;
}

/** @param {{ question: QuestionView, children?: unknown }} props */
function NoAnswer({ question: { asked, state, failure }, children = null }) {
  if (state === "queued" || state === "running") return html`<${Options} asked=${asked} />`;
  return html`<div role="group" class="panel answer none" aria-label="Answer">
    <p class="verdict">
      ${state === "cancelled" ? "Cancelled before an answer came." : "The question failed."}
    </p>
    ${failure !== null && html`<p>${failure.message}</p>`}
    <p class="soft">Paid calls are stored. Asking again continues from there.</p>
    <${Options} asked=${asked} />
    ${children}
  </div>`;
}

/** @param {{ question: QuestionView, answer: Answer, list: EvidenceList | null, choose: (item: EvidenceView) => void, seek: (seconds: number) => void, children?: unknown }} props */
function Verdict({ question, answer, list, choose, seek, children = null }) {
  const { asked } = question;
  const doubts = doubtsAbout(answer);
  const unplaced = unplacedText(answer.diagnostics);
  const kind = `${answer.answer === null ? "none" : ""} ${doubts.length > 0 ? "doubtful" : ""}`;
  return html`<div role="group" class=${`panel answer ${kind}`} aria-label="Answer">
    <p class="verdict">${answerText(asked, answer)}</p>
    ${
      Array.isArray(answer.answer) &&
      html`<${OrderStrip} order=${answer.answer} clips=${question.clips ?? []} video=${question.video} seek=${seek} />`
    }
    ${unplaced !== null && html`<p class="note">${unplaced}</p>`}
    ${answer.error !== undefined && html`<p class="problem">${withCode(answer.error.message)}</p>`}
    ${doubts.map((doubt) => html`<p class="doubt" key=${doubt}><strong>Unsupported. </strong>${doubt}</p>`)}
    <${Confidence} answer=${answer} />
    <${Support} support=${answer.support} />
    ${list !== null && html`<${Citations} answer=${answer} list=${list} choose=${choose} />`}
    ${list !== null && html`<${Moments} answer=${answer} list=${list} choose=${choose} />`}
    ${
      answer.limits_met.length > 0 &&
      answer.answer !== null &&
      html`<p class="note">
        Limits met: ${answer.limits_met.join(", ")}. The answer uses the evidence found before the limit.
      </p>`
    }
    ${remarksOn(answer).map((text) => html`<p class="note">${text}</p>`)}
    <${Options} asked=${asked} chosen=${answer.answer} />
    ${children}
  </div>`;
}

/**
 * The options that were not chosen, folded; all of them while there is no answer.
 * @param {{ asked: QuestionView["asked"], chosen?: Answer["answer"] }} props
 */
function Options({ asked: { options = [] }, chosen = null }) {
  const others = options.filter(({ letter }) => letter !== chosen);
  if (others.length === 0) return null;
  const list = html`<ol class="options">
    ${others.map(
      ({ letter, text }) =>
        html`<li key=${letter}><span class="letter">${letter}</span><span>${text}</span></li>`,
    )}
  </ol>`;
  if (others.length === options.length) return list;
  return html`<details>
    <summary>${others.length === 1 ? "The other option" : `The other ${others.length} options`}</summary>
    ${list}
  </details>`;
}

/**
 * What the answer rests on, as it was when the answer was given.
 * @param {{ answer: Answer, list: EvidenceList, choose: (item: EvidenceView) => void }} props
 */
function Citations({ answer, list, choose }) {
  const current = new Map(list.items.map(({ id, name }) => [name, id]));
  const since = (/** @type {EvidenceView} */ { id, name }) =>
    current.get(name) === id ? null : current.has(name) ? "corrected since" : "rejected since";
  const isOrder = Array.isArray(answer.answer);
  // The storyboard shows the clips of an order already.
  const cited = list.basis.filter(
    (item) =>
      answer.cites.includes(item.id) &&
      !(isOrder && item.clip !== undefined && since(item) === null),
  );
  if (cited.length === 0) return null;
  return html`<div class="cites">
    <span class="soft">Based on (cited by ${answer.cited_by})</span>
    <ul>
      ${cited.map(
        (item) => html`<li key=${item.id}>
          <${Citation} item=${item} since=${since(item)} choose=${choose} />
        </li>`,
      )}
    </ul>
  </div>`;
}

/** @param {{ item: EvidenceView, since: string | null, choose: (item: EvidenceView) => void }} props */
function Citation({ item, since, choose }) {
  const [isBroken, setBroken] = useState(false);
  const text = item.text.replace(/\s+/g, " ");
  return html`<button
    type="button"
    class=${`chip citation ${item.kind}`}
    title=${text.slice(0, 200)}
    onClick=${() => choose(item)}
  >
    ${
      item.thumbnail !== null &&
      !isBroken &&
      html`<img src=${item.thumbnail} alt="" width="64" height="36" loading="lazy" onError=${() => setBroken(true)} />`
    }
    <span><strong>${item.name}</strong>${` at ${clock(item.start_s)}`}${since !== null && html`<em> ${since}</em>`}</span>
  </button>`;
}

/**
 * The moments that match the question, best first, with their matching words.
 * @param {{ answer: Answer, list: EvidenceList, choose: (item: EvidenceView) => void }} props
 */
function Moments({ answer: { moments = [] }, list, choose }) {
  if (moments.length === 0) return null;
  return html`<details class="moments" open>
    <summary>${momentsTitle(moments)}</summary>
    <ol>
      ${moments.map((moment, place) => {
        const item = list.basis.find(({ id }) => id === moment.evidence[0]);
        const time = span(moment);
        return html`<li key=${place}>
          ${
            item === undefined
              ? html`<span class="soft">${time}</span>`
              : html`<button type="button" class=${`chip ${item.kind}`} onClick=${() => choose(item)}>${time}</button>`
          }
          ${` ${moment.option === undefined ? "" : `(${moment.option}) `}${moment.text} `}
          <span class="soft">${moment.words.join(", ")}</span>
        </li>`;
      })}
    </ol>
  </details>`;
}

/** @param {{ answer: Answer }} props */
function Confidence({ answer: { confidence, confidence_basis, answer } }) {
  if (answer === null) return null;
  if (confidence === null)
    return html`<p class="soft">No confidence: there is no measurement to compute it from.</p>`;
  return html`<p class="confidence">
    <strong>Confidence ${confidence.toFixed(2)} </strong>
    <meter min="0" max="1" value=${confidence} aria-label="Confidence"></meter>
    <span class="soft"> computed from ${confidence_basis}</span>
  </p>`;
}

/**
 * Why an answer may not be supported by its evidence, one sentence per reason.
 * @param {Answer} answer
 */
export function doubtsAbout({ answer, cites, support, diagnostics = {} }) {
  if (answer === null) return [];
  const { unknown_citations: unknown } = diagnostics;
  const verdict =
    support?.verdict === "contradicted" || support?.verdict === "not-shown"
      ? SUPPORT_TEXT[support.verdict]
      : undefined;
  return [
    cites.length === 0 ? "The answer cites no evidence." : "",
    Array.isArray(unknown) && unknown.length > 0
      ? `The model cited ${unknown.join(", ")}, but was shown no evidence of ${unknown.length === 1 ? "that name" : "these names"}.`
      : "",
    verdict === undefined ? "" : `${verdict}${support?.words ? `: ${support.words}` : "."}`,
  ].filter((doubt) => doubt !== "");
}

/** @param {{ support: Answer["support"] }} props */
function Support({ support }) {
  if (support?.verdict !== "supported") return null;
  const by = support.by === "model" ? "a second model call" : "rule";
  return html`<p class="soft">
    ${`${SUPPORT_TEXT.supported} (checked by ${by})${support.words === "" ? "." : `: ${support.words}`}`}
  </p>`;
}
