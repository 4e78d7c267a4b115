import type { RunLine } from "../run/run-folder.ts";
import type { SampleReply } from "../score/read-results.ts";

/** Units of a budget. `frames`: all pictures sent, counted each time; `dollars`: the price without stored replies. */
export const BUDGETS = ["frames", "tokens", "dollars"] as const;
/** One of `BUDGETS`. */
export type CostUnit = (typeof BUDGETS)[number];

/** Means per question, including recognition, verification, repeated calls, and requests that were sent again. */
export interface Spending {
  /** Null if a price is not known. */
  total: Record<CostUnit, number | null>;
  /** Pictures at different times of the video. */
  distinct_frames: number;
  /**
   * The share of recognition, which questions on one video can share. Its dollars are the total in proportion to tokens.
   */
  index: Record<CostUnit, number | null>;
}

/**
 * The mean spending of a run per result without an error: a failed sample stops before its last call, so that it would make
 * the run look cheaper. Null without such results, as for response files of other tools.
 */
export function spendingOf(said: readonly SampleReply[]): Spending | null {
  const lines = said.flatMap(({ line }) => line ?? []).filter(({ error }) => error === undefined);
  if (lines.length === 0) return null;
  const each = lines.map(spendingOfLine);
  const mean = (of: (one: LineSpending) => number | null) => {
    const values = each.map(of);
    return values.some((value) => value === null)
      ? null
      : values.reduce<number>((sum, value) => sum + (value as number), 0) / values.length;
  };
  const means = (part: "total" | "index") => ({
    frames: mean((one) => one[part].frames),
    tokens: mean((one) => one[part].tokens),
    dollars: mean((one) => one[part].dollars),
  });
  return {
    total: means("total"),
    distinct_frames: mean((one) => one.distinct) ?? 0,
    index: means("index"),
  };
}

/** The mean spending per question if `questions` on each video share its recognition. */
export function spread({ total, index }: Spending, budget: CostUnit, questions: number) {
  const [all, shared] = [total[budget], index[budget]];
  return all === null || shared === null ? null : all - shared + shared / questions;
}

interface LineSpending {
  total: Record<CostUnit, number | null>;
  index: Record<CostUnit, number | null>;
  distinct: number;
}

function spendingOfLine({ usage, calls, frames_s }: RunLine): LineSpending {
  const indexing = calls.filter(({ role }) => role === "recogniser");
  const sum = (of: typeof calls, what: (call: RunLine["calls"][number]) => number) =>
    of.reduce((total, call) => total + what(call), 0);
  const again = (call: RunLine["calls"][number]) =>
    (call.retried?.input ?? 0) + (call.retried?.output ?? 0);
  const tokens = usage.input + usage.output + sum(calls, again);
  const indexTokens = sum(indexing, (call) => call.input + call.output + again(call));
  const share = tokens === 0 ? 0 : indexTokens / tokens;
  const dollars = calls.reduce<number | null>(
    (total, { retried }) =>
      total === null || retried?.cost === null ? null : total + (retried?.cost ?? 0),
    usage.cost,
  );
  return {
    total: {
      // Usage counts frames: each once in a conversation, those on a sheet, and none of a failed call.
      frames:
        usage.frames +
        sum(calls, (call) => picturesSent(call) - (isFailed(call) ? 0 : call.frames)),
      tokens,
      dollars,
    },
    index: {
      frames: sum(indexing, picturesSent),
      tokens: indexTokens,
      dollars: dollars === null ? null : dollars * share,
    },
    distinct: frames_s.length,
  };
}

/** Pictures of all requests of a call. */
function picturesSent(call: RunLine["calls"][number]): number {
  const requests = (isFailed(call) ? 0 : 1) + (call.retried?.requests ?? 0);
  return (call.pictures ?? call.frames) * requests;
}

function isFailed({ finish }: RunLine["calls"][number]): boolean {
  return finish === "failed";
}
