import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { AskResult } from "../../../graphs/ask.ts";
import type { QuestionRow, Store } from "../../core/contracts.ts";
import { isFailure } from "../../core/errors.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import { isLostQuestion } from "../../core/lost-question.ts";
import type { ClaimedQuestion, QuestionControl } from "../../core/replicas.ts";
import { NO_USAGE } from "../../core/shapes.ts";
import { forOwner } from "../../media/process-queue.ts";
import { checkSpace } from "../../storage/check-space.ts";
import type { ChangeNotifier } from "./change-notifier.ts";
import type { DerivedSize } from "./derived-size.ts";
import type { CallerLimits } from "./options.ts";
import { ownerLimits } from "./owner-limits.ts";
import { noteClips } from "./question-clips.ts";
import type { QuestionMetrics } from "./question-metrics.ts";
import { isOpen, parseStoredQuestion, type StoredQuestion } from "./question-record.ts";
import { isLastStart, parked } from "./question-starts.ts";
import { isStoreAway, pauseAfter, retryWrite } from "./retry-write.ts";
import type { QuestionRunner } from "./run-question.ts";
import { writeQuestions } from "./write-questions.ts";

/** Longer than a row is read. */
const ENDED_MS = 60_000;

/** Longest pause before a question runs again after the disk or the database was away: each run may bill a call. */
const LONGEST_PAUSE_MS = 300_000;

interface ExecutorContext {
  store: Pick<Store, "folder" | "service" | "replicas">;
  /** Questions that run concurrently. */
  concurrency: number;
  /** Those of one owner. */
  most: number;
  /** Runs one question, with the options of now. */
  runner: () => QuestionRunner;
  derived: Pick<DerivedSize, "refresh">;
  changes: Pick<ChangeNotifier, "notify">;
  metrics: Pick<QuestionMetrics, "queue" | "settled">;
  log: Logger;
  /** A place is free. */
  onFree: () => void;
}

interface OpenQuestion {
  question: StoredQuestion;
  limits: CallerLimits;
  /** It runs while no other does: earlier starts of it have ended their process. */
  alone: boolean;
  /** Aborted when a caller cancels the question. */
  cancelled: AbortController;
  /** Aborted when the result need not be saved any more: the process stops, or the video is removed. */
  dropped: AbortController;
  /** Another process has the question now, or it was removed: nothing is stored. */
  lost?: boolean;
  /** The write of a question that was cancelled before it ran. */
  saving?: Promise<void>;
  /** Settles when the question has left the queue. */
  done: Promise<void>;
}

