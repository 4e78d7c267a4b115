import { Failure } from "../../src/core/errors.ts";
import { createRegistry } from "../../src/core/registry.ts";
import type { Plot, ReportTable } from "../../src/pages/report-data.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Results } from "../score/read-results.ts";
import type { Judge, SummaryOptions } from "./judge.ts";
import type { Judged } from "./judged-replies.ts";
import type { Judging } from "./judging.ts";

/** A summary with the run it is about, for a report. */
export type OfRun<S> = S & { run: string };

/** Everything that there is to know of one way of judging replies. */
// biome-ignore lint/suspicious/noExplicitAny: each judge has values and a summary of its own
export interface JudgeDefinition<S extends Judged = any> {
  /** What `--kind` is given. */
  name: string;
  /** One line for help. */
  summary: string;
  /** One judge for each group of benchmarks. The first that names a benchmark judges its replies. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  judges: readonly Judge<any>[];
  /** How often each reply is judged by default, if that can be chosen; absent: once. */
  runs?: number;
  summarise(results: Results, judging: Judging, options: SummaryOptions): S;
  /** The numbers of a summary as a table, its head first. */
  rows(summary: S): string[][];
  /** What a report shows of the summaries of its runs. */
  report(summaries: readonly OfRun<S>[]): { tables: ReportTable[]; plots?: Plot[] };
}

/** The kinds of judge that this process knows. */
export const judges = createRegistry<JudgeDefinition>("a kind of judge");

/**
 * Defines a kind of judge: a model that reads each reply of a run and assesses it.
 *
 * @example
 * export const tone = defineJudge({
 *   name: "tone",
 *   summary: "whether a reply is polite",
 *   judges: [politeness],
 *   summarise: summariseTone,
 *   rows: ({ polite }) => [["polite replies", String(polite)]],
 *   report: () => ({ tables: [] }),
 * });
 */
export function defineJudge<S extends Judged>(definition: JudgeDefinition<S>): JudgeDefinition<S> {
  return definition;
}

/** The judge of a kind for a benchmark's replies. Throws `Failure` `wrong-usage` if there is none. */
export function judgeFor(kind: string, { name, title }: Pick<Benchmark, "name" | "title">) {
  const kinds = judges
    .all()
    .filter((definition) => definition.judges.some((judge) => judgesRepliesTo(judge, name)));
  const judge = kinds
    .find((definition) => definition.name === kind)
    ?.judges.find((judge) => judgesRepliesTo(judge, name));
  if (judge !== undefined) return judge;
  throw new Failure(
    "wrong-usage",
    kinds.length === 0
      ? `Replies to ${title} cannot be judged: its answers are scored without a judge.`
      : `Invalid --kind ${kind} for ${title}: use ${kinds.map((definition) => definition.name).join(" or ")}.`,
    { kind, benchmark: name },
  );
}

function judgesRepliesTo({ benchmarks }: Judge<unknown>, name: string): boolean {
  return benchmarks === "any" || benchmarks.includes(name);
}
