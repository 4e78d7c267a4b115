import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { QuestionRow, UploadRow } from "../../core/contracts.ts";
import type { Replicas } from "../../core/replicas.ts";
import { createTurns } from "../../core/turns.ts";
import type { NewQuestion } from "./api.ts";
import type { Caller } from "./auth.ts";
import { createBudgets } from "./budgets.ts";
import { cancelElsewhere, endElsewhere } from "./cancel-elsewhere.ts";
import { claimQuestions } from "./claim-questions.ts";
import type { CallerLimits } from "./options.ts";
import { ownerLimits } from "./owner-limits.ts";
import { createPlanner } from "./plan-question.ts";
import { httpProblem, notFound } from "./problems.ts";
import { createQuestionExecutor } from "./question-executor.ts";
import { checkCallerLimits } from "./question-limits.ts";
import {
  isOpen,
  parseStoredQuestion,
  type QuestionRecord,
  type StoredQuestion,
  toQuestionRow,
} from "./question-record.ts";
import type { Quota } from "./quota.ts";
import { createQuestionRunner, type QuestionRunnerContext } from "./run-question.ts";
import { mostOfOneKey } from "./share-of-key.ts";
import { newId } from "./uploads.ts";

/** How long a cancel request waits for the write. */
const CANCEL_MS = 250;

interface Planned {
  upload: UploadRow;
  record: QuestionRecord;
  id?: string;
}

/**
 * Queues questions. This process runs them, or leaves them to others: if several services share the store, the queue is in
 * its rows, and each service claims the next question when it has a free place; with remote workers, only they claim any.
 * After a restart, `resume` continues questions that were queued or running; calls that were already paid are not repeated.
 */
