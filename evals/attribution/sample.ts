import { join } from "node:path";
import { askInStore, contextOf } from "../../graphs/ask.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { allSettledOrThrow } from "../../graphs/stage.ts";
import { segmentsOf } from "../../graphs/state.ts";
import { matchStep, recogniseEvent } from "../../graphs/step-tests.ts";
import type { Prompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { makeEvidenceSet } from "../../src/core/evidence.ts";
import { hashOf } from "../../src/core/hash.ts";
import { seeded, shuffle } from "../../src/core/random.ts";
import { type Settings, settingsHash } from "../../src/core/settings.ts";
import type { Answer, Evidence, EvidenceSet, Option } from "../../src/core/shapes.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { openVideo, type Video } from "../../tools/video/video.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { orderPositions } from "../benchmarks/sound-answer.ts";
import { troubleOf } from "../run/ask-over-evidence.ts";
import { goldDescriptions } from "../run/gold-descriptions.ts";
import { type ClipTest, testClip } from "./clip-test.ts";
import type { StoppedSample } from "./stopped-samples.ts";

/** Whether all places of an order are right, and the share of places that are. */
export interface OrderScore {
  exact: number;
  step: number;
}

/** Wrong options of a question in the event recognition test. */
const DISTRACTORS = 2;

/** What all samples are studied with. */
export interface StudyWork {
  benchmark: Benchmark;
  prompts: Prompts;
  store: Store;
  /** Holds the videos. */
  folder: string;
  /** All samples of the set, for steps of the same procedure. */
  samples: readonly Sample[];
  /** The second model. */
  other?: string;
  /** The limit of dollars of the whole attribution. */
  cap?: SpendingCap;
  signal?: AbortSignal;
  createModels?: (options: ModelsOptions) => Models;
}

/** What was found of one sample. */
export interface SampleStudy {
  sample: Sample;
  cluster: string;
  /** By recogniser and reasoner: 0 the model of the settings, 1 the other. */
  orders: OrderScore[][];
  gold: OrderScore | null;
  /** The event test of each clip, by recogniser; null: the procedure has too few steps to choose from. */
  events: (ClipTest | null)[][];
  /** Whether the step of each clip can be identified from its description. */
  matched: ClipTest[];
}

/**
 * Orders a sample's recognised and gold descriptions, and runs the tests of each clip. A sample that a budget left without
 * an order is returned as stopped. Throws `Failure` for what cannot be asked, and `limit-met` at the limit of the cap.
 */
export async function study(
  sample: Sample,
  settings: Settings,
  shared: StudyWork,
): Promise<SampleStudy | StoppedSample> {
  const { benchmark, store, folder, prompts, other, cap, signal, createModels } = shared;
  const run = hashOf(["attribute", settingsHash(settings)]);
  const work = { store, run, signal };
  const video = await openVideo(join(folder, sample.video), work);
  const settingsBy = (recogniser: number, reasoner: number): Settings =>
    ({
      ...settings,
      recognition: { ...settings.recognition, ...(recogniser === 1 ? { model: other } : {}) },
      reasoning: { ...settings.reasoning, ...(reasoner === 1 ? { model: other } : {}) },
    }) as Settings;
  const roles = other === undefined ? [0] : [0, 1];
  const { question: text, goal } = sample;
  const question = readQuestion(video.hash, { text, task: "order", goal });
  const { wording } = benchmark;
  const opened = { video, question, prompts, store, run, signal, wording, createModels, cap };
  const contextBy = (using: Settings) => contextOf({ ...opened, settings: using }, () => {});
  const ask = async (using: Settings, given?: readonly Evidence[]) => {
    const asking = await askInStore({ ...opened, settings: using, given });
    const { answer, evidence } = asking;
    return { answer, evidence, score: scoreOf(answer, sample) };
  };
  const orders: OrderScore[][] = [];
  let evidence: EvidenceSet | undefined;
  let limits: Answer["limits_met"] = [];
  for (const recogniser of roles) {
    const row: OrderScore[] = [];
    for (const reasoner of roles) {
      const asking = await ask(settingsBy(recogniser, reasoner));
      if ("by" in asking.score) return asking.score;
      if (evidence === undefined) limits = asking.answer.limits_met;
      evidence ??= asking.evidence;
      row.push(asking.score);
    }
    orders.push(row);
  }
  const found: SampleStudy = {
    sample,
    cluster: benchmark.cluster(sample),
    orders,
    gold: null,
    events: [],
    matched: [],
  };
  const { steps } = sample;
  if (steps === undefined || evidence === undefined) return found;
  const gold = await goldCaptions(sample, video, evidence, shared, run);
  const { score } = await ask(settings, gold);
  if ("by" in score) return score;
  found.gold = score;
  const segments = segmentsOf(gold);
  for (const recogniser of roles) {
    const context = contextBy(settingsBy(recogniser, 0));
    found.events.push(
      await allSettledOrThrow(
        steps.map(async (name, index) => {
          const choices = eventOptions(sample, index, shared.samples);
          if (choices === null) return null;
          return testClip(name, choices, context, (watched) =>
            recogniseEvent(index + 1, segments, choices, watched),
          );
        }),
      ),
    );
  }
  const context = contextBy(settings);
  const described = new Map(
    evidence.items.flatMap((item) =>
      item.kind === "caption" && item.clip !== undefined ? [[item.clip, item.text] as const] : [],
    ),
  );
  const all = lettered(shuffle([...new Set(steps)], seeded("match", sample.id, settings.seed)));
  found.matched = await allSettledOrThrow(
    steps.map(async (name, index): Promise<ClipTest> => {
      const text = described.get(index + 1);
      // A clip without a description cannot be distinguished from the others, unless a budget left it out.
      if (text === undefined) return { right: false, stopped_by: limits[0] ?? null };
      return testClip(name, all, context, (watched) =>
        matchStep(text, sample.goal ?? "", all, watched),
      );
    }),
  );
  return found;
}

/** Without an answer there is no score: a budget stopped the sample, or it failed. */
function scoreOf(answer: Answer, sample: Sample): OrderScore | StoppedSample {
  const trouble = troubleOf(answer);
  if (trouble?.kind === "limit-met") return { sample: sample.id, by: answer.limits_met.join(", ") };
  if (trouble !== undefined) throw new Failure("model-unusable", trouble.message);
  const places = orderPositions({ sample, extraction: answer });
  return {
    exact: places.every(Boolean) ? 1 : 0,
    step: places.filter(Boolean).length / places.length,
  };
}

/** The gold descriptions, stored as a correction of the recognised ones. */
async function goldCaptions(
  sample: Sample,
  video: Video,
  recognised: EvidenceSet,
  { store, signal }: StudyWork,
  run: string,
): Promise<Evidence[]> {
  const captions = await goldDescriptions(sample, video, { store, run, signal }, recognised);
  const set = makeEvidenceSet(captions, recognised.id);
  await store.catalogue.putSet({ id: set.id, video: video.hash, json: JSON.stringify(set) });
  return set.items;
}

/** The step of a clip among two others of its procedure, the video's own before those of other videos; null if there are none. */
export function eventOptions(
  sample: Sample,
  clip: number,
  samples: readonly Sample[],
): Option[] | null {
  const right = sample.steps?.[clip] ?? "";
  const random = seeded("event options", sample.id, clip);
  const others = (names: readonly string[]) =>
    shuffle([...new Set(names)].filter((name) => name !== right).sort(), random);
  const own = others(sample.steps ?? []);
  const more = others(
    samples.flatMap(({ goal, steps }) => (goal === sample.goal ? (steps ?? []) : [])),
  ).filter((name) => !own.includes(name));
  const wrong = [...own, ...more].slice(0, DISTRACTORS);
  return wrong.length < DISTRACTORS ? null : lettered(shuffle([right, ...wrong], random));
}

function lettered(names: readonly string[]): Option[] {
  return names.map((text, index) => ({ letter: String.fromCharCode(65 + index), text }));
}
