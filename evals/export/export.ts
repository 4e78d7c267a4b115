import { stringify } from "csv-stringify/sync";
import type { Benchmark, ReleasedReply } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { ScoredReply } from "../benchmarks/scored-reply.ts";
import { stoppedBy } from "../run/run-account.ts";
import type { RunLine } from "../run/run-folder.ts";
import { majorityVotes } from "../score/metrics.ts";

/* A run in the formats of others. Pure: results in, text out. */

/** A scored sample with what was said; `reply` null where none came. */
export interface Result extends ScoredReply {
  reply: string | null;
  /** From 1. */
  epoch: number;
  /** By how many places the options were shifted; `reply` has the letters that the model saw. Missing: by none. */
  shift?: number;
  /** The line of the run; missing for the files of others. */
  line?: RunLine | null;
}

/** The results of one run; `run` is its name, a column of its own, and missing where there is only one. */
export interface RunResults {
  run?: string;
  results: readonly Result[];
  benchmark: Benchmark;
}

/** What a leaderboard takes: the reply to each sample in its first epoch. */
export function releasedReplies(results: readonly Result[]): ReleasedReply[] {
  return firstEpoch(results).map(({ sample, reply }) => ({ sample, reply }));
}

/** lmms-eval's sample log, JSON lines; the epochs of a question stand in one line. `samples` gives the places (`doc_id`). */
export function toLmmsEval(results: readonly Result[], samples: readonly Sample[]): string {
  const places = new Map(samples.map((sample, place) => [sample.id, place]));
  return [...Map.groupBy(results, ({ sample }) => sample.id)]
    .map(([id, epochs]) => {
      const { sample } = epochs[0] as Result;
      const replies = epochs.map(({ reply }) => reply ?? "");
      return {
        doc_id: places.get(id) ?? null,
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
 * One line a result, for a spreadsheet: `group:...` columns for the breakdowns; tokens as the server counted them. What
 * a result does not have (a response file has no calls) is an empty cell. With several epochs, `majority` is the voted
 * answer of the sample and `epochs_right` what pass@k is computed from. A cell that a spreadsheet would take
 * for a formula gets a `'` before it, for replies are untrusted.
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
  return stringify(rows, { header: true, columns, escape_formulas: true });
}

/** The same as a JSON list. */
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

/** Sample -> its vote over the epochs; empty for a single epoch. */
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

/** Of an order: the positions that are right, and all of them. Empty for choices. */
function stepsOf(result: Result, { positions }: Benchmark) {
  if (positions === undefined) return {};
  const met = positions(result);
  return { steps_right: met.filter(Boolean).length, steps: met.length };
}

/** 1 or 0 for each sign that the benchmark looks for in a reply; null where no reply came. */
function signsOf({ reply, ...scored }: Result, benchmark: Benchmark) {
  const signs = benchmark.replySigns?.read(reply ?? "", scored) ?? {};
  return Object.fromEntries(
    Object.entries(signs).map(([name, shown]) => [name, reply === null ? null : Number(shown)]),
  );
}

/** How the answer came about and what it took, as if no call had been cached. */
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
    const kept = first.get(result.sample.id);
    if (kept === undefined || result.epoch < kept.epoch) first.set(result.sample.id, result);
  }
  return [...first.values()];
}
