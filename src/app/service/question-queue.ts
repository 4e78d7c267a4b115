import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { QuestionRow, UploadRow } from "../../core/contracts.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { ClaimedQuestion, Replicas } from "../../core/replicas.ts";
import { NO_USAGE } from "../../core/shapes.ts";
import { forOwner } from "../../media/process-queue.ts";
import type { NewQuestion } from "./api.ts";
import type { Caller } from "./auth.ts";
import { createBudgets } from "./budgets.ts";
import { claimQuestions } from "./claim-questions.ts";
import { type CallerLimits, NO_LIMITS } from "./options.ts";
import { createPlanner } from "./plan-question.ts";
import { httpProblem, notFound } from "./problems.ts";
import { noteClips } from "./question-clips.ts";
import { checkCallerLimits } from "./question-limits.ts";
import {
  isOpen,
  parseStoredQuestion,
  type QuestionRecord,
  type StoredQuestion,
  toQuestionRow,
} from "./question-record.ts";
import { retryWrite } from "./retry-write.ts";
import { createQuestionRunner, type QuestionRunnerContext } from "./run-question.ts";
import { createTurns } from "./turns.ts";
import { newId } from "./uploads.ts";

/** The largest share of the concurrent questions that one key may run. */
const MAX_SHARE = 0.75;

/** How long a cancel request waits for the write. */
const CANCEL_MS = 250;

/** How long the removal of a video waits for other processes that run a question about it, and between two looks. */
const ELSEWHERE_MS = 30_000;
const ELSEWHERE_PAUSE_MS = 100;

/** Longer than a row is read. */
const ENDED_MS = 60_000;

interface OpenQuestion {
  question: StoredQuestion;
  limits: CallerLimits;
  /** Aborted when a caller cancels the question. */
  cancelled: AbortController;
  /** Aborted when the result need not be saved any more: the service stops, or the video is removed. */
  dropped: AbortController;
  /** Another process has the question now, or it was removed: nothing is stored. */
  lost?: boolean;
  /** The write of a question that was cancelled before it ran. */
  saving?: Promise<void>;
  /** Settles when the question has left the queue. */
  done: Promise<void>;
}

/**
 * Queues questions, runs a limited number at once, and stores each step. After a restart, `resume` continues questions
 * that were queued or running; calls that were already paid are not repeated. If several services share the store, the
 * queue is in its rows: each service claims the next question when it has a free place.
 */
