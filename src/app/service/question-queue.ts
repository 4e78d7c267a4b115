import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { namesOverEvidence } from "../../../graphs/answer-question.ts";
import { readQuestion } from "../../../graphs/ask.ts";
import { billedRoles, checkModels } from "../../../graphs/check-models.ts";
import { needsModel } from "../../../graphs/define-strategy.ts";
import type { QuestionRow, UploadRow } from "../../core/contracts.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { Settings } from "../../core/settings.ts";
import { NO_USAGE } from "../../core/shapes.ts";
import { forOwner } from "../../media/places.ts";
import { unpricedModel } from "../../models/check-prices.ts";
import { modelOf } from "../../models/name.ts";
import type { Caller } from "./admission.ts";
import type { NewQuestion } from "./api.ts";
import { createBudgets } from "./budgets.ts";
import { onceWritable } from "./once-writable.ts";
import type { CallerLimits } from "./options.ts";
import { notFound, refuse } from "./problems.ts";
import { isOpen, type Kept, newRecord, readKept, rowOf } from "./record.ts";
import { type AnsweringParts, createAnswering } from "./run-question.ts";
import { readGiven, settingsFor } from "./settings-given.ts";
import { newId } from "./uploads.ts";
import { checkTask, videoOf } from "./validate-question.ts";

/** Of the places, what the questions of one key may take. */
const SHARE = 0.75;

/** A request to cancel waits so long for the disk to take it. */
const CANCEL_MS = 250;

interface Held {
  kept: Kept;
  controller: AbortController;
  limits: CallerLimits;
  /** Aborted when its end is no longer to be kept: the service stops, or its video is removed. */
  leaving: AbortController;
  /** Of one that was cancelled before it ran. */
  settling?: Promise<void>;
  /** Kept when it has left the queue. */
  done: Promise<void>;
}

/**
 * Takes questions into a queue, answers so many at once, and keeps each step of theirs. A question that was waiting or
 * running when the process ended goes on by `resume`, in the run that paid so far.
 */
