import pLimit from "p-limit";
import PQueue from "p-queue";
import type { Logger } from "pino";
import { askInStore, checkModels, readQuestion } from "../../graphs/ask.ts";
import type { Prompts } from "../../prompts/load.ts";
import { openVideo } from "../../tools/video.ts";
import type { AskedRow, Store, UploadRow } from "../core/contracts.ts";
import { isFailure } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { hashOf } from "../core/hash.ts";
import { addUsage, NO_USAGE } from "../core/shapes.ts";
import { modelOf } from "../models/name.ts";
import type { Caller } from "./admission.ts";
import type { NewQuestion } from "./api.ts";
import { checkTask, needsModel, REASONS_OVER_EVIDENCE, videoOf } from "./askable.ts";
import { type Budgets, createBudgets } from "./budgets.ts";
import { isRecognised, readSet } from "./evidence-sets.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { refuse } from "./problems.ts";
import { isOpen, type Kept, newRecord, readKept, rowOf } from "./record.ts";
import { readGiven, settingsFor } from "./settings-given.ts";
import { newId, type Uploads } from "./uploads.ts";
import type { Wakes } from "./wakes.ts";

/** Marks where a run of a question begins among its events: usage is that of the last run. */
const BEGUN = "begun";

interface Held {
  kept: Kept;
  controller: AbortController;
  cost_a_day: number | null;
  /** Kept when it has left the queue. */
  done: Promise<void>;
}

export interface AskingParts {
  store: Store;
  options: ServiceOptions;
  /** The operator's own, read once. */
  prompts: Prompts;
  uploads: Uploads;
  wakes: Wakes;
  metrics: Metrics;
  log: Logger;
}

/**
 * Takes questions into a queue, answers so many at once, and keeps each step of theirs. A question that was waiting or
 * running when the process ended goes on by `resume`, in the run that paid so far.
 */