export function createQuestionQueue(context: QuestionRunnerContext) {
  const { store, options, quota, derived, changes, metrics, log } = context;
  const { concurrency, auth } = options;
  const { replicas } = store;
  const inTurn = createTurns(store.claims);
  const max = auth.by === "keys" ? Math.ceil(concurrency * MAX_SHARE) : concurrency;
  const queue = createFairQueue(concurrency, max);
  /** Questions that are queued or running in this process. */
  const open = new Map<string, OpenQuestion>();
  /** Questions that ended a moment ago: a row that was read before their end was stored is older. */
  const ended = new Map<string, StoredQuestion>();
  /** Uploads that are being removed. */
  const removing = new Set<string>();
  const budgets = createBudgets(store.service);
  const runner = createQuestionRunner(context, budgets);
  const planner = createPlanner(context, current);
  /** Serialises new questions, so that each check of limits counts the questions before it. */
  const oneByOne = pLimit(1);
  let stopping = false;
  /** Claimed questions whose rows are damaged. */
  const unreadable = new Set<string>();
  let claiming: ReturnType<typeof claimQuestions> | undefined;
  let ownerLimits: (owner: string) => Promise<CallerLimits> = async () => NO_LIMITS;

  /** Stores a question that this process runs. */
  async function save(question: StoredQuestion): Promise<void> {
    const row = toQuestionRow(question);
    if (replicas === null) await store.service.putQuestion(row);
    else if (!(await replicas.put(row))) {
      lose(question.id);
      throw new Failure("cancelled", "Another process runs the question, or it was removed.");
    }
    changes.notify(question.id);
    updateMetrics();
  }

  /** Ends a question here, without storing anything. */
  function lose(id: string): void {
    const one = open.get(id);
    if (one === undefined) return;
    one.lost = true;
    one.dropped.abort();
    one.cancelled.abort();
  }

  /** Stores new questions. Throws a 404 problem if a video was removed. */
  async function add(questions: readonly StoredQuestion[]): Promise<void> {
    if (replicas === null) for (const question of questions) await save(question);
    else if (!(await replicas.add(questions.map(toQuestionRow)))) throw notFound("a video");
    for (const { id } of questions) changes.notify(id);
  }

  function updateMetrics(): void {
    metrics.queue.set({ state: "running" }, queue.running());
    if (replicas === null) metrics.queue.set({ state: "queued" }, queue.waiting());
  }

  async function enqueue(
    caller: Caller,
    upload: UploadRow,
    record: QuestionRecord,
    id: string,
  ): Promise<StoredQuestion> {
    const [question] = await enqueueAll(caller, [{ upload, record, id }]);
    return question as StoredQuestion;
  }

  /** Queues all of them, or none if a limit of the caller refuses one. */
  async function enqueueAll(
    caller: Caller,
    planned: readonly { upload: UploadRow; record: QuestionRecord; id?: string }[],
  ): Promise<StoredQuestion[]> {
    if (stopping) throw httpProblem(503, "stopping", "The service is shutting down.");
    return oneByOne(() => inTurn(`questions of ${caller.owner}`, () => addAll(caller, planned)));
  }

  async function addAll(
    caller: Caller,
    planned: readonly { upload: UploadRow; record: QuestionRecord; id?: string }[],
  ): Promise<StoredQuestion[]> {
    const { owner, limits } = caller;
    // A request that is sent again after a crash has created the question already.
    const known = await store.service.question(planned[0]?.id ?? "");
    if (known !== undefined) return [current(known)];
    const others = replicas === null ? countOpen(owner) : await replicas.countOpen(owner);
    await checkCallerLimits(caller, others + planned.length - 1, budgets);
    await quota.checkDerived(caller);
    for (const id of new Set(planned.map(({ upload }) => upload.id)))
      if ((await store.service.upload(id)) === undefined || removing.has(id))
        throw notFound("a video");
    const now = Date.now();
    const questions: StoredQuestion[] = [];
    for (const [place, { upload, record, id = newId() }] of planned.entries()) {
      // A fraction of a millisecond keeps lists in this order.
      const created_at = now + place / 1000;
      const question = { id, upload: upload.id, owner, created_at, record };
      questions.push(question);
      // Scheduled as soon as it is stored: if a later one cannot be stored, this one runs.
      if (replicas === null) await start([question], limits);
    }
    if (replicas !== null) await start(questions, limits);
    return questions;
  }

  async function start(questions: readonly StoredQuestion[], limits: CallerLimits): Promise<void> {
    await add(questions);
    for (const question of questions) {
      const { owner, record } = question;
      const { strategy, model } = record;
      await context.usage
        .question({ owner, strategy, model })
        .catch((error: unknown) =>
          log.error({ question: question.id, err: error }, "cannot store the use of a question"),
        );
      if (replicas === null) schedule(question, limits);
    }
    claiming?.wake();
  }

  function countOpen(owner: string): number {
    const all = [...open.values()];
    return all.filter(({ question }) => question.owner === owner && isOpen(question.record)).length;
  }

  /** Runs a claimed question, or ends it if it was cancelled while nobody ran it. */
  async function runClaimed({ row, cancelled }: ClaimedQuestion): Promise<void> {
    try {
      const question = parseStoredQuestion(row);
      if (!cancelled) return schedule(question, await ownerLimits(question.owner));
      Object.assign(question.record, { state: "cancelled", ended_at: Date.now() });
      await saveEnd({ question, dropped: new AbortController() });
    } catch (error) {
      // It is not claimed again and again.
      if (isFailure(error, "store-damaged")) unreadable.add(row.id);
      log.error({ question: row.id, err: error }, "cannot run a stored question");
    }
  }

  function schedule(question: StoredQuestion, limits: CallerLimits): void {
    const one: OpenQuestion = {
      question,
      limits,
      cancelled: new AbortController(),
      dropped: new AbortController(),
      done: Promise.resolve(),
    };
    open.set(question.id, one);
    one.done = queue
      .add(question.owner, () => forOwner(question.owner, () => run(one)))
      .finally(() => {
        // A lost question may have been claimed again.
        if (open.get(question.id) === one) open.delete(question.id);
        if (!one.lost) ended.set(question.id, question);
        setTimeout(() => ended.delete(question.id), ENDED_MS).unref();
        updateMetrics();
        claiming?.wake();
      });
    updateMetrics();
  }

  /** Runs one question and stores its answer or failure. */
  async function run(one: OpenQuestion): Promise<void> {
    const { question, cancelled, limits } = one;
    const { record } = question;
    if (stopping || cancelled.signal.aborted) return one.saving;
    const [started_at, started] = [Date.now(), performance.now()];
    try {
      Object.assign(record, {
        state: "running",
        started_at,
        stages: [],
        timings: [],
        usage: NO_USAGE,
      });
      const stop = AbortSignal.any([cancelled.signal, one.dropped.signal]);
      await saveWithRetry(question, stop);
      stop.throwIfAborted();
      const { answer, evidence } = await runner.run(question, limits, cancelled.signal);
      Object.assign(record, { answer, set: evidence.id });
      if (record.asked.task === "order") noteClips(record, answer, evidence.items);
      record.state = answer.status === "error" ? "failed" : "answered";
      record.failure = answer.error ?? null;
    } catch (error) {
      // A question that was interrupted by a shutdown keeps its state and continues at the next start.
      // One that another process has now is left to it.
      if (stopping || one.lost) return;
      const wasCancelled = cancelled.signal.aborted;
      record.state = wasCancelled ? "cancelled" : "failed";
      if (!wasCancelled) record.failure = runner.toFailureView(error, question.id);
    }
    // The monotonic clock: the system clock may have been set during the run.
    record.ended_at = started_at + Math.round(performance.now() - started);
    derived.refresh(record.asked.video);
    await saveEnd(one);
  }

  /** Stores the end of a question. It is shown at once, and stored as soon as the disk accepts writes. */
  async function saveEnd({
    question,
    dropped,
  }: Pick<OpenQuestion, "question" | "dropped">): Promise<void> {
    const { state, strategy } = question.record;
    metrics.settled.inc({ state, strategy });
    try {
      await saveWithRetry(question, dropped.signal);
    } catch (error) {
      log.error({ question: question.id, err: error }, "cannot store the end of a question");
    }
  }

  /** A question whose end is not stored when the signal is aborted runs again at the next start. */
  function saveWithRetry(question: StoredQuestion, signal: AbortSignal): Promise<void> {
    return retryWrite(
      () => save(question),
      signal,
      (error, tries) => {
        if (tries === 1)
          log.error(
            { question: question.id, err: error },
            "cannot store a question; retrying until the store accepts writes",
          );
        changes.notify(question.id);
      },
    );
  }

  /** Stops a queued or running question. */
  async function cancel(question: StoredQuestion): Promise<StoredQuestion> {
    const one = open.get(question.id);
    if (one === undefined && replicas !== null && isOpen(question.record))
      return cancelElsewhere(question, replicas);
    if (one === undefined || !isOpen(one.question.record))
      throw httpProblem(
        409,
        "ended",
        `Cannot cancel the question: its state is already \`${question.record.state}\`.`,
      );
    one.cancelled.abort();
    if (one.question.record.state === "queued") {
      Object.assign(one.question.record, { state: "cancelled", ended_at: Date.now() });
      one.saving = saveEnd(one);
      await Promise.race([one.saving, delay(CANCEL_MS)]);
    }
    return one.question;
  }

  /** Cancels a question that waits for a process, or tells the one that runs it. */
  async function cancelElsewhere(question: StoredQuestion, replicas: Replicas) {
    // Whoever claims it from now on ends it.
    await replicas.cancel(question.id);
    if (await replicas.claimOne(question.id)) {
      Object.assign(question.record, { state: "cancelled", ended_at: Date.now() });
      await saveEnd({ question, dropped: new AbortController() });
    }
    const row = await store.service.question(question.id);
    return row === undefined ? question : current(row);
  }

  /** Waits until no other process runs a question about an upload. */
  async function endElsewhere(upload: string, replicas: Replicas): Promise<void> {
    const until = performance.now() + ELSEWHERE_MS;
    while ((await replicas.cancelUpload(upload)) > 0 && performance.now() < until)
      await delay(ELSEWHERE_PAUSE_MS);
  }

  /** The current state of a stored question, with the usage so far. Throws `Failure` `store-damaged`. */
  function current(row: QuestionRow): StoredQuestion {
    const known = open.get(row.id)?.question ?? (row.open ? ended.get(row.id) : undefined);
    return known ?? parseStoredQuestion(row);
  }

  return {
    /** Queues a new question. Throws as `plan`, and a 404, 429 or 507 problem. */
    ask: async (
      caller: Caller,
      upload: UploadRow,
      request: NewQuestion,
      id = newId(),
    ): Promise<StoredQuestion> =>
      enqueue(caller, upload, await planner.plan(caller, upload, request), id),
    plan: planner.plan,
    enqueueAll,
    /** Queues a new question that reasons over the current evidence set of `question`. Throws as `planAgain` and `ask`. */
    reasonAgain: async (
      caller: Caller,
      upload: UploadRow,
      question: StoredQuestion,
      id = newId(),
    ): Promise<StoredQuestion> =>
      enqueue(caller, upload, await planner.planAgain(caller, question), id),
    cancel,
    current,
    /** As `current`, for a list. Damaged rows are logged and left out. */
    list: (rows: readonly QuestionRow[]): StoredQuestion[] =>
      rows.flatMap((row) => {
        try {
          return [current(row)];
        } catch (error) {
          log.error({ question: row.id, err: error }, "cannot read a stored question");
          return [];
        }
      }),
    /** Schedules the questions that were open when the last process ended. Damaged rows are logged and left out. */
    async resume(limitsOf: (owner: string) => Promise<CallerLimits>): Promise<number> {
      ownerLimits = limitsOf;
      // They are claimed, by whatever process of the store.
      if (replicas !== null) return 0;
      for (const row of await store.service.openQuestions())
        try {
          schedule(parseStoredQuestion(row), await limitsOf(row.owner));
        } catch (error) {
          log.error({ question: row.id, err: error }, "cannot resume a question");
        }
      return open.size;
    },
    /** Starts the queue. No question runs before. */
    start(): void {
      queue.start();
      if (replicas === null) return;
      claiming = claimQuestions({
        replicas,
        most: max,
        free: () => (stopping ? 0 : concurrency - open.size),
        running: () => [...open.keys(), ...unreadable],
        onClaim: runClaimed,
        onControl(id, control) {
          if (control === "lost") lose(id);
          else if (control === "cancel") open.get(id)?.cancelled.abort();
        },
        onWaiting: (count) => metrics.queue.set({ state: "queued" }, count),
        onError: (error) => log.error({ err: error }, "cannot claim questions"),
      });
    },
    /** Looks for questions of other processes at once. */
    wake: () => claiming?.wake(),
    /** Cancels all questions on an upload, waits until none runs, and calls `remove`. New questions get a 404 problem. */
    async removeUpload(upload: string, remove: () => Promise<void>): Promise<void> {
      removing.add(upload);
      try {
        // Questions that passed the check already are scheduled first.
        await oneByOne(() => undefined);
        const all = [...open.values()].filter(({ question }) => question.upload === upload);
        for (const { cancelled, dropped } of all) {
          cancelled.abort();
          dropped.abort();
        }
        const running = all.filter(({ question }) => question.record.state === "running");
        await Promise.allSettled(running.map(({ done }) => done));
        if (replicas !== null) await endElsewhere(upload, replicas);
        await remove();
      } finally {
        removing.delete(upload);
      }
    },
    /** Starts no more questions, waits `grace_ms` for running ones, then aborts them. */
    async stop(grace_ms: number): Promise<void> {
      stopping = true;
      await claiming?.stop();
      queue.clear();
      const running = [...open.values()].filter(
        ({ question }) => question.record.state === "running",
      );
      const ended = Promise.allSettled(running.map(({ done }) => done));
      await Promise.race([ended, new Promise((done) => setTimeout(done, grace_ms).unref())]);
      for (const { cancelled, dropped } of open.values()) {
        cancelled.abort();
        dropped.abort();
      }
      await ended;
    },
    isStopping: () => stopping,
  };
}

export type QuestionQueue = ReturnType<typeof createQuestionQueue>;
