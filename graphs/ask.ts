import { loadPrompts, type Prompts } from "../prompts/load-prompts.ts";
import type { Store } from "../src/core/contracts.ts";
import type { Emit, Event } from "../src/core/events.ts";
import type { EvidenceNames } from "../src/core/evidence.ts";
import { hashOf } from "../src/core/hash.ts";
import { createLedger, type Ledger } from "../src/core/ledger.ts";
import {
  type ResolvedSettings,
  readSettings,
  readsSetting,
  resolveSettings,
  type Settings,
  settingsHash,
  type TaskDefaults,
} from "../src/core/settings.ts";
import type { Answer, Evidence, EvidenceSet, Limit, Question } from "../src/core/shapes.ts";
import type { SpendingCap } from "../src/core/spending-cap.ts";
import type { Models } from "../src/models/chat.ts";
import { checkPrices } from "../src/models/check-prices.ts";
import { createEmbeddings } from "../src/models/embeddings.ts";
import {
  type CallBatches,
  createModels,
  type Exchange,
  type KeepRequest,
  type ModelsOptions,
} from "../src/models/models.ts";
import { withRemoteFiles } from "../src/models/release-uploads.ts";
import { openStore } from "../src/storage/open.ts";
import { type TraceEvent, withTrace } from "../src/tracing/with-trace.ts";
import { createTranscriber } from "../tools/speech/create-transcriber.ts";
import { openVideo, type Video } from "../tools/video/video.ts";
import { answerQuestion, type GivenEvidence } from "./answer-question.ts";
import { billedRoles, checkModels } from "./check-models.ts";
import { withChosenStrategy } from "./choose-strategy.ts";
import type { GraphContext } from "./context.ts";
import { createContext } from "./create-context.ts";
import { type QuestionInput, readAskedQuestion } from "./read-question.ts";
import { RESUME_NOTE } from "./replay-events.ts";
import { requireTask } from "./require-task.ts";
import type { Review } from "./stages/review/review.ts";
import { openServerTools } from "./toolbox/server-tools.ts";
import type { Wording } from "./wording.ts";

/** With what a question is asked. */
export interface AskOptions {
  /** Anything that `readSettings` accepts. With a model and no strategy: the strategy that asks a model by default. */
  settings?: unknown;
  /** Default: the store in `settings.runtime.data`, closed afterwards. */
  store?: Store;
  onEvent?: (event: Event) => void;
  signal?: AbortSignal;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
}

/** An answer with its evidence and events. */
export interface AskResult {
  question: Question;
  answer: Answer;
  evidence: EvidenceSet;
  /** Events of this question, in order. */
  events: Event[];
}

/**
 * Asks a question about a video file and answers it by the strategy of the settings.
 * The same question continues after an interruption: calls that were billed are not billed again.
 *
 * Throws `Failure` for what the caller has to fix (`wrong-usage`, `wrong-setting`, `missing-key`, `unknown-model`,
 * `unknown-prompt`, an unreadable file) and for `cancelled`; what goes wrong with the question itself is an `Answer`
 * with status `error`.
 */
export function ask(
  videoPath: string,
  asked: string | QuestionInput,
  options: AskOptions = {},
): Promise<AskResult> {
  return askOpened(videoPath, asked, options, askInStore);
}

/** Opens store and video, calls `answer`, and closes what it opened. Throws as `ask`. */
export async function askOpened<T>(
  videoPath: string,
  asked: string | QuestionInput,
  options: AskOptions,
  answer: (parts: AskInStore) => Promise<T>,
): Promise<T> {
  const settings = readSettings(withChosenStrategy(options.settings));
  if (options.createModels === undefined) {
    checkModels(settings);
    await checkPrices(settings, null, billedRoles(settings));
  }
  const prompts = await loadPrompts(settings.runtime.prompts);
  const store = options.store ?? (await openStore(settings.runtime.data));
  try {
    const { signal, onEvent, createModels } = options;
    const job = { store, run: "ask", signal };
    const video = await openVideo(videoPath, job);
    const question = readAskedQuestion(video.hash, asked);
    requireTask(settings, question.task);
    const opened = { video, question, settings, prompts, store };
    return await answer({ ...opened, onEvent, signal, createModels });
  } finally {
    if (options.store === undefined) await store.close();
  }
}

