/** @import { Answer, EvidenceKind, Question, QuestionState, Usage } from "./types.d.ts" */

/* How times, sums, states and answers are said to a person. */

/**
 * Seconds as `mm:ss` or `h:mm:ss`, rounded down.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/**
 * @param {{ start_s: number, end_s: number }} item
 */
export function span({ start_s, end_s }) {
  const [from, to] = [clock(start_s), clock(end_s)];
  return end_s > start_s && from !== to ? `${from}–${to}` : from;
}

/**
 * Dollars; null where no price is known.
 * @param {number | null} dollars
 */
export function money(dollars) {
  if (dollars === null) return "price unknown";
  return dollars === 0 ? "$0" : `$${dollars.toFixed(dollars < 0.01 ? 4 : 3)}`;
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** @param {number} n @param {string} one @param {string} [many] */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** @param {number} when milliseconds since 1970 */
export function day(when) {
  return new Date(when).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** @type {Record<EvidenceKind, string>} */
export const KIND_NAMES = {
  caption: "Captions",
  text: "Text",
  equation: "Equations",
  subtitle: "Subtitles",
  frame: "Frames",
  comparison: "Comparisons",
  calculation: "Calculations",
};

/** @type {EvidenceKind[]} */
export const KINDS = /** @type {EvidenceKind[]} */ (Object.keys(KIND_NAMES));

/** @type {Record<string, string>} */
const STAGES = {
  segment: "Find clips",
  caption: "Describe clips",
  text: "Read text on screen",
  subtitles: "Read subtitles",
  search: "Search the evidence",
  answer: "Reason",
  order: "Put in order",
  prepare: "Get ready",
  look: "Look at frames",
  check: "Check the citations",
  conclude: "Conclude",
  mathematics: "Do the mathematics",
  ask: "Ask the model",
  calculate: "Calculate",
  match: "Match words",
  verify: "Look a second time",
  draw: "Draw at random",
  cite: "Cite",
};

/** @param {string} name */
export function stageName(name) {
  return STAGES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
}

/** @type {Record<QuestionState, string>} */
export const STATE_NAMES = {
  queued: "Waiting",
  running: "Running",
  answered: "Answered",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** @type {Record<Answer["status"], string>} */
const NO_ANSWER = {
  answered: "Answered",
  "not-answered": "Not answered: the evidence settles none of the answers.",
  unparsed: "Not answered: the model's reply held no answer in the expected form.",
  refused: "Not answered: the model refused.",
  truncated: "Not answered: the reply ended at its token limit before an answer came.",
  error: "Not answered: it failed.",
};

/**
 * @param {Question} question
 * @param {Answer["answer"]} answer
 */
export function answerWords(question, answer) {
  if (answer === null) return "No answer";
  if (Array.isArray(answer)) return answer.map((clip) => `Clip ${clip}`).join(" → ");
  const option = question.options?.find(({ letter }) => letter === answer);
  return option === undefined ? answer : `(${option.letter}) ${option.text}`;
}

/**
 * @param {Question} question
 * @param {Answer} answer
 */
export function verdict(question, answer) {
  if (answer.answer !== null) return answerWords(question, answer.answer);
  const { status, limits_met: spent } = answer;
  return status === "not-answered" && spent.length > 0
    ? `Not answered: the budget of ${spent.join(" and ")} was spent before an answer came.`
    : NO_ANSWER[status];
}

/**
 * What was spent, in one line.
 * @param {Usage} usage
 */
export function spent({ calls, input, output, cost }) {
  if (calls === 0) return "No model call";
  return `${count(calls, "call")} · ${count(input + output, "token")} · ${money(cost)}`;
}
