/** @import { EvidenceKind, QuestionState, Usage } from "./types.d.ts" */

import { clock } from "./clock.js";

/* Formats times, amounts and states. */

/**
 * @param {{ start_s: number, end_s: number }} item
 */
export function span({ start_s, end_s }) {
  const [from, to] = [clock(start_s), clock(end_s)];
  return end_s > start_s && from !== to ? `${from}–${to}` : from;
}

/**
 * Dollars; null if no price is known.
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

/** @param {string} when RFC 3339 */
export function day(when) {
  return new Date(when).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** @type {Record<EvidenceKind, string>} */
export const KIND_NAMES = {
  caption: "Captions",
  text: "Text",
  equation: "Equations",
  subtitle: "Subtitles",
  speech: "Speech",
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
  speech: "Transcribe speech",
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
  verify: "Verify the answer",
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

/**
 * Spending in one line.
 * @param {Usage} usage
 */
export function spent({ calls, input, output, cost }) {
  if (calls === 0) return "No model call";
  return `${count(calls, "call")} · ${count(input + output, "token")} · ${money(cost)}`;
}