export function createAsking(parts: AnsweringParts) {
  const { store, options, quota, derived, wakes, metrics, log } = parts;
  const { at_once, admission } = options;
  const most = admission.by === "keys" ? Math.ceil(at_once * SHARE) : at_once;
  const queue = createFairQueue(at_once, most);
  /** Questions that wait or run in this process. */
  const held = new Map<string, Held>();
  /** Uploads that are being removed. */
  const going = new Set<string>();
  const budgets = createBudgets(store.service);
  const answering = createAnswering(parts, budgets);
  /** One at a time, so that each sees those before it in its limits. */
  const oneByOne = pLimit(1);
  let stopping = false;

  async function keep(kept: Kept): Promise<void> {
    await store.service.putQuestion(rowOf(kept));
    wakes.wake(kept.id);
    count();
  }

  function count(): void {
    metrics.queue.set({ state: "running" }, queue.running());
    metrics.queue.set({ state: "queued" }, queue.waiting());
  }

  async function ask(caller: Caller, upload: UploadRow, asked: NewQuestion): Promise<Kept> {
    const { settings: given = {}, ...words } = asked;
    const own = readGiven(given, options);
    const settings = settingsFor(own, options, options.data);
    checkModels(settings);
    await checkPriced(settings, caller);
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
    if (!namesOverEvidence().includes(strategy))
      throw refuse(
        409,
        "wrong-strategy",
        `The strategy \`${strategy}\` answers from the video itself, so corrected evidence changes nothing: ask the question by one of ${namesOverEvidence().join(", ")}.`,
      );
    await checkPriced(settingsFor(given, options, options.data), caller);
    const about = { asked, strategy, model, given };
    return enter(caller, upload, newRecord(about, { from: kept.id, over: set }));
  }

  async function enter(caller: Caller, upload: UploadRow, record: Kept["record"]): Promise<Kept> {
    if (stopping)
      throw refuse(503, "stopping", "Expected the service to go on, but it is stopping.");
    return oneByOne(async () => {
      await checkLimits(caller);
      await quota.checkDerived(caller);
      const there = await store.service.upload(upload.id);
      if (there === undefined || going.has(upload.id)) throw notFound("a video");
      const owner = caller.owner;
      const kept = { id: newId(), upload: upload.id, owner, created_at: Date.now(), record };
      await keep(kept);
      hold(kept, caller.limits);
      return kept;
    });
  }

  function openOf(owner: string): number {
    const all = [...held.values()];
    return all.filter(({ kept }) => kept.owner === owner && isOpen(kept.record)).length;
  }

  /** A model without a price would be free under a limit of dollars. */
  async function checkPriced(settings: Settings, { limits }: Caller): Promise<void> {
    if (options.allow_unpriced) return;
    if (limits.cost_a_day === null && settings.budget.cost === null) return;
    const unpriced = await unpricedModel(settings, billedRoles(settings));
    if (unpriced === null) return;
    throw refuse(
      422,
      "unpriced-model",
      `${unpriced} has no price, so the limit of dollars cannot hold. Use another model, or ask the operator to give its price.`,
    );
  }

  async function checkLimits({ owner, limits }: Caller): Promise<void> {
    if (limits.in_flight !== null && openOf(owner) >= limits.in_flight)
      throw refuse(
        429,
        "too-many-questions",
        `Expected at most ${limits.in_flight} questions at once under this key: wait for one to end.`,
      );
    if ((await budgets.unspent(owner, limits.cost_a_day)) <= 0)
      throw refuse(
        429,
        "cost-limit",
        `Expected at most $${limits.cost_a_day} a day (UTC) under this key, and all of it is spent: ask again tomorrow.`,
      );
  }

  function hold(kept: Kept, limits: CallerLimits): void {
    const controller = new AbortController();
    const leaving = new AbortController();
    const one: Held = { kept, controller, limits, leaving, done: Promise.resolve() };
    held.set(kept.id, one);
    one.done = queue
      .add(kept.owner, () => forOwner(kept.owner, () => run(one)))
      .finally(() => {
        held.delete(kept.id);
        count();
      });
    count();
  }

  /** Answers one question; whatever comes is kept with it. */
  async function run(one: Held): Promise<void> {
    const { kept, controller, limits } = one;
    const { record } = kept;
    if (stopping || controller.signal.aborted) return one.settling;
    const [began_at, began] = [Date.now(), performance.now()];
    try {
      Object.assign(record, {
        state: "running",
        started_at: began_at,
        stages: [],
        usage: NO_USAGE,
      });
      const stop = AbortSignal.any([controller.signal, one.leaving.signal]);
      await keepOnceWritable(kept, stop);
      stop.throwIfAborted();
      const { answer, evidence } = await answering.answer(kept, limits, controller.signal);
      Object.assign(record, { answer, set: evidence.id });
      record.state = answer.status === "error" ? "failed" : "answered";
      record.failure = answer.error ?? null;
    } catch (error) {
      // What was stopped with the service stays as it is, and goes on at the next start.
      if (stopping) return;
      const cancelled = controller.signal.aborted;
      record.state = cancelled ? "cancelled" : "failed";
      if (!cancelled) record.failure = answering.failureOf(error, kept.id);
    }
    // The clock may have been set meanwhile.
    record.ended_at = began_at + Math.round(performance.now() - began);
    derived.refresh(record.asked.video);
    await settle(one);
  }

  /** Keeps the end of a question. It is shown at once, and kept as soon as the disk takes it. */
  async function settle({ kept, leaving }: Held): Promise<void> {
    const { state, strategy } = kept.record;
    metrics.settled.inc({ state, strategy });
    try {
      await keepOnceWritable(kept, leaving.signal);
    } catch (error) {
      log.error({ question: kept.id, err: error }, "the end of a question was not kept");
    }
  }

  /** What is not kept when the signal is aborted is asked again at the next start. */
  function keepOnceWritable(kept: Kept, signal: AbortSignal): Promise<void> {
    return onceWritable(
      () => keep(kept),
      signal,
      (error, tries) => {
        if (tries === 1)
          log.error({ question: kept.id, err: error }, "a question is kept once the disk takes it");
        wakes.wake(kept.id);
      },
    );
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
      one.settling = settle(one);
      await Promise.race([one.settling, sleep(CANCEL_MS)]);
    }
    return one.kept;
  }

  return {
    ask,
    again,
    cancel,
    /** The question as it stands at this moment, with the usage so far. */
    now: (row: QuestionRow): Kept => held.get(row.id)?.kept ?? readKept(row),
    /** As `now`, for a list: damaged questions are passed over and logged. */
    listed: (rows: readonly QuestionRow[]): Kept[] =>
      rows.flatMap((row) => {
        try {
          return [held.get(row.id)?.kept ?? readKept(row)];
        } catch (error) {
          log.error({ question: row.id, err: error }, "a question cannot be read");
          return [];
        }
      }),
    /** Takes up again what was open when the last process ended; what is kept damaged is passed over. */
    async resume(limitsOf: (owner: string) => Promise<CallerLimits>): Promise<number> {
      for (const row of await store.service.openQuestions())
        try {
          hold(readKept(row), await limitsOf(row.owner));
        } catch (error) {
          log.error({ question: row.id, err: error }, "a question cannot go on");
        }
      return held.size;
    },
    /** Nothing runs before. */
    begin: () => queue.start(),
    /** Cancels all questions on an upload, and removes it when none runs; meanwhile it is not there to be asked about. */
    async drop(upload: string, remove: () => Promise<void>): Promise<void> {
      going.add(upload);
      try {
        // Those that are being taken are held first.
        await oneByOne(() => undefined);
        const all = [...held.values()].filter(({ kept }) => kept.upload === upload);
        for (const { controller, leaving } of all) {
          controller.abort();
          leaving.abort();
        }
        const running = all.filter(({ kept }) => kept.record.state === "running");
        await Promise.allSettled(running.map(({ done }) => done));
        await remove();
      } finally {
        going.delete(upload);
      }
    },
    /** Begins nothing more, lets what runs end by itself for a while, then stops it where it is. */
    async stop(grace_ms: number): Promise<void> {
      stopping = true;
      queue.clear();
      const running = [...held.values()].filter(({ kept }) => kept.record.state === "running");
      const ended = Promise.allSettled(running.map(({ done }) => done));
      await Promise.race([ended, new Promise((done) => setTimeout(done, grace_ms).unref())]);
      for (const { controller, leaving } of held.values()) {
        controller.abort();
        leaving.abort();
      }
      await ended;
    },
    isStopping: () => stopping,
  };
}

export type Asking = ReturnType<typeof createAsking>;
