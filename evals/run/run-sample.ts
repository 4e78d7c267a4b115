import { join } from "node:path";
import { type AskResult, askInStore } from "../../graphs/ask.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import type { Prompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { endsRun, Failure, isFailure, oneLine } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import type { CallBatches, ModelsOptions } from "../../src/models/models.ts";
import type { Video } from "../../tools/video/video.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { ExtractorOptions } from "../benchmarks/scored-reply.ts";
import { answerWithoutVideo } from "./answer-without-video.ts";
import { trailOf } from "./evidence-trail.ts";
import { goldDescriptions } from "./gold-descriptions.ts";
import type { EvidenceOf } from "./gold-evidence.ts";
import { shifted } from "./option-orders.ts";
import type { Task } from "./remaining-tasks.ts";
import type { EvalHeader } from "./run-header.ts";
import type { RunLine } from "./run-line.ts";
import { resultOf, resultOfError, rounded } from "./sample-result.ts";
import { timeSpent } from "./time-spent.ts";
import { recordTranscript, type TranscriptRecorder } from "./transcript.ts";

/** What all samples of a run share. */
export interface SampleContext {
  benchmark: Benchmark;
  /** What the extractors of the run are given. */
  extractorOptions: ExtractorOptions;
  /** Folder of videos and subtitles. */
  folder: string;
  settings: Settings;
  descriptions: EvalHeader["descriptions"];
  /** The evidence that is given instead of recognition; missing for a run that recognises. */
  evidenceOf?: EvidenceOf;
  /** From the run's header. */
  defaults: EvalHeader["defaults"];
  prompts: Prompts;
  store: Store;
  /** Id of the run, which payments are recorded under. */
  run: string;
  signal: AbortSignal;
  openVideo(path: string): Promise<Video>;
  createModels?: (options: ModelsOptions) => Models;
  /** Id of the stored events; default: that of the question. */
  events?: string;
  /** Whether the messages of the model calls are stored. Default: false. */
  keepsRequests?: boolean;
  /** Limit of the run's payments. */
  cap?: SpendingCap;
  /** Sends the model calls in batches. */
  batches?: CallBatches;
  /** Called for each stage that the sample enters or leaves. */
  onStage?: (stage: string, state: "start" | "end") => void;
  /** How far such a stage is. */
  onStep?: (stage: string, step: { done: number; total: number | null; unit: string }) => void;
}

/**
 * Asks one sample and scores the reply with every extractor of the benchmark. A failure of only this sample becomes
 * a line with an `error`; a `Failure` that affects the whole run is thrown.
 * An attempt after an error has its own run id in the memo, because the memo of the first attempt contains the error.
 */
export async function runSample(task: Task, work: SampleContext): Promise<RunLine> {
  const { sample } = task;
  const began = { at: new Date().toISOString(), ms: performance.now() };
  const base = taskFacts(task);
  const ended = () => ({
    started_at: began.at,
    seconds: rounded((performance.now() - began.ms) / 1000),
  });
  const transcript = work.keepsRequests ? recordTranscript() : undefined;
  const kept = async () => {
    const hash = await transcript?.store(work.store.blobs);
    return hash === undefined ? {} : { transcript: hash };
  };
  try {
    const { asking, duration_s } = await askSample(task, work, transcript);
    const time = timeSpent(
      asking.events,
      Date.parse(began.at),
      Date.parse(began.at) + performance.now() - began.ms,
    );
    const trail = duration_s === null ? {} : { trail: trailOf(asking, duration_s) };
    const result = { ...resultOf(asking, task, work), ...(await kept()) };
    return { ...base, ...result, ...trail, ...ended(), time };
  } catch (error) {
    const failed = errorOfSample(error, work.signal);
    return {
      ...base,
      ...resultOfError(sample, failed, work.benchmark),
      ...(await kept()),
      ...ended(),
    };
  }
}

/** The line of a sample that was not asked, with the error that says why. */
export function failedLine(
  task: Task,
  error: NonNullable<RunLine["error"]>,
  benchmark: Benchmark,
): RunLine {
  const started_at = new Date().toISOString();
  return {
    ...taskFacts(task),
    ...resultOfError(task.sample, error, benchmark),
    started_at,
    seconds: 0,
  };
}

function taskFacts({ sample, epoch, attempt, shift }: Task) {
  return {
    sample: sample.id,
    epoch,
    ...(shift === 0 ? {} : { shift }),
    attempt,
    video: sample.video,
  };
}

/** The error of a single sample. Throws errors that affect or end the run. */
export function errorOfSample(error: unknown, signal: AbortSignal): NonNullable<RunLine["error"]> {
  if (signal.aborted || endsRun(error)) throw error;
  return isFailure(error)
    ? { kind: error.kind, message: error.message }
    : { kind: "unexpected", message: `Internal error: ${oneLine(String(error))}` };
}

async function askSample(
  { sample, epoch, attempt, round, shift }: Task,
  {
    folder,
    openVideo,
    descriptions,
    evidenceOf,
    defaults,
    onStage,
    onStep,
    ...work
  }: SampleContext,
  transcript?: TranscriptRecorder,
): Promise<{ asking: AskResult; duration_s: number | null }> {
  const { strategy, seed } = work.settings;
  const { withoutVideo, opensVideo } = strategies.get(strategy);
  if (withoutVideo !== undefined) {
    const drawn = { seed, epoch: round };
    const asking = answerWithoutVideo(shifted(sample, shift), withoutVideo, drawn);
    return { asking, duration_s: null };
  }
  if (!sample.hasVideo)
    throw new Failure(
      "not-found",
      `Cannot find the video ${sample.video} of sample ${sample.id} in ${folder}: add it, or use --skip-missing.`,
      { sample: sample.id, video: sample.video },
    );
  onStage?.("open video", "start");
  const video = withSubtitles(await openVideo(join(folder, sample.video)), sample, folder);
  onStage?.("open video", "end");
  const { question: text, task, goal } = sample;
  const options = task === "choice" ? shifted(sample, shift).options : undefined;
  const evidence =
    descriptions === "gold"
      ? { given: await goldDescriptions(sample, video, work) }
      : await evidenceOf?.(sample, epoch, video);
  const asking = await askInStore({
    ...work,
    video,
    defaults: defaults?.[task],
    ...evidence,
    question: readQuestion(video.hash, { text, task, goal, options }),
    wording: work.benchmark.wording,
    // The first round, in the order of the data, reuses stored replies of `ask`.
    epoch: round,
    run: attempt === 0 ? work.run : `${work.run} again ${attempt}`,
    onExchange: transcript?.addExchange,
    onEvent: (event) => {
      transcript?.addEvent(event);
      if (event.type === "stage") onStage?.(event.stage, event.state);
      if (event.type === "progress") onStep?.(event.stage, event);
    },
  });
  return { asking, duration_s: opensVideo === false ? null : video.probe.duration_s };
}

/** One object for each file, because what is read of a video is kept by its object. */
const subtitled = new WeakMap<Video, Map<string, Video>>();

/** The video with the subtitle file that the data name for the sample. */
function withSubtitles(video: Video, sample: Sample, folder: string): Video {
  if (sample.subtitles === undefined) return video;
  const path = join(folder, sample.subtitles);
  const from_s = sample.subtitles_from_s ?? 0;
  const known = subtitled.get(video) ?? new Map<string, Video>();
  subtitled.set(video, known);
  const key = `${from_s} ${path}`;
  const named = known.get(key) ?? { ...video, subtitles: { path, from_s } };
  known.set(key, named);
  return named;
}
