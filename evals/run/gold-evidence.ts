import { basename, dirname, join } from "node:path";
import { KINDS_OF_STAGE, stagesRead } from "../../graphs/evidence-stages.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { makeEvidence, makeEvidenceSet } from "../../src/core/evidence.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { Evidence, EvidenceKind, EvidenceSet } from "../../src/core/shapes.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import type { Video } from "../../tools/video/video.ts";
import { overlapsSpan } from "../benchmarks/evidence-spans.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { recognisedItems } from "../perturbation/perturb.ts";
import { storedSet } from "./ask-over-evidence.ts";
import type { GoldArm } from "./gold-arm.ts";
import { goldDescriptions } from "./gold-descriptions.ts";
import { type GoldItem, readGold, type SampleGold } from "./gold-file.ts";
import { type RunLine, readLine } from "./run-line.ts";

/* What an arm of an attribution is given: the evidence of another run, with gold in place of some stages. */

/** Evidence to reason over; with `showsAll` there is no search in it. */
export interface GivenEvidence {
  given: Evidence[];
  showsAll: boolean;
}

/** The evidence of a sample in an epoch. Throws `Failure` `not-found` if its recognition failed. */
export type EvidenceOf = (sample: Sample, epoch: number, video: Video) => Promise<GivenEvidence>;

/**
 * Reads what an arm in `folder` is given; undefined for a run that recognises. Throws `Failure` `not-found`,
 * `data-malformed`.
 */
export async function openArm(
  folder: string,
  arm: GoldArm | undefined,
  work: { store: Store; settings: Settings; run: string; signal?: AbortSignal },
): Promise<EvidenceOf | undefined> {
  if (arm === undefined || arm.over === null) return undefined;
  const root = dirname(folder);
  const gold = await readGold(root);
  if (gold === null)
    throw new Failure(
      "not-found",
      `Cannot continue ${folder}: gold.json is missing in ${root}. Keep the folder of an attribution together.`,
      { folder },
    );
  const base = await linesOf(join(root, arm.over));
  const oracle = arm.oracle === null ? null : await linesOf(join(root, arm.oracle));
  const { store, settings } = work;
  return async (sample, epoch, video) => {
    const recognised = await setOf(base, sample, epoch, store);
    const read = stagesRead(settings, sample.task);
    const stages = arm.stages.filter((stage) => read.includes(stage));
    const own = gold.samples[sample.id] ?? {};
    const kinds = stages.flatMap((stage): readonly EvidenceKind[] =>
      stage === "search" ? [] : KINDS_OF_STAGE[stage],
    );
    const items = recognisedItems(recognised).filter(({ kind }) => !kinds.includes(kind));
    for (const stage of stages) {
      if (stage === "search") continue;
      const by = own[stage];
      if (by === undefined) throw noGold(sample, stage);
      if (by === "step names")
        items.push(...(await goldDescriptions(sample, video, work, recognised)));
      else if (by === "oracle")
        items.push(...oracleItems(await setOf(oracle ?? base, sample, epoch, store), stage));
      else items.push(...by.items.map((item) => goldEvidence(item, stage, by.by, video)));
    }
    const showsAll = stages.includes("search");
    if (showsAll && own.search === undefined) throw noGold(sample, "search");
    const shown = showsAll
      ? items.filter((item) => overlapsSpan(item, own.search?.spans ?? []))
      : items;
    const set = makeEvidenceSet(shown, recognised.id);
    if (stages.length > 0)
      await store.catalogue.putSet({ id: set.id, video: video.hash, json: JSON.stringify(set) });
    return { given: set.items, showsAll };
  };
}

function noGold({ id }: Sample, stage: keyof SampleGold): Failure {
  return new Failure("not-found", `gold.json has no ${stage} for sample ${id}.`, { sample: id });
}

function goldEvidence(
  { start_s, end_s, text, clip }: GoldItem,
  stage: keyof typeof KINDS_OF_STAGE,
  name: string,
  { hash }: Video,
): Evidence {
  return makeEvidence({
    video: hash,
    kind: KINDS_OF_STAGE[stage][0] as EvidenceKind,
    start_s,
    end_s,
    text,
    ...(clip === undefined ? {} : { clip }),
    by: { who: "gold", name },
    confidence: null,
    from: [],
  });
}

function oracleItems(set: EvidenceSet, stage: keyof typeof KINDS_OF_STAGE): Evidence[] {
  return set.items.filter(({ kind }) => KINDS_OF_STAGE[stage].includes(kind));
}

interface Lines {
  run: string;
  of: Map<string, RunLine>;
}

async function linesOf(folder: string): Promise<Lines> {
  const { samples } = await openRunLog(folder).read();
  const lines = samples.map((line) => readLine(line, folder));
  return {
    run: basename(folder),
    of: new Map(lines.map((line) => [`${line.epoch} ${line.sample}`, line])),
  };
}

async function setOf(
  { run, of }: Lines,
  { id }: Sample,
  epoch: number,
  store: Store,
): Promise<EvidenceSet> {
  const line = of.get(`${epoch} ${id}`);
  if (line !== undefined && line.set !== null && line.error === undefined)
    return storedSet(line, store);
  throw new Failure(
    "not-found",
    `Sample ${id} has no recognised evidence in ${run}${line?.error === undefined ? "" : `: ${line.error.message}`}`,
    { sample: id, run },
  );
}
