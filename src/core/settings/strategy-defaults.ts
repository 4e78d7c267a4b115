import type { Role } from "../events.ts";
import { hashOf } from "../hash.ts";
import type { Budget } from "../ledger.ts";
import type { Task } from "../shapes.ts";
import { at, settingLeaves } from "./list-settings.ts";
import type { OCR_MODES, RECOGNITION_INPUTS, SUBTITLE_MODES } from "./recognition.ts";
import type { Settings } from "./schema.ts";

/** What an agent may spend on a question where nothing is said: the verification included. */
const AGENT_BUDGET = { calls: 8, frames: 40 };

/**
 * Who reads the text on screen, with the strategy's own choice filled in: what is asked of shuffled clips is answered
 * from their descriptions alone, as in the paper.
 */
export function ocrMode(
  { strategy, recognition }: Settings,
  task: Task,
): (typeof OCR_MODES)[number] {
  const reads = strategy === "extractive" || (searches(strategy) && task !== "order");
  return recognition.ocr ?? (reads ? "tesseract" : "off");
}

/** Which subtitles go along, with the strategy's own choice filled in. */
export function subtitleMode(
  { strategy, recognition }: Settings,
  task: Task,
): (typeof SUBTITLE_MODES)[number] {
  if (strategy === "extractive") return "full";
  return recognition.subtitles ?? (searches(strategy) && task !== "order" ? "retrieved" : "off");
}

function searches(strategy: Settings["strategy"]): boolean {
  return strategy === "rrd" || strategy === "agent";
}

/** What frames are chosen from, with the strategy's own choice filled in. */
export function recognitionInput({
  strategy,
  recognition,
}: Settings): (typeof RECOGNITION_INPUTS)[number] {
  const whole = strategy === "direct" || strategy === "key-frame";
  return recognition.input ?? (whole ? "whole-video" : "clip");
}

/** The ceilings of a question, with the strategy's own filled in: `agent` searches within 8 calls and 40 frames. */
export function budgetOf({ strategy, budget }: Settings, task: Task): Budget {
  if (strategy !== "agent" || task === "order") return budget;
  return {
    ...budget,
    calls: budget.calls ?? AGENT_BUDGET.calls,
    frames: budget.frames ?? AGENT_BUDGET.frames,
  };
}

/**
 * Tokens that a reply of this role is expected to have, which a budget reserves before the call: the role's own setting,
 * else the one for all roles, else a quarter of `maxTokens`; never more than `maxTokens`.
 */
export function expectedOutput(settings: Settings, role: Role, maxTokens: number): number {
  const { budget, recognition, reasoning, search } = settings;
  const own: Partial<Record<Role, number | null | undefined>> = {
    recogniser: recognition.expected_output,
    reasoner: reasoning.expected_output,
    verifier: search.verifier_output,
  };
  return Math.min(maxTokens, own[role] ?? budget.expected_output ?? Math.ceil(maxTokens / 4));
}

/**
 * What results depend on: all but `runtime`. Settings that came later count only where they are set, so that the runs
 * of before keep their names.
 */
export function settingsHash(settings: Settings): string {
  const { runtime: _runtime, ...rest } = structuredClone(settings) as Partial<Settings>;
  for (const { path, added, default: unset } of settingLeaves())
    if (added && at(rest, path) === unset) drop(rest, path);
  return hashOf(rest);
}

/** Removes a leaf, and its group where nothing else is left in it. */
function drop(settings: Record<string, unknown>, path: string): void {
  const [group = "", name] = path.split(".");
  const members = settings[group];
  if (name === undefined) delete settings[group];
  else if (typeof members === "object" && members !== null) {
    Reflect.deleteProperty(members, name);
    if (Object.keys(members).length === 0) delete settings[group];
  }
}
