import type { JobContext } from "../../src/core/job-context.ts";
import type { Task } from "../../src/core/shapes.ts";
import { type Benchmark, DEFAULT_SUBSET, subsetOf } from "../benchmarks/define-benchmark.ts";
import type { BenchmarkData, Note, Sample } from "../benchmarks/sample.ts";
import { unitOf } from "../run/selection.ts";
import { chanceAccuracy } from "../score/chance.ts";
import { type Duplicates, duplicatesIn } from "./duplicates.ts";
import { describeMedia, type MediaDescription } from "./media.ts";
import { type OptionBalance, optionBalance } from "./option-balance.ts";
import { countsOf, type Spread, spreadOf } from "./spread.ts";

/** Statistics of a set of questions. */
export interface DataDescription {
  benchmark: string;
  title: string;
  /** Null for a benchmark with one set. */
  subset: string | null;
  files: string[];
  /** SHA-256 over the data files. */
  hash: string;
  /** How the columns were read; empty where that is fixed. */
  reading: string[];
  /** What was corrected, left out or missing while loading. */
  notes: Note[];
  samples: number;
  /** Less than `samples` if a question is asked as several samples, such as pairs. */
  questions: number;
  tasks: { task: Task; samples: number; chance: number | null }[];
  /** Clips of the ordering questions; null without any. */
  clips: Spread | null;
  videos: { files: number; missing: string[]; questions_per_video: Spread | null };
  /** Characters and words of the questions and of single options. */
  lengths: Record<"question" | "option", { characters: Spread | null; words: Spread | null }>;
  options: OptionBalance | null;
  groups: { kind: string; groups: { group: string; samples: number }[] }[];
  /** Number of samples that have each field. */
  fields: Record<Field, number>;
  duplicates: Duplicates;
  /** Null if the videos were not opened. */
  media: MediaDescription | null;
}

type Field = "subtitles" | "evidence_s" | "steps" | "partial_order" | "several_answers";

/** Describes loaded data; with a job, opens the videos as well. Throws `Failure` `cancelled`. */
export async function describeData(
  benchmark: Benchmark,
  { samples, folder, files, hash, notes, reading = [] }: BenchmarkData,
  { subset, job }: { subset?: string | undefined; job?: JobContext | undefined } = {},
): Promise<DataDescription> {
  const named = subsetOf(benchmark, subset ?? benchmark.subsets?.[0].name ?? DEFAULT_SUBSET);
  const missing = samples.filter(({ hasVideo }) => !hasVideo).map(({ video }) => video);
  const units = new Map(samples.map((sample) => [unitOf(sample), sample]));
  const perVideo = countsOf([...units.values()], ({ video }) => video).map(([, count]) => count);
  const orders = samples.filter(({ task }) => task === "order");
  return {
    benchmark: benchmark.name,
    title: benchmark.title,
    subset: named?.name ?? null,
    ...{ files, hash, reading },
    notes: notes.filter(({ what }) => what !== "videos missing"),
    samples: samples.length,
    questions: units.size,
    tasks: [...Map.groupBy(samples, ({ task }) => task)].map(([task, of]) => ({
      task,
      samples: of.length,
      chance: task === "open" ? null : chanceAccuracy(of),
    })),
    clips: spreadOf(orders.map(({ answer }) => answer.length)),
    videos: {
      files: new Set(samples.map(({ video }) => video)).size,
      missing: [...new Set(missing)].sort(),
      questions_per_video: spreadOf(perVideo),
    },
    lengths: {
      question: lengthsOf(samples.map(({ question }) => question)),
      option: lengthsOf(samples.flatMap(({ options }) => options.map(({ text }) => text))),
    },
    options: optionBalance(samples),
    groups: groupsOf(benchmark, samples),
    fields: {
      subtitles: having(samples, ({ subtitles }) => subtitles !== undefined),
      evidence_s: having(samples, ({ evidence_s = [] }) => evidence_s.length > 0),
      steps: having(samples, ({ steps = [] }) => steps.length > 0),
      partial_order: having(samples, ({ partial_order }) => partial_order !== undefined),
      several_answers: having(samples, ({ accepts = [] }) => accepts.length > 0),
    },
    duplicates: duplicatesIn(samples),
    media: job === undefined ? null : await describeMedia(samples, folder, job),
  };
}

function having(samples: readonly Sample[], has: (sample: Sample) => boolean): number {
  return samples.filter(has).length;
}

function lengthsOf(texts: readonly string[]) {
  return {
    characters: spreadOf(texts.map((text) => [...text].length)),
    words: spreadOf(texts.map((text) => text.split(/\s+/u).filter((word) => word !== "").length)),
  };
}

function groupsOf(benchmark: Benchmark, samples: readonly Sample[]): DataDescription["groups"] {
  const of = samples.flatMap((sample) => Object.entries(benchmark.groups(sample)));
  return [...Map.groupBy(of, ([kind]) => kind)].map(([kind, pairs]) => ({
    kind,
    groups: countsOf(pairs, ([, group]) => group).map(([group, count]) => ({
      group,
      samples: count,
    })),
  }));
}