/** A question with everything opened. */
export interface AskInStore {
  video: Video;
  question: Question;
  settings: Settings;
  /** The defaults of an earlier run that continues; default: the current ones. */
  defaults?: TaskDefaults;
  /** Whether a model that no setting names may be called, such as a provider's default for embeddings; default: any. */
  mayCall?: (model: string) => boolean;
  prompts: Prompts;
  store: Store;
  /** Default: `ASK_WORDING`. */
  wording?: Wording;
  epoch?: number;
  /** Evidence to reason over instead of recognising: gold captions, corrections. */
  given?: readonly Evidence[];
  /** Names of `given` that the model is to see; default: names in the order of time. */
  names?: EvidenceNames;
  /** Whether all of `given` is shown to the reasoner, without a search. Default: false. */
  showsAll?: boolean;
  /** Numbers of clips of an order question that have no caption in `given`. Default: none. */
  undescribed?: readonly number[];
  /** The run to which calls belong; default: a run of this question, a new one after each answer. */
  run?: string;
  /** The owner of the question: what a search saw serves only later questions of the same owner. */
  owner?: string;
  /** Id of the events, if one question is asked several times at once; default: its own id. */
  events?: string;
  onEvent?: (event: Event) => void;
  signal?: AbortSignal;
  createModels?: (options: ModelsOptions) => Models;
  /** The events of this run before it was interrupted, if a graph with a checkpointer continues it. */
  recorded?: readonly Event[];
  /** Where a person reviews the work, in a graph with a checkpointer; default: nowhere. */
  review?: Review;
  /** Keeps what is sent to models, for a trace; default: nothing is kept. */
  keepRequest?: KeepRequest;
  /** Called after each model call, before its event. */
  onExchange?: (exchange: Exchange) => void;
  /** Limit of dollars that this question shares with others. */
  cap?: SpendingCap;
  /** Sends the model calls in batches; default: each call is sent at once. */
  batches?: CallBatches;
  /** A ledger that several samples share; it replaces the budgets of the settings. */
  within?: Ledger;
}

/** Like `ask`, with everything opened: what a benchmark or a service calls for each question. */
export async function askInStore(parts: AskInStore): Promise<AskResult> {
  const { video, question, settings, store } = parts;
  await store.catalogue.putQuestion({
    id: question.id,
    video: video.hash,
    json: JSON.stringify(question),
  });
  const run = parts.run ?? (await runOf(parts, parts.epoch ?? 0));
  return withTrace(question, settings, (trace) => askTraced({ ...parts, run }, trace));
}

async function askTraced(
  parts: AskInStore & { run: string },
  trace: TraceEvent,
): Promise<AskResult> {
  const { video, question, settings, store } = parts;
  const recorder = record(store, parts.events ?? question.id, (event) => {
    trace(event);
    parts.onEvent?.(event);
  });
  // Given evidence is reasoned over without tools.
  const reads = parts.given === undefined && readsSetting(settings.strategy, "runtime.mcp");
  const servers = await openServerTools(reads ? settings.runtime : { mcp: null }, parts.signal);
  try {
    const context = { ...contextOf(parts, recorder.emit), serverTools: servers.tools };
    if ((parts.recorded ?? []).length > 0) recorder.emit(RESUME_NOTE.stage, RESUME_NOTE.body);
    const { answer, set } = await withRemoteFiles(
      store,
      settings,
      (text) => recorder.emit("cite", { type: "note", text }),
      () => answerQuestion(question, context, givenOf(parts)),
    );
    const row = { id: set.id, video: video.hash, json: JSON.stringify(set) };
    const [events] = await Promise.all([recorder.done(), store.catalogue.putSet(row)]);
    return { question, answer, evidence: set, events };
  } finally {
    await servers.release();
    await recorder.done();
  }
}

