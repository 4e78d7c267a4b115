import { join } from "node:path";
import { contextOf } from "../../graphs/ask.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { allSettledOrThrow } from "../../graphs/stage.ts";
import { segmentsOf } from "../../graphs/state.ts";
import { recogniseEvent } from "../../graphs/step-tests.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import { type Settings, settingsHash } from "../../src/core/settings.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { readEvalSettings } from "../run/eval-settings.ts";
import { goldDescriptions } from "../run/gold-descriptions.ts";
import { openCap } from "../run/paid-log.ts";
import { type PreparedRun, prepare } from "../run/prepare-run.ts";
import { runPool } from "../run/resumable-pool.ts";
import { samplesAtOnce } from "../run/samples-at-once.ts";
import { hasStepNames } from "../run/step-names.ts";
import { testClip } from "./clip-test.ts";
import { type EventLine, writeEventTest } from "./event-log.ts";
import { eventOptions } from "./sample.ts";

/*
 * The event recognition test of VCRBench (arXiv 2505.08455, figure 7) for the model of a run: which of three steps does a
 * clip show?
 */

/** Store, limits and progress of the test. */
export interface EventTestOptions {
  signal?: AbortSignal;
  store?: Store;
  createModels?: (options: ModelsOptions) => Models;
  /** The cap of the sweep that contains the run. */
  cap?: SpendingCap;
  onProgress?: (done: number, total: number) => void;
}

/** The clips of a set that can be tested: those of samples with step names and at least three names to choose from. */
export function testedClips(samples: readonly Sample[]): { sample: Sample; clip: number }[] {
  return samples
    .filter(hasStepNames)
    .flatMap((sample) =>
      (sample.steps ?? []).flatMap((_, index) =>
        eventOptions(sample, index, samples) === null ? [] : [{ sample, clip: index + 1 }],
      ),
    );
}

/**
 * Tests the model of a run, and writes the result to the run's `folder`. Replies are stored, so that calls of a stopped test
 * are not made again. `input`: settings of the run. Throws as `startRun`, and `limit-met` at the limit of the cap.
 */
export async function testEvents(
  input: unknown,
  folder: string,
  { signal, cap: within, onProgress, ...options }: EventTestOptions = {},
): Promise<EventLine[]> {
  const asked = readEvalSettings(input);
  const prepared = await prepare(asked);
  const clips = testedClips(prepared.samples);
  const store = options.store ?? (await openStore(asked.settings.runtime.data));
  const found: EventLine[] = [];
  try {
    const cap = await openCap(folder, null, 0, { within });
    const { fatal, capped, cancelled } = await runPool({
      tasks: [...Map.groupBy(clips, ({ sample }) => sample)],
      width: samplesAtOnce(asked.settings),
      signal,
      cap,
      doing: ([{ id }]) => `testing the clips of sample ${id}`,
      async run([sample, of], inner) {
        const work = { ...options, settings: asked.settings, prepared, store, cap, signal: inner };
        found.push(
          ...(await testSample(
            sample,
            of.map(({ clip }) => clip),
            work,
          )),
        );
        onProgress?.(found.length, clips.length);
      },
    });
    if (cancelled) throw new Failure("cancelled", "Interrupted in the event recognition test.");
    if (fatal !== null) throw fatal;
    if (capped)
      throw new Failure("limit-met", "The event recognition test stopped at --total-cost-limit.");
  } finally {
    if (options.store === undefined) await store.close();
  }
  const place = new Map(prepared.samples.map(({ id }, index) => [id, index]));
  const order = ({ sample, clip }: EventLine) => (place.get(sample) ?? 0) * 1000 + clip;
  found.sort((a, b) => order(a) - order(b));
  await writeEventTest(folder, found);
  return found;
}

interface TestWork {
  settings: Settings;
  prepared: PreparedRun;
  store: Store;
  cap: SpendingCap;
  signal?: AbortSignal;
  createModels?: (options: ModelsOptions) => Models;
}

async function testSample(
  sample: Sample,
  clips: readonly number[],
  { settings, prepared, store, cap, signal, createModels }: TestWork,
): Promise<EventLine[]> {
  const { benchmark, prompts, loaded, samples } = prepared;
  const run = hashOf(["event test", settingsHash(settings)]);
  const video = await openVideo(join(loaded.folder, sample.video), { store, run, signal });
  const segments = segmentsOf(await goldDescriptions(sample, video, { store, run, signal }));
  const { question: text, goal } = sample;
  const question = readQuestion(video.hash, { text, task: "order", goal });
  const { wording } = benchmark;
  const cluster = benchmark.cluster(sample);
  const opened = { video, question, prompts, store, run, signal, wording, createModels, cap };
  const context = contextOf({ ...opened, settings }, () => {});
  return allSettledOrThrow(
    clips.map(async (clip) => {
      const options = eventOptions(sample, clip - 1, samples) ?? [];
      const name = sample.steps?.[clip - 1] ?? "";
      const { right, stopped_by } = await testClip(name, options, context, (watched) =>
        recogniseEvent(clip, segments, options, watched),
      );
      const stopped = stopped_by === null ? {} : { stopped_by };
      return { sample: sample.id, clip, cluster, right, ...stopped };
    }),
  );
}
