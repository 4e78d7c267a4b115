import { billedRoles, rolesOf } from "../../graphs/check-models.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { added, type CallEstimate } from "../../graphs/estimate-calls.ts";
import { resolveSettings, type Settings } from "../../src/core/settings.ts";
import type { Task } from "../../src/core/shapes.ts";
import { nameOf } from "../../src/models/name.ts";
import { batchPrices, costOfSound, type Prices, readPrices } from "../../src/models/prices.ts";
import type { Note, Sample } from "../benchmarks/sample.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { CONDITIONS } from "../evidence-test/conditions.ts";
import { requireCiting } from "../evidence-test/require-citing.ts";
import type { ExtractorChoice } from "../score/extractor-choice.ts";
import { type Unscored, unscoredTasks } from "../score/scorer-choice.ts";
import type { Scorers } from "../scorers/choose-scorers.ts";
import { refuseBatchOfWorkers } from "../workers/join-run.ts";
import { estimateHours, type HoursPlan } from "./estimate-hours.ts";
import { type EvalSettings, readEvalSettings } from "./eval-settings.ts";
import { type HoursAsked, hoursBasis } from "./hours-basis.ts";
import { epochsOf } from "./option-orders.ts";
import { planSample } from "./plan-sample.ts";
import { openPlannedVideos, type PlannedVideo } from "./planned-videos.ts";
import { prepare } from "./prepare-run.ts";
import { checkRunBatches } from "./run-batches.ts";

/** Estimated calls, frames, tokens and cost of a run, without retries and tool calls. */
export interface RunPlan {
  samples: number;
  epochs: number;
  /** Number of cyclic orders of the options; a question with fewer options has fewer orders. */
  option_orders: number;
  /** Results of a complete run: samples in all epochs and orders of their options. */
  results: number;
  /** Samples whose video is missing; they cost nothing. */
  without_video: number;
  skipped: number;
  /** A strategy that calls a model and has no `plan`: its calls, frames, tokens and cost are not known and null. */
  unplanned: string | null;
  /** `exact`: the number of calls is exact. `bound`: it is an upper bound, because nothing is asked twice or a budget limits calls. */
  calls: number | null;
  exact: boolean;
  bound: boolean;
  frames: number | null;
  /** Seconds of video and of sound that are sent, at most. */
  video_s: number;
  sound_s: number;
  tokens: { input: number | null; output_most: number | null };
  /** Models whose tokens for video or sound are not documented; `tokens` leaves these out. */
  not_foreseen: string[];
  /** Dollars; null if a model has no price or the calls are not known. `about` assumes replies of `USUAL_TOKENS`. */
  cost: { about: number | null; most: number | null };
  deviations: string[] | null;
  /** The extractor. A model as extractor costs one more call per reply, which is not counted here. */
  extractor: ExtractorChoice;
  /** Comparison with the published protocol. */
  certificate: Certificate;
  /** Number of videos whose on-screen text is read, and by what; `calls` includes those of a model. */
  text: { by: "tesseract" | "model"; videos: number } | null;
  /** Speech that is transcribed once for each video: seconds of sound, at most, and dollars (null: no price). */
  speech: { by: string; videos: number; sound_s: number; cost: number | null } | null;
  /** Calls of `--evidence-test` if every sample is answered with citations; null if it is not requested. */
  evidence_test: { calls: number } | null;
  /** Limits in dollars for one question and for the whole run; calls in flight may exceed them. */
  limits: { question: number | null; total: number | null };
  /** The scorer of each task, with its settings. */
  scorers: Scorers;
  unscored: Unscored[];
  /** Replies that a model grades, each in a call of its own; null: none. */
  grading: { calls: number; model: string } | null;
  /** Hours by the number of workers; null if the calls are not known, or go through batches, which take up to a day. */
  time: HoursPlan | null;
  /** Whether the calls go through batches; `cost` has their prices. */
  batch: boolean;
  /** How the data were read, as lines for a person: columns, tasks, groups; empty where that is fixed. */
  reading: string[];
  notes: Note[];
}