/** Runs a limited number of questions at once in this process, in fair order, and stores each step. */
export function createQuestionExecutor(context: ExecutorContext) {
  const { store, concurrency, most, runner, derived, metrics, log } = context;
  const queue = createFairQueue(concurrency, most);
  /** Questions that are queued or running in this process. */
  const open = new Map<string, OpenQuestion>();
  /** Questions that ended a moment ago: a row that was read before their end was stored is older. */
  const ended = new Map<string, StoredQuestion>();
  /** Claimed questions whose rows are damaged. */
  const unreadable = new Set<string>();
  const { save, saveWithRetry, saveEnd } = writeQuestions(context, lose);
  let stopping = false;
  /** Aborted when the process stops: no question waits any longer. */
  const ending = new AbortController();

  /** Ends a question here, without storing anything. */
  function lose(id: string): void {
    const one = open.get(id);
    if (one === undefined) return;
    one.lost = true;
    one.dropped.abort();
    one.cancelled.abort();
  }

  function updateMetrics(): void {
    metrics.queue.set({ state: "running" }, queue.running());
    if (store.replicas === null) metrics.queue.set({ state: "queued" }, queue.waiting());
  }

  function schedule(question: StoredQuestion, limits: CallerLimits, alone = false): void {
    const one: OpenQuestion = {
      question,
      limits,
      alone,
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
        context.onFree();
      });
    updateMetrics();
  }

  /** Runs one question and stores its answer or failure. */
  async function run(one: OpenQuestion): Promise<void> {
    const { question, cancelled } = one;
    const { record } = question;
    if (one.alone) await othersEnd(one);
    if (stopping || cancelled.signal.aborted) return one.saving;
    const [started_at, started] = [Date.now(), performance.now()];
    try {
      Object.assign(record, { state: "running", started_at });
      const { answer, evidence } = await runUntilStored(one);
      // Whoever ended this process may have ended what it runs, too: the question continues at the next start.
      if (answer.status === "error" && (stopping || one.lost)) return;
      Object.assign(record, { answer, set: evidence.id });
      if (record.asked.task === "order") noteClips(record, answer, evidence.items);
      record.state = answer.status === "error" ? "failed" : "answered";
      record.failure = answer.error ?? null;
    } catch (error) {
      // A question that was interrupted by a shutdown keeps its state and continues at the next start.
      // One that another process has now is left to it.
      const wasCancelled = cancelled.signal.aborted;
      one.lost ||= isLostQuestion(error);
      const byCaller = wasCancelled && !one.dropped.signal.aborted;
      if ((stopping && !byCaller) || one.lost) return;
      record.state = wasCancelled ? "cancelled" : "failed";
      if (!wasCancelled) record.failure = runner().toFailureView(error, question.id);
    }
    if (record.state === "failed")
      log.warn(
        { question: question.id, strategy: record.strategy, kind: record.failure?.kind },
        "a question failed",
      );
    // The monotonic clock: the system clock may have been set during the run.
    record.ended_at = started_at + Math.round(performance.now() - started);
    derived.refresh(record.asked.video);
    await saveEnd(question, one.dropped.signal);
  }

  /**
   * Runs a question. If the disk or the database fails, the question stays open, and runs again once both accept writes;
   * what was stored is not called again.
   */
  async function runUntilStored(one: OpenQuestion): Promise<AskResult> {
    const { question, limits, cancelled } = one;
    const stop = AbortSignal.any([cancelled.signal, one.dropped.signal, ending.signal]);
    for (let tries = 1; ; tries++) {
      Object.assign(question.record, { stages: [], timings: [], usage: NO_USAGE });
      await saveWithRetry(question, stop);
      updateMetrics();
      stop.throwIfAborted();
      try {
        return await runner().run(question, limits, cancelled.signal);
      } catch (error) {
        if (!isStoreAway(error) || stop.aborted) throw error;
        log.error(
          { question: question.id, err: error },
          "a question waits until the store accepts writes",
        );
      }
      await sleep(pauseAfter(tries, LONGEST_PAUSE_MS), undefined, { signal: stop });
      // A write of one row may succeed on a full disk.
      await retryWrite(
        () => checkSpace(store.folder),
        stop,
        () => {},
      );
    }
  }

  async function othersEnd(one: OpenQuestion): Promise<void> {
    const others = [...open.values()].filter((other) => other !== one);
    await Promise.race([
      Promise.allSettled(others.map(({ done }) => done)),
      new Promise((done) => one.cancelled.signal.addEventListener("abort", done, { once: true })),
    ]);
  }

  /** Runs a claimed question, or ends it if it was cancelled while nobody ran it, or has ended too many processes. */
  async function runClaimed({ row, cancelled, starts }: ClaimedQuestion): Promise<void> {
    try {
      const question = parseStoredQuestion(row);
      if (!cancelled && !parked(question.record, starts))
        return schedule(
          question,
          await ownerLimits(store.service, question.owner),
          isLastStart(starts),
        );
      if (cancelled) Object.assign(question.record, { state: "cancelled", ended_at: Date.now() });
      await saveEnd(question);
    } catch (error) {
      // It is not claimed again and again.
      if (isFailure(error, "store-damaged")) unreadable.add(row.id);
      log.error({ question: row.id, err: error }, "cannot run a stored question");
    }
  }

  const all = () => [...open.values()];
  return {
    save,
    saveEnd,
    schedule,
    /** Starts the queue. No question runs before. */
    start: () => queue.start(),
    size: () => open.size,
    /** Whether this process has the question. */
    has: (id: string): boolean => open.has(id),
    /** How the questions of a store that several processes share are claimed. */
    claims: {
      most: () => most,
      free: () =>
        stopping || all().some(({ alone }) => alone) ? 0 : Math.max(0, concurrency - open.size),
      running: () => [...open.keys(), ...unreadable],
      onClaim: runClaimed,
      onControl(id: string, control: QuestionControl): void {
        if (control === "lost") lose(id);
        else if (control === "cancel") open.get(id)?.cancelled.abort();
      },
    },
    /** Open questions of an owner in this process. */
    countOpen: (owner: string): number =>
      all().filter(({ question }) => question.owner === owner && isOpen(question.record)).length,
    /** A question that this process has, or had a moment ago, is newer than its row. */
    newerThan: (row: QuestionRow): StoredQuestion | undefined =>
      open.get(row.id)?.question ?? (row.open ? ended.get(row.id) : undefined),
    /**
     * Cancels a question of this process. Undefined: it has no such open one. `saving`: the write of the end of one that has
     * not begun.
     */
    cancel(id: string): { question: StoredQuestion; saving?: Promise<void> } | undefined {
      const one = open.get(id);
      if (one === undefined || !isOpen(one.question.record)) return undefined;
      one.cancelled.abort();
      if (one.question.record.state !== "queued") return one;
      Object.assign(one.question.record, { state: "cancelled", ended_at: Date.now() });
      one.saving = saveEnd(one.question, one.dropped.signal);
      return one;
    },
    /** Ends the questions about an upload without storing them, and waits until none runs. */
    async dropUpload(upload: string): Promise<void> {
      const some = all().filter(({ question }) => question.upload === upload);
      for (const { cancelled, dropped } of some) {
        cancelled.abort();
        dropped.abort();
      }
      const running = some.filter(({ question }) => question.record.state === "running");
      await Promise.allSettled(running.map(({ done }) => done));
    },
    startNoMore(): void {
      stopping = true;
    },
    /** Starts no more questions, waits `grace_ms` for running ones, then aborts them. */
    async stop(grace_ms: number): Promise<void> {
      stopping = true;
      ending.abort();
      queue.clear();
      const running = all().filter(({ question }) => question.record.state === "running");
      const ended = Promise.allSettled(running.map(({ done }) => done));
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        ended,
        new Promise((done) => {
          timer = setTimeout(done, grace_ms).unref();
        }),
      ]);
      clearTimeout(timer);
      for (const { cancelled, dropped } of open.values()) {
        cancelled.abort();
        dropped.abort();
      }
      await ended;
    },
    isStopping: () => stopping,
  };
}

export type QuestionExecutor = ReturnType<typeof createQuestionExecutor>;
