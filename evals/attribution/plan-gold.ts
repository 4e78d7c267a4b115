import { basename } from "node:path";
import { namesOverEvidence } from "../../graphs/answer-question.ts";
import {
  answersFromEvidence,
  EVIDENCE_STAGES,
  type EvidenceStage,
  stagesRead,
} from "../../graphs/evidence-stages.ts";
import { Failure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { resolveSettings, type Settings } from "../../src/core/settings.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { createTally, type Tally } from "../benchmarks/tally.ts";
import type { GoldFile, SampleGold } from "../run/gold-file.ts";
import type { PreparedRun } from "../run/prepare-run.ts";
import { goldOfData, goldOfSidecar, readSidecars } from "./collect-gold.ts";
import type { Sidecar } from "./sidecar.ts";

/** Where gold comes from, in addition to the data. */
export interface GoldSources {
  /** Folder of sidecars. */
  sidecars?: string;
  /** A stronger `provider:model`, whose recognition counts as gold for captions and text without other gold. */
  oracle?: string;
  /** The stages to make right. Default: those that the strategy reads and that have gold. */
  stages?: readonly EvidenceStage[];
}

/** The gold of an attribution, and the samples that have it for each stage that their question reads. */
export interface GoldPlan extends Omit<GoldFile, "format"> {
  usable: Sample[];
}

/**
 * Collects the gold of the samples: sidecars before the data's own, and a stronger model for what is left. The data's own
 * gold are the step names of shuffled clips, evidence spans and subtitles; steps of a solution state the answer and are
 * never gold. Throws `Failure` `wrong-usage` for a strategy that reasons over no evidence, a stage that it does not read,
 * or data without gold; and as `findSidecars` and `readSidecar`.
 */
export async function planGold(
  { benchmark, loaded, samples }: Pick<PreparedRun, "benchmark" | "loaded" | "samples">,
  settings: Settings,
  { sidecars, oracle, stages: asked }: GoldSources,
  job: JobContext,
): Promise<GoldPlan> {
  const readBy = new Map(samples.map((one) => [one.id, stagesRead(settings, one.task)]));
  const read = EVIDENCE_STAGES.filter((stage) =>
    samples.some((one) => readBy.get(one.id)?.includes(stage)),
  );
  refuseUnread(settings, samples, read, asked);
  const tally = createTally();
  const files =
    sidecars === undefined
      ? new Map<string, Sidecar>()
      : await readSidecars(sidecars, { loaded, samples }, job, tally);
  noteUnread(settings, read, files, tally);
  const cues = new Map<string, Promise<SampleGold["speech"]>>();
  const gold = new Map<string, SampleGold>();
  for (const sample of samples) {
    const own = goldOfSidecar(files.get(sample.video), sample);
    const data = await goldOfData(sample, loaded.folder, cues, tally);
    const rest = oracle === undefined ? {} : ({ captions: "oracle", text: "oracle" } as const);
    gold.set(sample.id, { ...rest, ...data, ...own });
  }
  const having = (stage: EvidenceStage) =>
    samples.filter(
      ({ id }) => readBy.get(id)?.includes(stage) && gold.get(id)?.[stage] !== undefined,
    );
  const stages = EVIDENCE_STAGES.filter((stage) =>
    asked === undefined ? read.includes(stage) && having(stage).length > 0 : asked.includes(stage),
  );
  if (stages.length === 0 || stages.every((stage) => having(stage).length === 0))
    throw noGold(benchmark.title, samples, asked ?? read, { sidecars, oracle });
  const needs = ({ id }: Sample) =>
    stages.filter((stage) => readBy.get(id)?.includes(stage) === true);
  const lacks = (sample: Sample) =>
    needs(sample).filter((stage) => gold.get(sample.id)?.[stage] === undefined);
  const usable = samples.filter((one) => needs(one).length > 0 && lacks(one).length === 0);
  if (usable.length === 0)
    throw new Failure(
      "wrong-usage",
      `No sample has gold for all of ${stages.join(", ")}: ${stages.map((stage) => `${stage} ${having(stage).length}`).join(", ")} of ${samples.length} samples. Name fewer stages with --stages, or add gold.`,
      { stages },
    );
  const used = usable.map((sample) => {
    const all = gold.get(sample.id) ?? {};
    return [
      sample.id,
      Object.fromEntries(needs(sample).map((stage) => [stage, all[stage]])) as SampleGold,
    ] as const;
  });
  const isOracle = used.some(([, one]) => one.captions === "oracle" || one.text === "oracle");
  noteSameSubtitles(settings, usable, stages, files, tally);
  if (!answersFromEvidence(settings))
    for (const { id } of usable)
      tally.add(`samples that every run answers over what ${settings.strategy} recognised`, id);
  return {
    stages,
    oracle: isOracle ? (oracle ?? null) : null,
    samples: Object.fromEntries(used),
    without_gold: samples
      .filter((sample) => !usable.includes(sample))
      .map((sample) => ({ sample: sample.id, lacks: lacks(sample) })),
    notes: tally.notes(),
    usable,
  };
}

function refuseUnread(
  settings: Settings,
  samples: readonly Sample[],
  read: readonly EvidenceStage[],
  asked: readonly EvidenceStage[] | undefined,
): void {
  const { strategy } = settings;
  const tasks = [...new Set(samples.map(({ task }) => task))].join(" and ");
  if (read.length === 0)
    throw new Failure(
      "wrong-usage",
      `Cannot attribute errors of ${strategy} on ${tasks} questions: it does not reason over recognised evidence. Choose one of ${namesOverEvidence().join(", ")} with --strategy.`,
      { strategy },
    );
  const unread = asked?.find((stage) => !read.includes(stage));
  if (unread !== undefined)
    throw new Failure(
      "wrong-usage",
      `Invalid --stages ${unread}: with these settings ${strategy} does not read ${unread} for ${tasks} questions. It reads ${read.join(", ")}.`,
      { strategy, unread, read },
    );
}

function noGold(
  title: string,
  samples: readonly Sample[],
  stages: readonly EvidenceStage[],
  { sidecars, oracle }: GoldSources,
): Failure {
  const what = stages.map((stage) => OWN_GOLD[stage]).join(", no ");
  const why =
    sidecars === undefined
      ? `the data of ${title} have no ${what} for the ${samples.length} selected samples`
      : `neither the sidecars in ${sidecars} nor the data of ${title} have ${stages.join(", ")} for the ${samples.length} selected samples`;
  const model =
    oracle === undefined
      ? ", or name a stronger model for captions and text with --oracle-model provider:name"
      : "";
  return new Failure(
    "wrong-usage",
    `No gold to attribute errors with: ${why}. Give sidecars with --gold FOLDER (docs/file-formats.md describes them)${model}.`,
    { samples: samples.length, stages },
  );
}

/** What the data themselves may have for a stage. */
const OWN_GOLD: Readonly<Record<EvidenceStage, string>> = {
  captions: "step names",
  text: "text on screen",
  speech: "subtitles",
  search: "evidence spans",
};

/** Says which gold is of no use with these settings. */
function noteUnread(
  { strategy }: Settings,
  read: readonly EvidenceStage[],
  files: ReadonlyMap<string, Sidecar>,
  tally: Tally,
): void {
  for (const stage of ["captions", "text", "speech"] as const) {
    if (read.includes(stage)) continue;
    for (const sidecar of files.values())
      if (sidecar[stage] !== undefined)
        tally.add(
          `sidecars with ${stage}, which ${strategy} does not read with these settings`,
          basename(sidecar.path),
        );
  }
}

/** Says where gold cannot make a difference: speech is read from the same subtitles without it. */
function noteSameSubtitles(
  settings: Settings,
  usable: readonly Sample[],
  stages: readonly EvidenceStage[],
  files: ReadonlyMap<string, Sidecar>,
  tally: Tally,
): void {
  if (!stages.includes("speech")) return;
  for (const { id, task, video, subtitles } of usable) {
    const { subtitles: mode } = resolveSettings(settings, task).recognition;
    if (subtitles === undefined || files.get(video)?.speech !== undefined || mode === "aligned")
      continue;
    tally.add("samples whose gold speech are the subtitles that the strategy reads anyway", id);
  }
}
