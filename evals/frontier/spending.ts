import type { RunLine } from "../run/run-line.ts";
import { unitOf } from "../run/selection.ts";
import type { SampleReply } from "../score/read-results.ts";

/** Units of a budget. `frames`: all pictures sent, counted each time; `dollars`: the price without stored replies. */
export const BUDGETS = ["frames", "tokens", "dollars"] as const;
/** One of `BUDGETS`. */
export type CostUnit = (typeof BUDGETS)[number];

/**
 * Means per question and epoch, including recognition, verification, repeated calls, and requests that were sent again. A
 * question in pairs spends what all its pairs spend.
 */
export interface Spending {
  /** Results per question: the number of its pairs, 1 for other questions. */
  results: number;
  /** Null if a price is not known. */
  total: Record<CostUnit, number | null>;
  /** Pictures at different times of the video, over all pairs of a question. */
  distinct_frames: number;
  /**
   * The share of recognition, which questions on one video can share. Its dollars are the total in proportion to tokens.
   */
  index: Record<CostUnit, number | null>;
}

/**
 * The mean spending of a run per question whose results have no error: a failed sample stops before its last call, so that
 * it would make the run look cheaper. Questions without a result for each of their pairs are left out too. Null without such
 * questions, as for response files of other tools.
 */
export function spendingOf(said: readonly SampleReply[]): Spending | null {
  const questions = [
    ...Map.groupBy(said, ({ sample, epoch }) => `${epoch} ${unitOf(sample)}`).values(),
  ].flatMap((of) => {
    const lines = of.flatMap(({ line }) =>
      line === null || line.error !== undefined ? [] : [line],
    );
    return lines.length === 0 || lines.length < Math.max(of.length, of[0]?.sample.pairs ?? 1)
      ? []
      : [lines];
  });
  if (questions.length === 0) return null;
  const each = questions.map(spendingOfQuestion);
  const mean = (of: (one: QuestionSpending) => number | null) => {
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
    results: mean((one) => one.results) ?? 1,
    total: means("total"),
    distinct_frames: mean((one) => one.distinct) ?? 0,
    index: means("index"),
  };
}

/**
 * The mean spending per question if `questions` on each video share its recognition, and with them their pairs. 1: no result
 * shares it.
 */
export function spread(
  { total, index, results }: Spending,
  budget: CostUnit,
  questions: number,
): number | null {
  const [all, shared] = [total[budget], index[budget]];
  if (all === null || shared === null) return null;
  return questions === 1 ? all : all - shared + shared / (questions * results);
}

interface QuestionSpending extends LineSpending {
  results: number;
  distinct: number;
}

/** Adds the results of a question: one, or one for each pair. */
function spendingOfQuestion(lines: readonly RunLine[]): QuestionSpending {
  const each = lines.map(spendingOfLine);
  const sum = (part: "total" | "index", unit: CostUnit) =>
    each.reduce<number | null>((all, one) => {
      const value = one[part][unit];
      return all === null || value === null ? null : all + value;
    }, 0);
  const sums = (part: "total" | "index") => ({
    frames: sum(part, "frames"),
    tokens: sum(part, "tokens"),
    dollars: sum(part, "dollars"),
  });
  return {
    results: lines.length,
    total: sums("total"),
    index: sums("index"),
    distinct: new Set(lines.flatMap(({ frames_s }) => frames_s)).size,
  };
}

interface LineSpending {
  total: Record<CostUnit, number | null>;
  index: Record<CostUnit, number | null>;
}

function spendingOfLine({ usage, calls }: RunLine): LineSpending {
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