export function createAsking(parts: AskingParts) {
  const { store, options, prompts, uploads, wakes, metrics, log } = parts;
  const queue = new PQueue({ concurrency: options.at_once, autoStart: false });
  /** Questions that wait or run in this process. */
  const held = new Map<string, Held>();
  const budgets = createBudgets(store.desk);
  /** One at a time, so that each sees those before it in its limits. */
  const oneByOne = pLimit(1);
  let stopping = false;

  async function keep(kept: Kept): Promise<void> {
    await store.desk.putAsked(rowOf(kept));
    wakes.wake(kept.id);
    count();
  }

  function count(): void {
    metrics.queue.set({ state: "running" }, queue.pending);
    metrics.queue.set({ state: "queued" }, queue.size);
  }

  async function ask(caller: Caller, upload: UploadRow, asked: NewQuestion): Promise<Kept> {
    const { settings: given = {}, ...words } = asked;
    const own = readGiven(given, options);
    const settings = settingsFor(own, options, options.data);
    checkModels(settings);
    const question = readQuestion(videoOf(upload), words);
    checkTask(question);
    const { strategy } = settings;
    const model = needsModel(strategy) ? modelOf(settings, "reasoner") : null;
    return enter(caller, upload, newRecord({ asked: question, strategy, model, given: own }));
  }

  /** Reasons over the evidence at hand of a question, as a question of its own. */
  async function again(caller: Caller, upload: UploadRow, kept: Kept): Promise<Kept> {
    const { asked, strategy, model, given, set } = kept.record;
    if (set === null)
      throw refuse(
        409,
        "not-answered",
        "Expected a question that has evidence, but it has none yet.",
      );
    if (!REASONS_OVER_EVIDENCE.has(strategy))
      throw refuse(
        409,
        "wrong-strategy",
        `Expected a question whose strategy reasons over evidence, but \`${strategy}\` answers from the video itself: ask it by \`rrd\` or \`extractive\`.`,
      );
    const about = { asked, strategy, model, given };
    return enter(caller, upload, newRecord(about, { from: kept.id, over: set }));
  }

  async function enter(caller: Caller, upload: UploadRow, record: Kept["record"]): Promise<Kept> {
    if (stopping)
      throw refuse(503, "stopping", "Expected the service to go on, but it is stopping.");
    return oneByOne(async () => {
      await checkLimits(caller);
      const owner = caller.owner;
      const kept = { id: newId(), upload: upload.id, owner, created_at: Date.now(), record };
      await keep(kept);
      hold(kept, caller.limits.cost_a_day);
      return kept;
    });
  }

  function openOf(owner: string): number {
    const all = [...held.values()];
    return all.filter(({ kept }) => kept.owner === owner && isOpen(kept.record)).length;
  }

  async function checkLimits({ owner, limits }: Caller): Promise<void> {
    if (limits.in_flight !== null && openOf(owner) >= limits.in_flight)
      throw refuse(
        429,
        "too-many-questions",
        `Expected at most ${limits.in_flight} questions at once under this key: wait for one to end.`,
      );
    if ((await budgets.left(owner, limits.cost_a_day)) <= 0)
      throw refuse(
        429,
        "cost-limit",
        `Expected at most $${limits.cost_a_day} a day (UTC) under this key, and all of it is spent or booked by questions that run.`,
      );
  }

  function hold(kept: Kept, cost_a_day: number | null): void {
    const controller = new AbortController();
    const one: Held = { kept, controller, cost_a_day, done: Promise.resolve() };
    held.set(kept.id, one);
    one.done = queue
      .add(() => run(one))
      // A queue that is cleared because the service stops says so to each that waits.
      .catch((error: unknown) => {
        if (!stopping) throw error;
      })
      .finally(() => {
        held.delete(kept.id);
        count();
      });
    count();
  }

  /** Answers one question; whatever comes is kept with it. */
  async function run(one: Held): Promise<void> {
    const { kept, controller } = one;
    const { record } = kept;
    if (stopping || controller.signal.aborted) return;
    try {
      Object.assign(record, {
        state: "running",
        started_at: Date.now(),
        stages: [],
        usage: NO_USAGE,
      });
      await keep(kept);
      const { answer, evidence } = await answerOne(one);
      Object.assign(record, { answer, set: evidence.id });
      record.state = answer.status === "error" ? "failed" : "answered";
      record.failure = answer.error ?? null;
    } catch (error) {
      // What was stopped with the service stays as it is, and goes on at the next start.
      if (stopping) return;
      fail(kept, error, controller.signal.aborted);
    }
    record.ended_at = Date.now();
    await settle(kept);
  }

  async function answerOne(one: Held) {
    const { kept, controller, cost_a_day } = one;
    const { signal } = controller;
    const { record, id, owner } = kept;
    const upload = await store.desk.upload(kept.upload);
    if (upload === undefined) throw refuse(404, "not-found", "Expected the video to be there.");
    const settings = settingsFor(record.given, options, options.data);
    const booked = await budgets.book(owner, id, cost_a_day, openOf(owner));
    try {
      if (booked !== null && needsModel(record.strategy))
        settings.budget.cost = Math.min(settings.budget.cost ?? booked, booked);
      const video = await openVideo(uploads.pathOf(upload), { store, run: "service", signal });
      const given = record.over === null ? undefined : await readSet(store, record.over);
      await store.events.append(id, "service", Date.now(), { type: "note", text: BEGUN });
      return await askInStore({
        video,
        question: record.asked,
        settings,
        prompts,
        store,
        given: given?.items.filter(isRecognised),
        run: hashOf(["service", id]),
        events: id,
        owner,
        signal,
        onEvent: (event) => hear(kept, event, budgets),
      });
    } finally {
      budgets.release(id);
    }
  }

  function hear(kept: Kept, event: Event, spending: Budgets): void {
    metrics.onEvent(event);
    if (event.type === "call") {
      const { usage } = event.call;
      const { stages } = kept.record;
      const at = stages.find(({ stage }) => stage === event.stage);
      if (at === undefined) stages.push({ stage: event.stage, usage });
      else at.usage = addUsage(at.usage, usage);
      kept.record.usage = addUsage(kept.record.usage, usage);
      spending
        .spend(kept.owner, usage.paid ?? 0)
        .catch((error: unknown) =>
          log.error({ question: kept.id, err: error }, "spending was not kept"),
        );
    }
    wakes.wake(kept.id);
  }

  function fail({ record, id }: Kept, error: unknown, cancelled: boolean): void {
    record.state = cancelled ? "cancelled" : "failed";
    if (cancelled) return;
    const known = isFailure(error);
    if (!known) log.error({ question: id, err: error }, "a question failed");
    record.failure = known
      ? { kind: error.kind, message: error.message }
      : { kind: "internal", message: "Something went wrong here; the log of the service has it." };
  }

  /** Keeps the end of a question; on a full disk it stays open in the store, and is asked again at the next start. */
  async function settle(kept: Kept): Promise<void> {
    const { state, strategy } = kept.record;
    metrics.settled.inc({ state, strategy });
    try {
      await keep(kept);
    } catch (error) {
      log.error({ question: kept.id, err: error }, "the end of a question was not kept");
    }
  }

  /** Stops a question that waits or runs. */
  async function cancel(kept: Kept): Promise<Kept> {
    const one = held.get(kept.id);
    if (one === undefined || !isOpen(one.kept.record))
      throw refuse(
        409,
        "ended",
        `Expected a question that waits or runs, but it is ${kept.record.state}.`,
      );
    one.controller.abort();
    if (one.kept.record.state === "queued") {
      Object.assign(one.kept.record, { state: "cancelled", ended_at: Date.now() });
      await settle(one.kept);
    }
    return one.kept;
  }

  return {
    ask,
    again,
    cancel,
    /** The question as it stands at this moment, with the usage so far. */
    now: (row: AskedRow): Kept => held.get(row.id)?.kept ?? readKept(row),
    /** Takes up again what was open when the last process ended; what is kept damaged is passed over. */
    async resume(costOf: (owner: string) => Promise<number | null>): Promise<number> {
      for (const row of await store.desk.openAsked())
        try {
          hold(readKept(row), await costOf(row.owner));
        } catch (error) {
          log.error({ question: row.id, err: error }, "a question cannot go on");
        }
      return held.size;
    },
    /** Nothing runs before. */
    begin: () => queue.start(),
    /** Cancels all questions on an upload and waits until none runs. */
    async drop(upload: string): Promise<void> {
      const all = [...held.values()].filter(({ kept }) => kept.upload === upload);
      for (const { controller } of all) controller.abort();
      const running = all.filter(({ kept }) => kept.record.state === "running");
      await Promise.allSettled(running.map(({ done }) => done));
    },
    /** Begins nothing more, lets what runs end by itself for a while, then stops it where it is. */
    async stop(grace_ms: number): Promise<void> {
      stopping = true;
      queue.clear();
      const running = [...held.values()].filter(({ kept }) => kept.record.state === "running");
      const ended = Promise.allSettled(running.map(({ done }) => done));
      await Promise.race([ended, new Promise((done) => setTimeout(done, grace_ms).unref())]);
      for (const { controller } of held.values()) controller.abort();
      await ended;
    },
    isStopping: () => stopping,
  };
}

export type Asking = ReturnType<typeof createAsking>;
