import { makeAtomically } from "../../../src/core/atomic-file.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { storedSettings } from "../../../src/core/settings.ts";
import { readTranscript } from "../../run/transcript.ts";
import { extractorOf } from "../../score/extractor-choice.ts";
import type { Results, SampleReply } from "../../score/read-results.ts";
import { scoreReplies } from "../../score/score-replies.ts";
import { type LogEntry, writeLogFile } from "./log-file.ts";
import type { LogResult } from "./log-result.ts";
import { type EvalLog, type EvalSampleSummary, LOG_VERSION } from "./log-schema.ts";
import { idOf, toMessages } from "./messages.ts";
import { toEvalResults, toReductions } from "./results.ts";
import { toEvalSample, toSummary } from "./sample.ts";
import { sampleEntry } from "./sample-id.ts";
import { toEvalPlan, toEvalSpec } from "./spec.ts";
import { sumUsage } from "./usage.ts";

/** What an export needs in addition to the results. */
export interface LogOptions {
  /** With the messages and pictures of the run; null: the log has none. */
  blobs: Pick<Store["blobs"], "read"> | null;
  /** When the results of a response file were made, ISO 8601. A run has its own time. */
  created: string;
}

/** Samples of one summary in the journal. */
const JOURNAL = 100;

/**
 * Writes a run, or the results of a response file, as a log of Inspect (`.eval`), completely or not at all. The same
 * results give the same bytes. Samples are made one at a time.
 *
 * Throws `Failure`: `file-unreadable`, `disk-full`, `store-damaged` for a kept message or picture.
 */
export async function exportLog(
  results: Results,
  file: string,
  options: LogOptions,
): Promise<void> {
  await makeAtomically(file, (draft) => writeLogFile(draft, entriesOf(results, options)));
}

function entriesOf(results: Results, { blobs, created }: LogOptions): LogEntry[] {
  const begun = results.header?.created_at ?? created;
  const start = {
    version: LOG_VERSION,
    eval: toEvalSpec(results, begun),
    plan: toEvalPlan(results),
  } as const;
  const scored = scoresByExtractor(results);
  const summaries: EvalSampleSummary[] = [];
  const entries: LogEntry[] = [{ name: "_journal/start.json", make: () => start }];
  for (const [place, said] of results.said.entries()) {
    entries.push({
      name: sampleEntry(said.sample.id, said.epoch),
      async make() {
        const result = await logResult(results, place, scored, start.eval.run_id, blobs);
        const sample = toEvalSample(result);
        summaries.push(toSummary(result, sample));
        return sample;
      },
    });
    if ((place + 1) % JOURNAL === 0 || place + 1 === results.said.length) {
      const number = Math.ceil((place + 1) / JOURNAL);
      entries.push({
        name: `_journal/summaries/${number}.json`,
        make: () => summaries.slice((number - 1) * JOURNAL),
      });
    }
  }
  return [
    ...entries,
    { name: "summaries.json", make: () => summaries },
    { name: "reductions.json", make: () => toReductions(results, scored) },
    {
      name: "header.json",
      make: (): EvalLog => ({
        ...start,
        status: statusOf(results),
        results: toEvalResults(results, scored),
        stats: {
          started_at: begun,
          completed_at: endOf(summaries) ?? results.header?.updated_at ?? begun,
          model_usage: sumUsage(summaries.flatMap((one) => Object.entries(one.model_usage))),
          role_usage: sumUsage(summaries.flatMap((one) => Object.entries(one.role_usage))),
          connection_limit_history: [],
        },
        ...(results.header?.status === "failed"
          ? {
              error: {
                message: results.header.ended_by ?? "The run failed.",
                traceback: "",
                traceback_ansi: "",
              },
            }
          : {}),
        invalidated: false,
        tags: [],
        metadata: {},
      }),
    },
  ];
}

type Scores = ReadonlyMap<string, ReturnType<typeof scoreReplies>>;

/** The scores by the extractor of the results first, then by the others of the benchmark. */
function scoresByExtractor(results: Results): Scores {
  const own = extractorOf(results).name;
  const others = Object.keys(results.benchmark.extractors).filter((name) => name !== own);
  return new Map([own, ...others].map((name) => [name, scoreReplies(results, name)]));
}

async function logResult(
  results: Results,
  place: number,
  scored: Scores,
  run: string,
  blobs: LogOptions["blobs"],
): Promise<LogResult> {
  const said = results.said[place] as SampleReply;
  const seed = idOf(run, said.sample.id, said.epoch);
  const kept = said.line?.transcript;
  const transcript =
    kept === undefined || blobs === null ? null : await readTranscript(blobs, kept);
  const settings = storedSettings(results.header?.settings);
  const defaults = results.header?.defaults?.[said.sample.task] ?? {};
  return {
    said,
    scored: new Map(
      [...scored].flatMap(([name, all]) => {
        const one = all[place];
        return one === undefined ? [] : [[name, one] as const];
      }),
    ),
    groups: results.benchmark.groups(said.sample),
    transcript,
    messages: await toMessages(transcript?.messages ?? [], blobs, seed),
    limitOf(limit) {
      const value = settings?.budget[limit] ?? defaults[`budget.${limit}`];
      return typeof value === "number" ? value : null;
    },
    seed,
  };
}

function statusOf({ header }: Results): EvalLog["status"] {
  switch (header?.status) {
    case "running":
      return "started";
    case "stopped":
      return "cancelled";
    case "failed":
      return "error";
    default:
      return "success";
  }
}

function endOf(summaries: readonly EvalSampleSummary[]): string | undefined {
  return summaries
    .flatMap(({ completed_at = [] }) => completed_at)
    .reduce<string | undefined>(
      (last, one) => (last === undefined || one > last ? one : last),
      undefined,
    );
}
