import { valueAt } from "../../src/core/settings.ts";
import type { RunLine } from "./run-line.ts";

/*
 * Facts about the samples of a run other than their scores: samples that a budget stopped, answers that no model gave,
 * estimated tokens, and time.
 */

/** What became of the samples of a run, and what they took. */
export interface RunAccount {
  /** Number of results, over all epochs. */
  results: number;
  /** Samples without an answer because a budget was spent, by budget: `cost`, `calls, tokens`. */
  stopped: Record<string, number>;
  /** Samples that reached a budget but have an answer. */
  answered_at_limit: number;
  /** Tokens and dollars by which budgets were exceeded, over all samples, because replies were longer than expected. */
  overshoot: { samples: number; tokens: number; cost: number };
  /** Answers of an agent chosen by word overlap, because its model gave no answer. */
  by_word_overlap: number;
  /** Model calls, and those whose token counts are estimates. */
  calls: number;
  estimated_calls: number;
  /** Output tokens used for reasoning, and input tokens that the provider had cached. */
  reasoning_tokens: number;
  cached_input_tokens: number;
  /** The calls went through batches of the provider, and have their prices; missing if not. */
  batch?: true;
  /** Null if no sample has times, as in runs of earlier versions. */
  time: TimeSpent | null;
}

/** Sums over samples, in seconds. */
export interface TimeSpent {
  samples: number;
  /** Time of the models: the original duration of every reply. */
  model_s: number;
  /** Time of the run's process while no call was in flight. */
  own_s: number;
  /** Time in the run's process spent waiting for a free slot and between attempts. */
  waited_s: number;
  /** Calls whose original duration is not known; `model_s` leaves them out. */
  unknown_calls: number;
}

/** The budgets that left a sample without an answer, such as `cost`; null if no budget did. */
export function stoppedBy({
  status,
  limits_met,
  error,
}: Pick<RunLine, "status" | "limits_met" | "error">): string | null {
  if (error !== undefined || status !== "not-answered" || limits_met.length === 0) return null;
  return limits_met.join(", ");
}

/** Sums up the lines of a run; null for a response file. */
export function accountOf({
  said,
  header,
}: {
  said: readonly { line: RunLine | null }[];
  header?: { settings: Record<string, unknown> } | null;
}): RunAccount | null {
  const lines = said.flatMap(({ line }) => line ?? []);
  if (lines.length === 0) return null;
  const account: RunAccount = {
    results: lines.length,
    stopped: {},
    answered_at_limit: 0,
    overshoot: { samples: 0, tokens: 0, cost: 0 },
    by_word_overlap: 0,
    calls: 0,
    estimated_calls: 0,
    reasoning_tokens: 0,
    cached_input_tokens: 0,
    ...(valueAt(header?.settings ?? {}, "runtime.batch") === true ? { batch: true } : {}),
    time: null,
  };
  for (const line of lines) count(line, account);
  return account;
}

function count(line: RunLine, account: RunAccount): void {
  const stopped = stoppedBy(line);
  if (stopped !== null) account.stopped[stopped] = (account.stopped[stopped] ?? 0) + 1;
  else if (line.limits_met.length > 0 && line.status === "answered") account.answered_at_limit++;
  const { overshoot, answered_by } = line.diagnostics;
  if (isOvershoot(overshoot)) {
    account.overshoot.samples++;
    account.overshoot.tokens += overshoot.tokens;
    account.overshoot.cost += overshoot.cost;
  }
  if (answered_by === "word overlap") account.by_word_overlap++;
  account.calls += line.usage.calls;
  account.estimated_calls += line.usage.estimated ?? 0;
  account.reasoning_tokens += line.usage.reasoning ?? 0;
  account.cached_input_tokens += line.usage.cached_input ?? 0;
  if (line.time === undefined) return;
  account.time ??= { samples: 0, model_s: 0, own_s: 0, waited_s: 0, unknown_calls: 0 };
  account.time.samples++;
  account.time.model_s += line.time.model_s;
  account.time.own_s += line.time.own_s;
  account.time.waited_s += line.time.waited_s;
  account.time.unknown_calls += line.time.unknown_calls;
}

function isOvershoot(value: unknown): value is { tokens: number; cost: number } {
  if (typeof value !== "object" || value === null) return false;
  const { tokens, cost } = value as Record<string, unknown>;
  return typeof tokens === "number" && typeof cost === "number";
}

/** Number of samples that a budget stopped. */
export function stoppedCount({ stopped }: Pick<RunAccount, "stopped">): number {
  return Object.values(stopped).reduce((sum, samples) => sum + samples, 0);
}

/** `16 of 16 (cost)`, `5 of 16 (cost 3, calls 2)`; null if no budget stopped a sample. */
export function stoppedText(
  account: Pick<RunAccount, "stopped" | "results"> | null,
): string | null {
  if (account === null || stoppedCount(account) === 0) return null;
  const by = Object.entries(account.stopped);
  const which = by.map(([limit, n]) => (by.length === 1 ? limit : `${limit} ${n}`)).join(", ");
  return `${stoppedCount(account)} of ${account.results} (${which})`;
}
