/** @import { QuestionView } from "./types.d.ts" */
import { count, money, spent, stageName } from "./format.js";
import { html } from "./html.js";
import { Matrix } from "./matrix.js";
import { Downloads } from "./review-view.js";
import { TraceView } from "./trace-view.js";

/**
 * How a question was answered: its stages with their times and what they spent, the judgements, and the model's reply.
 * @param {{ question: QuestionView }} props
 */
export function HowView({ question }) {
  const { answer } = question;
  return html`<div role="group" class="panel how" aria-label="How it was answered">
    <h3>How it was answered</h3>
    <p>${spentText(question)}</p>
    <${StageTable} question=${question} />
    <${Matrix} diagnostics=${answer?.diagnostics} answer=${answer?.answer ?? null} />
    ${
      answer?.reply !== undefined &&
      answer.reply !== "" &&
      html`<details>
        <summary>Model reply</summary>
        <pre>${answer.reply}</pre>
      </details>`
    }
    <${TraceView} question=${question.id} calls=${question.usage.calls} />
    <${Downloads} question=${question} />
  </div>`;
}

/** What a question cost and how long it took, in one line. @param {QuestionView} question */
export function spentText({ usage, seconds }) {
  const time = seconds === null ? "" : ` · ${seconds.toFixed(1)} s`;
  if (usage.calls === 0) return `No model call, no cost${time}.`;
  const paid =
    usage.paid === null || usage.paid === usage.cost ? "" : ` (paid ${money(usage.paid)})`;
  return `${spent(usage)}${paid}${time}`;
}

/** @param {{ question: QuestionView }} props */
function StageTable({ question: { stages, timings } }) {
  const names = [
    ...new Set([...timings.map(({ stage }) => stage), ...stages.map(({ stage }) => stage)]),
  ];
  if (names.length === 0) return null;
  const number = (/** @type {number | undefined} */ n) =>
    html`<td class="number">${n === undefined || n === 0 ? "–" : n.toLocaleString("en")}</td>`;
  const dollars = (/** @type {number | null | undefined} */ n) =>
    html`<td class="number">${n === undefined || n === null ? "–" : money(n)}</td>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Time and cost by stage">
      <table>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            ${["Time", "Calls", "Frames", "Tokens in", "Tokens out", "Cost", "Paid"].map(
              (name) => html`<th scope="col" class="number" key=${name}>${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${names.map((name) => {
            const usage = stages.find(({ stage }) => stage === name)?.usage;
            const seconds = timings.find(({ stage }) => stage === name)?.seconds;
            return html`<tr key=${name}>
              <th scope="row">${stageName(name)}</th>
              <td class="number">${seconds === undefined ? "–" : `${seconds.toFixed(1)} s`}</td>
              ${number(usage?.calls)} ${number(usage?.frames)} ${number(usage?.input)} ${number(usage?.output)}
              ${dollars(usage?.cost)} ${dollars(usage?.paid)}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    <p class="soft">Cost counts every call as if nothing had been cached; paid is what this run spent.</p>`;
}

/** The stages that look at the video itself. */
const RECOGNITION = ["segment", "caption", "text", "subtitles", "speech", "look"];

/**
 * @param {QuestionView} question
 * @returns {string}
 */
export function recognitionText({ stages }) {
  const calls = stages
    .filter(({ stage }) => RECOGNITION.includes(stage))
    .reduce((sum, { usage }) => sum + usage.calls, 0);
  const other = stages.reduce((sum, { usage }) => sum + usage.calls, 0) - calls;
  return calls === 0
    ? `Nothing was recognised again: ${other === 0 ? "no call was made" : `${count(other, "call")}, only for reasoning`}.`
    : `${count(calls, "call")} of recognition.`;
}
