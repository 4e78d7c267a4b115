import { namesOverEvidence } from "../../graphs/answer-question.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import type { EvidenceSet } from "../../src/core/shapes.ts";
import { type Perturbation, perturbations } from "../perturbation/define-perturbation.ts";
import { type Perturbed, perturb, type Recognised } from "../perturbation/perturb.ts";
import { storedSet } from "../run/ask-over-evidence.ts";
import type { OpenedRun } from "../run/prepare-run.ts";
import { type RunLine, readLine } from "../run/run-line.ts";

/** The errors to inject. */
export interface PropagationOptions {
  /** Names of perturbations. */
  errors: readonly string[];
  /** Shares of damaged units, 0 to 1. 0 is always measured. */
  rates: readonly number[];
  /** Default 0. */
  seed?: number;
}

/** A sample with its result in the first epoch and its recognised evidence. */
export interface Source extends Recognised {
  line: RunLine;
}

/** One perturbation over the samples that have units for it. */
export interface PlannedCurve {
  perturbation: Perturbation;
  /** Samples whose evidence has units. */
  sources: Source[];
  /** In ascending order of rate, beginning with 0; `samples` are in the order of `sources`. */
  points: { rate: number; samples: Perturbed[] }[];
}

/** Whether and how the errors can be injected into a run. */
export interface PropagationPlan {
  curves: PlannedCurve[];
  /** Samples with recognised evidence, and those without. */
  samples: number;
  left_out: number;
}

/**
 * Perturbs the evidence of a run's results in the first epoch; nothing is sent. Throws `Failure` `wrong-usage` for a
 * strategy that cannot reason over given evidence, an unknown perturbation, a rate outside 0 to 1, or a run without
 * anything to damage; `not-found` if the store does not have the evidence.
 */
export async function planPropagation(
  run: OpenedRun,
  store: Store,
  { errors, rates, seed = 0 }: PropagationOptions,
): Promise<PropagationPlan> {
  const able = namesOverEvidence();
  if (!able.includes(run.settings.strategy))
    throw new Failure(
      "wrong-usage",
      `Errors can be injected only into a strategy that reasons over recognised evidence (${able.join(", ")}); ${run.log.folder} is a run of ${run.settings.strategy}.`,
      { strategy: run.settings.strategy },
    );
  if (run.settings.recognition.replies === "verbatim" && run.benchmark.tasks.includes("order"))
    throw new Failure(
      "wrong-usage",
      `Errors can be injected only into descriptions, and ${run.log.folder} orders clips by the replies of its recogniser as they are. Run it with \`--recognition-replies by-clip\`.`,
      { folder: run.log.folder },
    );
  const wrong = rates.find((rate) => !(rate >= 0 && rate <= 1));
  if (wrong !== undefined)
    throw new Failure("wrong-usage", `Invalid rate ${wrong}: use a share from 0 to 1.`, { wrong });
  const kinds = errors.map((name) => perturbations.get(name));
  const { sources, left_out } = await sourcesOf(run, store);
  const rising = [...new Set([0, ...rates])].sort((a, b) => a - b);
  const curves = kinds.flatMap((perturbation) => {
    const found = perturb(perturbation, sources, { rates: rising, seed });
    const has = sources.map((_, place) => (found[0]?.[place]?.units ?? 0) > 0);
    const within = <T>(items: readonly T[]) => items.filter((_, place) => has[place]);
    return has.some(Boolean)
      ? [
          {
            perturbation,
            sources: within(sources),
            points: found.map((samples, place) => ({
              rate: rising[place] as number,
              samples: within(samples),
            })),
          },
        ]
      : [];
  });
  if (curves.length === 0)
    throw new Failure(
      "wrong-usage",
      `Nothing to damage in ${run.log.folder}: its evidence has no ${kinds.map(({ unit }) => unit).join(", no ")}.`,
      { folder: run.log.folder },
    );
  return { curves, samples: sources.length, left_out };
}

async function sourcesOf(
  { log, samples }: OpenedRun,
  store: Store,
): Promise<{ sources: Source[]; left_out: number }> {
  const { samples: lines } = await log.read();
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const sources: Source[] = [];
  // Questions on one video often share a set.
  const sets = new Map<string, EvidenceSet>();
  let left_out = 0;
  for (const stored of lines) {
    const line = readLine(stored, log.folder);
    const sample = byId.get(line.sample);
    if (sample === undefined || line.epoch !== 1) continue;
    if (line.set === null || line.error !== undefined) left_out++;
    else {
      const set = sets.get(line.set) ?? (await storedSet(line, store));
      sets.set(line.set, set);
      const duration_s =
        line.trail?.duration_s ?? Math.max(0, ...set.items.map(({ end_s }) => end_s));
      sources.push({ sample, line, set, duration_s });
    }
  }
  return { sources, left_out };
}