export function createQuestionQueue(context: QuestionRunnerContext & { quota: Quota }) {
  const { store, options, quota, changes, metrics, log } = context;
  const { concurrency, auth } = options;
  const { replicas } = store;
  const inTurn = createTurns(store.claims);
  const budgets = createBudgets(store.service);
  const runner = createQuestionRunner(context, budgets);
  const executor = createQuestionExecutor({
    ...context,
    ...{ concurrency, most: mostOfOneKey(concurrency, auth.by === "keys") },
    runner: () => runner,
    onFree: () => claiming?.wake(),
  });
  const planner = createPlanner(context, current);
  /** Uploads that are being removed. */
  const removing = new Set<string>();
  /** Serialises new questions, so that each check of limits counts the questions before it. */
  const oneByOne = pLimit(1);
  let claiming: ReturnType<typeof claimQuestions> | undefined;

  /** Stores new questions. Throws a 404 problem if a video was removed. */
  async function add(questions: readonly StoredQuestion[]): Promise<void> {
    if (replicas === null) for (const question of questions) await executor.save(question);
    else if (!(await replicas.add(questions.map(toQuestionRow)))) throw notFound("a video");
    for (const { id } of questions) changes.notify(id);
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

  /**
   * Queues all of them, or none if a limit of the caller refuses one. Returns them in the same order; a question whose id
   * exists is returned as it is.
   */
  async function enqueueAll(
    caller: Caller,
    planned: readonly Planned[],
  ): Promise<StoredQuestion[]> {
    if (executor.isStopping()) throw httpProblem(503, "stopping", "The service is shutting down.");
    return oneByOne(() => inTurn(`questions of ${caller.owner}`, () => addAll(caller, planned)));
  }

  async function addAll(caller: Caller, planned: readonly Planned[]): Promise<StoredQuestion[]> {
    const { owner, limits } = caller;
    // A request that is sent again after a crash has created some questions already.
    const asked = new Map<string, StoredQuestion>();
    for (const { id } of planned) {
      const known = id === undefined ? undefined : await store.service.question(id);
      if (known !== undefined) asked.set(known.id, current(known));
    }
    const wanted = planned.map(({ id = newId(), ...rest }) => ({ id, ...rest }));
    const added = wanted.filter(({ id }) => !asked.has(id));
    if (added.length > 0) await checkAdded(caller, added);
    const now = Date.now();
    const questions: StoredQuestion[] = [];
    for (const [place, { upload, record, id }] of added.entries()) {
      // A fraction of a millisecond keeps lists in this order.
      const created_at = now + place / 1000;
      const question = { id, upload: upload.id, owner, created_at, record };
      questions.push(question);
      asked.set(id, question);
      // Scheduled as soon as it is stored: if a later one cannot be stored, this one runs.
      if (replicas === null) await start([question], limits);
    }
    if (replicas !== null && questions.length > 0) await start(questions, limits);
    return wanted.map(({ id }) => asked.get(id) as StoredQuestion);
  }

  /** Throws a 404, 429 or 507 problem if new questions may not be added. */
  async function checkAdded(caller: Caller, added: readonly Planned[]): Promise<void> {
    const { owner } = caller;
    const others = replicas === null ? executor.countOpen(owner) : await replicas.countOpen(owner);
    await checkCallerLimits(caller, others + added.length - 1, budgets);
    await quota.checkDerived(caller);
    for (const id of new Set(added.map(({ upload }) => upload.id)))
      if ((await store.service.upload(id)) === undefined || removing.has(id))
        throw notFound("a video");
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
      if (replicas === null) executor.schedule(question, limits);
    }
    claiming?.wake();
  }

  /** Stops a queued or running question. */
  async function cancel(question: StoredQuestion): Promise<StoredQuestion> {
    const here = executor.cancel(question.id);
    if (here !== undefined) {
      if (here.saving !== undefined) await Promise.race([here.saving, delay(CANCEL_MS)]);
      return here.question;
    }
    if (executor.has(question.id) || replicas === null || !isOpen(question.record))
      throw httpProblem(
        409,
        "ended",
        `Cannot cancel the question: its state is already \`${question.record.state}\`.`,
      );
    await cancelElsewhere(question, replicas, executor.saveEnd);
    const row = await store.service.question(question.id);
    return row === undefined ? question : current(row);
  }

  /** The current state of a stored question, with the usage so far. Throws `Failure` `store-damaged`. */
  function current(row: QuestionRow): StoredQuestion {
    return executor.newerThan(row) ?? parseStoredQuestion(row);
  }

  function claim(shared: Replicas) {
    return claimQuestions({
      replicas: shared,
      ...executor.claims,
      onWaiting: (count) => metrics.queue.set({ state: "queued" }, count),
      onError: (error) => log.error({ err: error }, "cannot claim questions"),
    });
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
    async resume(): Promise<number> {
      // They are claimed, by whatever process of the store.
      if (replicas !== null) return 0;
      for (const row of await store.service.openQuestions())
        try {
          executor.schedule(parseStoredQuestion(row), await ownerLimits(store.service, row.owner));
        } catch (error) {
          log.error({ question: row.id, err: error }, "cannot resume a question");
        }
      return executor.size();
    },
    /** Starts the queue. No question runs before. */
    start(): void {
      executor.start();
      if (replicas !== null && options.workers === "local") claiming = claim(replicas);
    },
    /** Looks for questions of other processes at once. */
    wake: () => claiming?.wake(),
    /** Cancels all questions on an upload, waits until none runs, and calls `remove`. New questions get a 404 problem. */
    async removeUpload(upload: string, remove: () => Promise<void>): Promise<void> {
      removing.add(upload);
      try {
        // Questions that passed the check already are scheduled first.
        await oneByOne(() => undefined);
        await executor.dropUpload(upload);
        if (replicas !== null) await endElsewhere(upload, replicas);
        await remove();
      } finally {
        removing.delete(upload);
      }
    },
    /** Starts no more questions, waits `grace_ms` for running ones, then aborts them. */
    async stop(grace_ms: number): Promise<void> {
      executor.startNoMore();
      await executor.stop(grace_ms);
      await claiming?.stop();
      // Others continue them; these starts have ended no process.
      await Promise.allSettled([replicas?.keepOnly([]), context.usage.settle()]);
    },
    isStopping: executor.isStopping,
  };
}

export type QuestionQueue = ReturnType<typeof createQuestionQueue>;
