import { stringify } from "csv-stringify/sync";
import { spreadsheetCell } from "../../src/core/spreadsheet-cell.ts";
import type { Benchmark, ReleasedReply } from "../benchmarks/define-benchmark.ts";
import type { ScoredReply } from "../benchmarks/scored-reply.ts";
import type { ShownOption } from "../run/option-orders.ts";
import { stoppedBy } from "../run/run-account.ts";
import type { RunLine } from "../run/run-line.ts";
import { majorityVotes } from "../score/metrics.ts";

/* Formats of other tools. Pure functions from results to text. */

/** A scored sample with its reply; `reply` is null if there is none. */
export interface Result extends ScoredReply {
  reply: string | null;
  /** From 1. */
  epoch: number;
  /** Positions by which the options were shifted, default 0; `reply` has the letters that the model saw. */
  shift?: number;
  /** Any other order of its options, in a response file. */
  option_order?: readonly ShownOption[];
  /** The line of the run; missing for a response file. */
  line?: RunLine | null;
}

/** The results of one run. `run` is its name, shown in a column; missing if there is only one run. */
export interface RunResults {
  run?: string;
  results: readonly Result[];
  benchmark: Benchmark;
}

/** The reply to each sample in its first epoch, as leaderboards accept it. */
export function releasedReplies(results: readonly Result[]): ReleasedReply[] {
  return firstEpoch(results).map(({ sample, reply }) => ({ sample, reply }));
}

/**
 * lmms-eval's sample log as JSON lines, one line per question with all its epochs. `places`: id of a sample -> its place in
 * the data (`doc_id`); null if it is not known.
 */
export function toLmmsEval(
  results: readonly Result[],
  places: ReadonlyMap<string, number> | null,
): string {
  return [...Map.groupBy(results, ({ sample }) => sample.id)]
    .map(([id, epochs]) => {
      const { sample } = epochs[0] as Result;
      const replies = epochs.map(({ reply }) => reply ?? "");
      return {
        doc_id: places?.get(id) ?? null,
        doc: sample.row,
        target: [sample.answer].flat().join(", "),
        resps: [replies],
        filtered_resps: [replies[0]],
      };
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/**
 * CSV with one line per result: `group:...` columns for the breakdowns; tokens as counted by the server. A value that
 * a result does not have is an empty cell, such as the calls of a response file. With several epochs, `majority` is the voted
 * answer of the sample and `epochs_right` what pass@k is computed from. Replies are untrusted, so formulas get a `'`
 * before them (`spreadsheetCell`).
 */
export function toCsv(runs: readonly RunResults[]): string {
  const rows = runs.flatMap(({ run, results, benchmark }) => {
    const kinds = [
      ...new Set(results.flatMap(({ sample }) => Object.keys(benchmark.groups(sample)))),
    ];
    const votes = votesOf(results, benchmark);
    return results.map((result) => {
      const groups = benchmark.groups(result.sample);
      return {
        ...(run === undefined ? {} : { run }),
        ...facts(result),
        ...votes.get(result.sample.id),
        ...stepsOf(result, benchmark),
        ...signsOf(result, benchmark),
        ...Object.fromEntries(kinds.map((kind) => [`group:${kind}`, groups[kind] ?? ""])),
        reply: result.reply ?? "",
      };
    });
  });
  const columns = [...new Set(rows.flatMap(Object.keys))];
  return stringify(rows, { header: true, columns, cast: { string: spreadsheetCell } });
}

/** The same results as a JSON list. */
export function toJson(runs: readonly RunResults[]): string {
  const rows = runs.flatMap(({ run, results, benchmark }) => {
    const votes = votesOf(results, benchmark);
    return results.map((result) => ({
      ...(run === undefined ? {} : { run }),
      ...facts(result),
      ...votes.get(result.sample.id),
      ...stepsOf(result, benchmark),
      ...signsOf(result, benchmark),
      groups: benchmark.groups(result.sample),
      reply: result.reply,
    }));
  });
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** Sample id -> majority vote over the epochs; empty for a single epoch. */
function votesOf(results: readonly Result[], benchmark: Benchmark) {
  if (results.every(({ epoch }) => epoch === 1)) return new Map();
  return new Map(
    majorityVotes(results, benchmark).map(({ sample, extraction, score, right }) => [
      sample.id,
      {
        majority: shown(extraction?.answer),
        majority_right: score.value,
        epochs_right: right,
      },
    ]),
  );
}

function shown(answer: string | readonly number[] | null | undefined): string {
  return answer == null ? "" : [answer].flat().join(", ");
}

function facts({ sample, extraction, score, epoch, shift = 0, line }: Result) {
  return {
    sample: sample.id,
    epoch,
    video: sample.video,
    question: sample.question,
    right: shown(sample.answer),
    answer: shown(extraction?.answer),
    value: score.value,
    extractor: score.extractor,
    explanation: score.explanation,
    option_shift: shift,
    ...spent(line),
  };
}

/** For an order: the number of right positions and of all positions. Empty for other questions. */
function stepsOf(result: Result, { positions }: Benchmark) {
  if (positions === undefined || result.sample.task !== "order") return {};
  const met = positions(result);
  return { steps_right: met.filter(Boolean).length, steps: met.length };
}

/** 1 or 0 for each sign of the benchmark in a reply; null without a reply. */
function signsOf({ reply, ...scored }: Result, benchmark: Benchmark) {
  const signs = benchmark.replySigns?.read(reply ?? "", scored) ?? {};
  return Object.fromEntries(
    Object.entries(signs).map(([name, shown]) => [name, reply === null ? null : Number(shown)]),
  );
}

/** Status, citations and usage of the answer, as if no call had been cached. */
function spent(line: Result["line"]) {
  const support = line?.diagnostics.support;
  return {
    status: line?.status ?? null,
    cited_by: line?.cited_by ?? null,
    support: typeof support === "string" ? support : null,
    calls: line?.usage.calls ?? null,
    input_tokens: line?.usage.input ?? null,
    output_tokens: line?.usage.output ?? null,
    reasoning_tokens: line == null ? null : (line.usage.reasoning ?? 0),
    cached_input_tokens: line == null ? null : (line.usage.cached_input ?? 0),
    estimated_calls: line == null ? null : (line.usage.estimated ?? 0),
    stopped_by: line == null ? null : stoppedBy(line),
    seconds: line?.seconds ?? null,
    model_seconds: line?.time?.model_s ?? null,
    own_seconds: line?.time?.own_s ?? null,
    waited_seconds: line?.time?.waited_s ?? null,
    calls_without_duration: line?.time?.unknown_calls ?? null,
  };
}

function firstEpoch(results: readonly Result[]): Result[] {
  const first = new Map<string, Result>();
  for (const result of results) {
    const earliest = first.get(result.sample.id);
    if (earliest === undefined || result.epoch < earliest.epoch)
      first.set(result.sample.id, result);
  }
  return [...first.values()];
}