/**
 * Plans a run without calling a model: reads data and prompts, and opens every video. The run reuses what was read from the
 * videos. Throws as `startRun`.
 */
export async function planRun(
  input: unknown,
  {
    signal,
    onOpened,
    evidenceTest = false,
    hours = {},
  }: {
    signal?: AbortSignal;
    onOpened?: (done: number, total: number) => void;
    evidenceTest?: boolean;
    /** For the estimate of hours. */
    hours?: HoursAsked;
  } = {},
): Promise<RunPlan> {
  const asked = readEvalSettings(input);
  if (evidenceTest) requireCiting(asked.settings.strategy);
  const { benchmark, loaded, samples, skipped, protocol, certificate, extractor } =
    await prepare(asked);
  const { settings } = asked;
  const { withoutVideo, opensVideo } = strategies.get(settings.strategy);
  const looks = withoutVideo === undefined && opensVideo !== false;
  const { videos, notes } = looks
    ? await openPlannedVideos(samples, loaded.folder, settings, { signal, onOpened })
    : { videos: new Map<string, PlannedVideo>(), notes: [] };
  checkRunBatches(settings, rolesOf(settings));
  if (asked.workers === "remote") refuseBatchOfWorkers(settings);
  const listed = await readPrices(settings.runtime.prices);
  const prices = settings.runtime.batch ? batchPrices(listed) : listed;
  const isThere = ({ video, hasVideo }: Sample) => (looks ? videos.has(video) : hasVideo);
  const available = samples.filter((sample) => withoutVideo !== undefined || isThere(sample));
  const planned = available.map((sample) => ({
    ...planSample(sample, videos.get(sample.video), asked, prices),
    times: epochsOf(sample, asked.epochs, asked.option_orders).length,
  }));
  const sum = (of: (plan: CallEstimate) => number | null) =>
    planned.reduce<number | null>((total, plan) => {
      const value = of(plan);
      return total === null || value === null ? null : total + value * plan.times;
    }, 0);
  const unplanned = unplannedStrategy(settings);
  const speech = speechOf(available, videos, asked, prices);
  const foreseen = (of: (plan: CallEstimate) => number | null) =>
    unplanned === null ? sum(of) : null;
  const results = planned.reduce((all, { times }) => all + times, 0);
  const hoursOf = async (): Promise<HoursPlan | null> => {
    const calls = foreseen((plan) => plan.calls);
    if (calls === null || results === 0 || settings.runtime.batch) return null;
    // Frames of a film serve all its questions, epochs and orders.
    const frames = planned.reduce((all, plan) => all + plan.frames, 0);
    const basis = await hoursBasis(settings, frames / results, hours);
    return estimateHours(
      { results, calls, input_tokens: foreseen(({ input }) => input) ?? 0 },
      basis,
    );
  };
  return {
    samples: samples.length,
    epochs: asked.epochs,
    option_orders: asked.option_orders,
    results: samples.reduce(
      (all, sample) => all + epochsOf(sample, asked.epochs, asked.option_orders).length,
      0,
    ),
    without_video: samples.length - available.length,
    skipped: skipped.length,
    unplanned,
    calls: foreseen(({ calls }) => calls),
    exact: unplanned === null && planned.every(({ exact, bound }) => exact && bound),
    bound: unplanned === null && planned.every(({ bound }) => bound),
    frames: foreseen(({ frames }) => frames),
    video_s: Math.ceil(sum(({ video_s }) => video_s) ?? 0),
    sound_s: Math.ceil(sum(({ sound_s }) => sound_s) ?? 0),
    not_foreseen: [...new Set(planned.flatMap(({ notForeseen }) => notForeseen))],
    tokens: {
      input: foreseen(({ input }) => input),
      output_most: foreseen(({ outputMost }) => outputMost),
    },
    cost: {
      about: added(
        foreseen(({ about }) => about),
        speech === null ? 0 : speech.cost,
      ),
      most: added(
        foreseen(({ most }) => most),
        speech === null ? 0 : speech.cost,
      ),
    },
    speech,
    deviations: protocol?.deviations ?? null,
    extractor,
    certificate,
    text: textRead(available, settings),
    evidence_test: evidenceTest
      ? { calls: CONDITIONS.length * (sum(({ reasoningCalls }) => reasoningCalls) ?? 0) }
      : null,
    limits: { question: settings.budget.cost, total: asked.total_cost_limit },
    scorers: benchmark.scorers,
    unscored: unscoredTasks(benchmark, samples),
    grading: gradingOf(benchmark.scorers, samples, asked),
    time: await hoursOf(),
    batch: settings.runtime.batch,
    reading: loaded.reading ?? [],
    notes: [...loaded.notes, ...notes, ...overBudget(available, planned, settings)],
  };
}