function givenOf({ given, names, showsAll, undescribed }: AskInStore): GivenEvidence | null {
  return given === undefined ? null : { items: given, names, showsAll, undescribed };
}

/** The context in which `askInStore` answers, for calls of single stages; `emit` receives their events. */
export function contextOf(
  parts: Omit<AskInStore, "given" | "names" | "showsAll" | "undescribed" | "events" | "onEvent"> & {
    run: string;
  },
  emit: Emit,
): GraphContext {
  const { video, question, settings, defaults, prompts, store, owner, run, signal, cap } = parts;
  const { wording, epoch = 0, createModels: make = createModels, mayCall } = parts;
  const { keepRequest, onExchange, recorded, review, batches } = parts;
  const ledger = ledgerOf(parts);
  return createContext({
    ...{ store, video, settings, question, defaults, prompts, ledger, wording, owner },
    ...{ run, epoch, signal, emit },
    ...(recorded === undefined ? {} : { recorded }),
    ...(review === undefined ? {} : { review }),
    createModels: (counted) =>
      make({
        ...{ store, settings, emit: counted, ledger, run, signal, cap },
        ...{ keepRequest, onExchange, batches },
      }),
    createTranscriber: (counted, settings) =>
      createTranscriber({ store, settings, emit: counted, ledger, run, signal, cap }),
    ...(parts.createModels === undefined
      ? {
          createEmbeddings: (counted: Emit, settings: ResolvedSettings) =>
            createEmbeddings({ store, settings, emit: counted, ledger, run, signal, cap, mayCall }),
        }
      : {}),
  });
}

/** With a shared ledger, only the strategy's own limits apply to this question. */
function ledgerOf({ settings, question, defaults, within }: AskInStore): Ledger {
  const { budget } = resolveSettings(settings, question.task, defaults);
  if (within === undefined) return createLedger(budget);
  const own = (limit: Limit) => (settings.budget[limit] === null ? budget[limit] : null);
  const left = {
    calls: own("calls"),
    frames: own("frames"),
    tokens: own("tokens"),
    seconds: own("seconds"),
    cost: own("cost"),
  };
  return createLedger(left, undefined, within);
}

/**
 * An interrupted question continues its run; an answered one starts a new run. A refusal or an empty reply is stored
 * for one run, so it is requested again when the question is asked again.
 */
async function runOf({ question, settings, store, events: id }: AskInStore, epoch: number) {
  const events = await store.events.after(id ?? question.id, 0);
  const answered = events.filter((event) => event.type === "answer").length;
  return hashOf({ question: question.id, settings: settingsHash(settings), epoch, answered });
}

/** Appends events in the order in which they were emitted. The store may write several at once. */
function record(store: Store, question: string, onEvent?: (event: Event) => void) {
  const events: Event[] = [];
  let tail: Promise<void> = Promise.resolve();
  let failed: { error: unknown } | undefined;
  const began = { at: Date.now(), ms: performance.now() };
  const appended = async (append: Promise<Event>) => {
    const event = await append;
    events.push(event);
    onEvent?.(event);
  };
  const emit: Emit = (stage, body) => {
    // Times of one run never decrease, even if the clock is set back.
    const at = began.at + Math.round(performance.now() - began.ms);
    const append = store.events.append(question, stage, at, body);
    // Its turn may come after it failed.
    append.catch(() => undefined);
    tail = tail
      .then(() => appended(append))
      .catch((error: unknown) => {
        failed ??= { error };
      });
  };
  return {
    emit,
    /** Waits for what was emitted; throws the first error of an append. */
    async done(): Promise<Event[]> {
      await tail;
      if (failed !== undefined) throw failed.error;
      return events;
    },
  };
}
