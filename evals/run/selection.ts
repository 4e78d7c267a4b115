import { Failure } from "../../src/core/errors.ts";
import { seeded, shuffle } from "../../src/core/random.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { questionOfPair } from "../benchmarks/whole-questions.ts";

/** Selects the samples of a run. Applied in this order: left out, ids, shuffling, limit, missing videos. */
export interface Selection {
  /** Positions from 1, both inclusive; null for all. */
  limit: { from: number; to: number } | null;
  /** Empty for all. The id of a question selects all of its pairs. */
  sample_id: readonly string[];
  /** Seed of the order; null for the order of the data. */
  sample_shuffle: number | null;
  skip_missing: boolean;
  /** Ids of samples that are not asked, because a file of marks marks them; missing: none. */
  left_out?: readonly string[] | undefined;
}

/** Parses a limit: `10` is the first ten, `10-20` the tenth to the twentieth. Throws `Failure` `wrong-setting`. */
export function readLimit(given: number | string): { from: number; to: number } {
  const [, first = "", last] = /^(\d+)(?:-(\d+))?$/.exec(String(given).trim()) ?? [];
  const from = last === undefined ? 1 : Number(first);
  const to = Number(last ?? first);
  if (first !== "" && from >= 1 && to >= from) return { from, to };
  throw new Failure(
    "wrong-setting",
    `Invalid --limit ${JSON.stringify(given)}: use a whole number from 1, or a range such as 10-20.`,
    { given },
  );
}

/**
 * The selected samples, and those left out because their video is missing. Pairs of one question stay together and count
 * as one for a limit. Throws `Failure` `wrong-setting` for an id that is not in the data or a limit beyond them,
 * `data-malformed` for data without a question, and `not-found` if the videos of all selected samples are missing in `folder` and would be left out.
 */
export function selectSamples(
  samples: readonly Sample[],
  { limit, sample_id, sample_shuffle, skip_missing, left_out = [] }: Selection,
  folder: string,
): { samples: Sample[]; skipped: Sample[] } {
  const out = new Set(left_out);
  const offered = samples.filter(({ id }) => !out.has(id));
  const units = [...Map.groupBy(offered, unitOf)];
  const named = sample_id.length === 0 ? units : byName(units, sample_id);
  const ordered =
    sample_shuffle === null ? named : shuffle(named, seeded("sample-shuffle", sample_shuffle));
  const limited = limit === null ? ordered : ordered.slice(limit.from - 1, limit.to);
  const chosen = limited.flatMap(([, members]) => members);
  const left = skip_missing ? chosen.filter((sample) => sample.hasVideo) : chosen;
  const skipped = skip_missing ? chosen.filter((sample) => !sample.hasVideo) : [];
  if (left.length > 0) return { samples: left, skipped };
  if (chosen.length > 0) throw allMissing(chosen, folder);
  if (limit === null) throw noQuestion(samples.length);
  throw new Failure(
    "wrong-setting",
    `Invalid --limit ${limit.from}-${limit.to}: the data have ${ordered.length} questions.`,
    { limit, samples: ordered.length, skipped: skipped.length },
  );
}

function noQuestion(read: number): Failure {
  return new Failure(
    "data-malformed",
    read === 0
      ? "The data have no question that can be asked: `describe` names the rows that were left out, and why."
      : `Marks leave out all ${read} questions of the data.`,
    { samples: read },
  );
}

/** Throws `Failure` `not-found` if no sample has its video in `folder`: each of them would fail with the same error. */
export function refuseAllMissing(samples: readonly Sample[], folder: string): void {
  if (!samples.some(({ hasVideo }) => hasVideo)) throw allMissing(samples, folder);
}

function allMissing(samples: readonly Sample[], folder: string): Failure {
  const videos = [...new Set(samples.map(({ video }) => video))];
  return new Failure(
    "not-found",
    `Cannot find a video of any of the ${samples.length} selected samples, such as ${videos[0]} in ${folder}: put the videos there, or give their folder with --data or --videos.`,
    { folder, samples: samples.length, videos: videos.slice(0, 10) },
  );
}

/** Id of the question that a sample belongs to: its own id, or for pairs with ids `<question>/<pair>` that of the question. */
export function unitOf({ id, options, pairs, row }: Sample): string {
  if (options.length !== 2) return id;
  const question = questionOfPair(id);
  return pairs !== undefined || String(row.question_id) === question ? question : id;
}

type Unit = [string, Sample[]];

function byName(units: readonly Unit[], names: readonly string[]): Unit[] {
  const known = new Map<string, Unit>();
  for (const [name, members] of units) {
    known.set(name, [name, members]);
    for (const sample of members)
      if (sample.id !== name) known.set(sample.id, [sample.id, [sample]]);
  }
  return [...new Set(names)].map((name) => {
    const unit = known.get(name);
    if (unit !== undefined) return unit;
    throw new Failure(
      "wrong-setting",
      `Invalid --sample-id ${JSON.stringify(name)}: use ids of the data, such as ${units
        .slice(0, 3)
        .map(([id]) => id)
        .join(", ")}.`,
      { name },
    );
  });
}
