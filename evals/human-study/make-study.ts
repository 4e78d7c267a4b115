import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import { benchmarkNamed } from "../benchmarks/define-benchmark.ts";
import type { EvalSettings } from "../run/eval-settings.ts";
import { refuseAllMissing, selectSamples, unitOf } from "../run/selection.ts";
import { assignRaters } from "./assign.ts";
import { type StudyPlan, writeStudy } from "./study-folder.ts";
import { countQuestions, shareOf } from "./study-questions.ts";

/** Who answers, and how often each question is answered. */
export interface StudyOptions {
  /** Names of the raters. */
  raters: readonly string[];
  /** People who answer each question. */
  per_item: number;
  seed: number;
}

/** A study that was made. `samples` counts each pair of a question that is asked as pairs. */
export interface MadeStudy {
  plan: StudyPlan;
  questions: number;
  samples: number;
  raters: { rater: string; questions: number; samples: number }[];
}

/**
 * Makes a study from the selected questions of a benchmark and writes it to `folder`. Throws `Failure`: `wrong-usage` (a
 * name twice, a folder with a study), `not-found`, `data-malformed`.
 */
export async function makeStudy(
  asked: Pick<
    EvalSettings,
    | ("benchmark" | "data" | "subset" | "load" | "limit" | "sample_id")
    | ("sample_shuffle" | "skip_missing" | "scorers")
  >,
  folder: string,
  { raters, per_item, seed }: StudyOptions,
): Promise<MadeStudy> {
  const twice = raters.find((name, place) => raters.indexOf(name) !== place);
  if (twice !== undefined)
    throw new Failure(
      "wrong-usage",
      `Invalid --rater-names: ${JSON.stringify(twice)} is there twice. Use a different name for each person.`,
    );
  const loaded = await benchmarkNamed(asked.benchmark).load(asked.data, {
    config: asked.subset,
    settings: asked.load,
  });
  if (loaded.packed !== null)
    throw new Failure("not-found", loaded.packed, { folder: loaded.folder });
  const { samples } = selectSamples(loaded.samples, asked, loaded.folder);
  refuseAllMissing(samples, loaded.folder);
  const plan = {
    format: 1,
    study: randomUUID(),
    created_at: new Date().toISOString(),
    benchmark: asked.benchmark,
    data: {
      ...{ folder: loaded.folder, path: resolve(asked.data), files: loaded.files },
      ...{ hash: loaded.hash, subset: asked.subset },
      ...(Object.keys(asked.load).length === 0 ? {} : { load: asked.load }),
      ...{ samples: loaded.samples.length, notes: loaded.notes },
    },
    scorers: asked.scorers,
    ...{ seed, raters: [...raters], per_item },
    assignments: assignRaters(
      samples.map((sample) => ({
        question: unitOf(sample),
        options: sample.task === "choice" ? sample.options.length : 0,
      })),
      { raters: raters.length, per_item, seed },
    ),
  };
  await writeStudy(resolve(folder), plan, samples);
  return {
    plan,
    ...{ questions: countQuestions(samples), samples: samples.length },
    raters: plan.raters.map((rater, place) => ({
      rater,
      ...shareOf(place, plan.assignments, samples),
    })),
  };
}
