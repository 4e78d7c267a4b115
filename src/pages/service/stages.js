/** @import { Event as QuestionEvent, Evidence, Usage } from "./types.d.ts" */

/**
 * The progress of a running question, computed from its events. A note of the service begins a run; only the last run counts.
 *
 * @typedef {{ name: string, running: boolean, runs: number, seconds: number | null, usage: Usage, cached: number, evidence: number,
 *   done: number | null, total: number | null, unit: string, moved_at: number }} Stage
 * @typedef {{ stages: Stage[], total: Usage, cached: number, notes: string[], evidence: Evidence[], at: number }} Progress
 */

/** After this time without an event a stage's bar shows no share: other stages run, and it would stand still. */
const STILL_MS = 3000;

/** @type {Readonly<Usage>} */
export const NO_USAGE = { calls: 0, frames: 0, input: 0, output: 0, cost: 0, paid: 0 };

/** @returns {Progress} */
export function noProgress() {
  return { stages: [], total: NO_USAGE, cached: 0, notes: [], evidence: [], at: 0 };
}

/**
 * @param {Progress} progress is updated
 * @param {QuestionEvent} event
 */
export function fold(progress, event) {
  if (event.type === "note" && event.stage === "service") {
    Object.assign(progress, noProgress());
    return;
  }
  if (event.type === "note") progress.notes.push(event.text);
  if (event.type === "answer" || event.type === "failed" || event.type === "note") return;
  const stage = stageOf(progress, event.stage);
  stage.moved_at = event.at;
  progress.at = event.at;
  switch (event.type) {
    case "stage":
      stage.runs = Math.max(0, stage.runs + (event.state === "start" ? 1 : -1));
      stage.running = stage.runs > 0;
      stage.seconds = event.seconds ?? stage.seconds;
      if (!stage.running) stage.done = null;
      break;
    case "progress":
      Object.assign(stage, { done: event.done, total: event.total, unit: event.unit });
      break;
    case "call": {
      const { usage, cached } = event.call;
      stage.usage = add(stage.usage, usage);
      progress.total = add(progress.total, usage);
      stage.cached += cached ? 1 : 0;
      progress.cached += cached ? 1 : 0;
      break;
    }
    case "evidence":
      stage.evidence++;
      progress.evidence.push(event.item);
      break;
  }
}

/**
 * The share of a running stage that is done, from 0 to 1; null while it is not known or the stage does not move.
 * @param {Stage} stage
 * @param {Progress} progress
 */
export function shareOf({ done, total, moved_at }, { at }) {
  const isKnown = done !== null && total !== null && total > 0 && done < total;
  return isKnown && at - moved_at <= STILL_MS ? done / total : null;
}

/**
 * @param {Progress} progress
 * @param {string} name
 */
function stageOf({ stages }, name) {
  const found = stages.find((stage) => stage.name === name);
  if (found !== undefined) return found;
  /** @type {Stage} */
  const made = {
    name,
    running: true,
    runs: 0,
    seconds: null,
    usage: NO_USAGE,
    cached: 0,
    evidence: 0,
    done: null,
    total: null,
    unit: "",
    moved_at: 0,
  };
  stages.push(made);
  return made;
}

/**
 * @param {Usage} a
 * @param {Usage} b
 * @returns {Usage}
 */
export function add(a, b) {
  const sum = (/** @type {number | null} */ x, /** @type {number | null} */ y) =>
    x === null || y === null ? null : x + y;
  return {
    calls: a.calls + b.calls,
    frames: a.frames + b.frames,
    input: a.input + b.input,
    output: a.output + b.output,
    cost: sum(a.cost, b.cost),
    paid: sum(a.paid, b.paid),
  };
}
