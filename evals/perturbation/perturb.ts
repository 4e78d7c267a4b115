import { makeEvidenceSet } from "../../src/core/evidence.ts";
import { seeded } from "../../src/core/random.ts";
import type { Evidence, EvidenceSet } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { Perturbation, PerturbationContext } from "./define-perturbation.ts";

/** The recognised evidence of one sample. */
export interface Recognised {
  sample: Sample;
  set: EvidenceSet;
  /** Length of the video, seconds. */
  duration_s: number;
}

/** The evidence of one sample at one rate. */
export interface Perturbed {
  sample: Sample;
  /** A new set whose `base` is the recognised one; the recognised set itself if nothing is damaged. */
  set: EvidenceSet;
  /** Units of the sample, and how many of them are damaged. */
  units: number;
  damaged: number;
}

/** Number of other videos from which a perturbation takes texts: the next ones in the run. */
const MOST_OTHERS = 30;

/** Kinds that reasoning creates again from other evidence. */
const REASONED: ReadonlySet<Evidence["kind"]> = new Set(["comparison", "calculation"]);

/** The items of a set that recognition created, in the order of the set. */
export function recognisedItems({ items }: EvidenceSet): Evidence[] {
  return items.filter(({ kind }) => !REASONED.has(kind));
}

/**
 * Injects errors into the evidence of all samples. `rates` are from 0 to 1: the share of all units of all samples
 * that is damaged, rounded to units. A unit damaged at a rate is damaged in the same way at every higher rate.
 *
 * @returns the samples at each rate, both in the order given
 * @example
 * const [clean, half] = perturb(garbleText, recognised, { rates: [0, 0.5], seed: 0 });
 */
export function perturb(
  perturbation: Perturbation,
  recognised: readonly Recognised[],
  { rates, seed }: { rates: readonly number[]; seed: number },
): Perturbed[][] {
  const prepared = withContexts(perturbation, recognised, seed);
  const ranks = prepared.map(({ units, context }) => {
    const draw = context.random("rank");
    return Float64Array.from({ length: units }, draw);
  });
  const sorted = Float64Array.from(ranks.flatMap((of) => [...of])).sort();
  return rates.map((rate) => {
    const wanted = Math.round(rate * sorted.length);
    const limit = wanted === 0 ? Number.NEGATIVE_INFINITY : (sorted[wanted - 1] as number);
    return prepared.map(({ sample, set, items, units, context }, place): Perturbed => {
      const own = ranks[place] as Float64Array;
      const damaged = own.filter((rank) => rank <= limit).length;
      if (damaged === 0) return { sample, set, units, damaged };
      const changed = perturbation.apply(items, (unit) => (own[unit] as number) <= limit, context);
      return { sample, set: makeEvidenceSet(changed, set.id), units, damaged };
    });
  });
}

function withContexts(perturbation: Perturbation, recognised: readonly Recognised[], seed: number) {
  const byVideo = new Map(
    recognised.map(({ sample, set }) => [sample.video, recognisedItems(set)] as const),
  );
  const videos = [...byVideo.keys()];
  const othersOf = new Map(
    videos.map((video, place) => [
      video,
      [...videos.slice(place + 1), ...videos.slice(0, place)]
        .slice(0, MOST_OTHERS)
        .flatMap((other) => byVideo.get(other) ?? []),
    ]),
  );
  return recognised.map(({ sample, set, duration_s }) => {
    const items = recognisedItems(set);
    const context: PerturbationContext = {
      sample,
      duration_s,
      others: othersOf.get(sample.video) ?? [],
      random: (...keys) => seeded("perturb", seed, perturbation.name, sample.id, ...keys),
    };
    return { sample, set, items, context, units: perturbation.count(items, context) };
  });
}
