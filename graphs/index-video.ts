import { loadPrompts } from "../prompts/load-prompts.ts";
import { Failure } from "../src/core/errors.ts";
import type { Emit } from "../src/core/events.ts";
import { makeEvidence, makeEvidenceSet } from "../src/core/evidence.ts";
import type { JobContext } from "../src/core/job-context.ts";
import { createLedger } from "../src/core/ledger.ts";
import { readSettings, type Settings, type SettingsInput } from "../src/core/settings.ts";
import type { Evidence, EvidenceSet } from "../src/core/shapes.ts";
import type { Models } from "../src/models/chat.ts";
import { createModels } from "../src/models/models.ts";
import { withTrace } from "../src/tracing/with-trace.ts";
import { checkTranscriber, createTranscriber } from "../tools/speech/create-transcriber.ts";
import { sampleFrames } from "../tools/video/frames.ts";
import { detectShots } from "../tools/video/shots.ts";
import type { Video } from "../tools/video/video.ts";
import { checkModels } from "./check-models.ts";
import { createContext } from "./create-context.ts";
import { standard } from "./define-strategy.ts";
import { inOwnStage } from "./stage.ts";
import { INDEX, storeSeen } from "./stages/recalled-evidence.ts";
import { describingGraph, readingGraph } from "./stages/recognition-graph.ts";

/** What to recognise in a video, as settings. `recognition.ocr` defaults to `tesseract`. */
export type IndexSpec = Pick<
  SettingsInput,
  "model" | "recognition" | "generation" | "budget" | "runtime"
>;

/** Key frames of one index, those of the longest shots. */
const MOST_KEY_FRAMES = 256;
const KEY_FRAME = { max_side: 768, max_area: null, quality: 85 };

/**
 * Everything that can be recognised in a video, as one evidence set: a key frame per shot, text on screen, equations,
 * subtitles, and with a model captions of its shots or of the clips between title cards.
 * All of it is stored by the video's content, the settings and the model: a second call decodes, reads and calls
 * nothing, and returns a set with the same id. Subtitle files next to the video are read each time, since they may change.
 *
 * `models` replaces those that the spec names. `onEvent` receives stages, progress, calls and evidence.
 * Throws `Failure`: `wrong-setting`, `missing-key`, `unknown-model`, `not-found` (no title cards, which the spec asks
 * for), those of decoding and model calls, `cancelled`.
 */
export async function indexVideo(
  video: Video,
  spec: IndexSpec,
  job: JobContext,
  models?: Models,
  onEvent: Emit = () => undefined,
): Promise<EvidenceSet> {
  const settings = indexSettings(spec, models);
  return withTrace(questionOf(video), { ...settings, strategy: "index" }, (trace) => {
    const emit: Emit = (stage, body) => {
      if (body.type === "progress") job.progress?.(body.done, body.total, body.unit);
      trace({ stage, at: Date.now(), ...body });
      onEvent(stage, body);
    };
    return makeIndex(video, spec, { ...job, settings, models, emit });
  });
}

/** What an index is asked; it is no question of a person. */
const questionOf = (video: Video) =>
  ({ id: "index", video: video.hash, text: "", task: "open" }) as const;

async function makeIndex(
  video: Video,
  spec: IndexSpec,
  job: JobContext & { settings: Settings; models: Models | undefined; emit: Emit },
): Promise<EvidenceSet> {
  const { store, run, signal, settings, models, emit } = job;
  const ledger = createLedger(settings.budget);
  const question = questionOf(video);
  const context = createContext({
    store,
    video,
    settings,
    question,
    prompts: await loadPrompts(settings.runtime.prompts),
    ledger,
    run,
    epoch: 0,
    signal,
    emit,
    createModels: (emit) => models ?? createModels({ store, settings, emit, ledger, run, signal }),
    createTranscriber: (emit) => createTranscriber({ store, settings, emit, ledger, run, signal }),
  });
  const graph = isDescribed(spec, models) ? describingGraph : readingGraph;
  const [{ evidence, outcome }, frames] = await Promise.all([
    graph.invoke({ question }, { context }),
    inOwnStage("key frames", context, () => keyFrames(video, context.job("key frames"))),
  ]);
  // Title cards were asked for, and there are none.
  if (outcome?.error?.kind === "not-found")
    throw new Failure("not-found", outcome.error.message, { path: video.path });
  await storeSeen(INDEX, captionsOf(evidence), job);
  return makeEvidenceSet([...evidence, ...frames]);
}

/**
 * The complete settings of an index, with checked models. Call it before opening the video. Throws `Failure`
 * `wrong-setting`, `missing-key`, `unknown-model`.
 */
export function indexSettings(spec: IndexSpec, models?: Models): Settings {
  if (!isDescribed(spec, models)) {
    const settings = readSettings({ ...spec, strategy: standard("without-model").name });
    checkTranscriber(settings);
    return settings;
  }
  const recognition = { subtitles: "full", ocr: "tesseract", ...spec.recognition };
  const settings = readSettings({ ...spec, strategy: standard("with-model").name, recognition });
  if (models === undefined) checkModels(settings, ["recogniser"]);
  checkTranscriber(settings);
  return settings;
}

/** Whether a model describes the video. */
function isDescribed({ model, recognition }: IndexSpec, models: Models | undefined): boolean {
  return models !== undefined || model != null || recognition?.model != null;
}

/** Descriptions by a model, from which a search starts. Everything else can be recognised again without a model. */
function captionsOf(evidence: readonly Evidence[]): Evidence[] {
  return evidence.filter(({ kind, by }) => kind === "caption" && by.who === "model");
}

/** The most typical frame of each shot, for the shot's span. */
async function keyFrames(video: Video, job: JobContext): Promise<Evidence[]> {
  if (video.probe.video === null) return [];
  const shots = (await detectShots(video, job))
    .toSorted((a, b) => b.end_s - b.start_s - (a.end_s - a.start_s) || a.index - b.index)
    .slice(0, MOST_KEY_FRAMES);
  const times_s = shots.map((shot) => shot.key_s);
  const frames = await sampleFrames(video, { sampler: "times", times_s, ...KEY_FRAME }, job);
  return frames.flatMap((frame) => {
    const shot = shots.find((one) => one.start_s <= frame.t_s && frame.t_s < one.end_s) ?? shots[0];
    if (shot === undefined) return [];
    return makeEvidence({
      video: video.hash,
      kind: "frame",
      start_s: shot.start_s,
      end_s: shot.end_s,
      text: "",
      frame,
      data: { shot: shot.index },
      by: { who: "tool", name: "detectShots" },
      confidence: null,
      from: [],
    });
  });
}