/** Samples whose planned frames or calls exceed the budget of a question. */
function overBudget(
  samples: readonly Sample[],
  planned: readonly CallEstimate[],
  { budget }: Settings,
): Note[] {
  return (["frames", "calls"] as const).flatMap((limit) => {
    const most = budget[limit];
    const over = samples.flatMap(({ id }, place) => {
      const needed = planned[place]?.[limit] ?? 0;
      return most !== null && needed > most ? [`${id} (${needed})`] : [];
    });
    if (over.length === 0) return [];
    const flag = { frames: "--frame-limit", calls: "--call-limit" }[limit];
    const what = `samples may need more ${limit} than ${flag} ${most} allows, and then stop without an answer`;
    return [{ what, count: over.length, examples: over.slice(0, 5) }];
  });
}

function textRead(
  samples: readonly Sample[],
  settings: Settings,
): { by: "tesseract" | "model"; videos: number } | null {
  const ocr = (task: Task) => resolveSettings(settings, task).recognition.ocr;
  const read = samples.filter(({ task }) => ocr(task) !== "off");
  const [first] = read;
  if (first === undefined) return null;
  const by = ocr(first.task) === "model" ? "model" : "tesseract";
  return { by, videos: new Set(read.map(({ video }) => video)).size };
}

/** The sound that is transcribed, with its silence, which is not sent. */
function speechOf(
  samples: readonly Sample[],
  videos: ReadonlyMap<string, PlannedVideo>,
  { settings, descriptions }: EvalSettings,
  prices: Prices,
): RunPlan["speech"] {
  if (descriptions === "gold" || !rolesOf(settings).includes("transcriber")) return null;
  const always = settings.recognition.speech === "always";
  const uses = (task: Task) => resolveSettings(settings, task).recognition.subtitles !== "off";
  const heard = samples.filter(({ task, video, subtitles }) => {
    const opened = videos.get(video);
    if (opened === undefined || opened.probe.audio.length === 0 || !uses(task)) return false;
    return always || (subtitles === undefined && !opened.subtitled);
  });
  const paths = [...new Set(heard.map(({ video }) => video))];
  const sound_s = paths.reduce((sum, path) => sum + (videos.get(path)?.probe.duration_s ?? 0), 0);
  const by = nameOf(settings, "transcriber") ?? "";
  const isBilled = billedRoles(settings).includes("transcriber");
  const cost = isBilled ? costOfSound(prices[by], sound_s) : 0;
  return { by, videos: paths.length, sound_s: Math.ceil(sound_s), cost };
}

/** The strategy, if it calls a model and does not plan its calls. */
function unplannedStrategy({ strategy }: Settings): string | null {
  const { plan, roles } = strategies.get(strategy);
  return plan === undefined && roles.length > 0 ? strategy : null;
}

/** The calls of a model that grades; not counted in those of the run. */
function gradingOf(
  chosen: Scorers,
  samples: readonly Sample[],
  { epochs, option_orders }: EvalSettings,
): RunPlan["grading"] {
  const models = Object.values(chosen).flatMap(({ settings }) => settings.judge_model ?? []);
  const calls = samples
    .filter(({ task }) => chosen[task]?.settings.judge_model !== undefined)
    .reduce((sum, sample) => sum + epochsOf(sample, epochs, option_orders).length, 0);
  return models.length === 0 ? null : { calls, model: String(models[0]) };
}
