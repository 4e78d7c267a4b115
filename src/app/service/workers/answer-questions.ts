import type { Logger } from "pino";
import type { WorkerSettings } from "../../../../evals/workers/planned-work.ts";
import type { Store } from "../../../core/contracts.ts";
import { toFailure } from "../../../core/errors.ts";
import type { Replicas } from "../../../core/replicas.ts";
import { checkSpace } from "../../../storage/check-space.ts";
import { createBudgets } from "../budgets.ts";
import { claimQuestions } from "../claim-questions.ts";
import { createPathHider } from "../hide-paths.ts";
import { createQuestionExecutor } from "../question-executor.ts";
import type { QuestionMetrics } from "../question-metrics.ts";
import { createQuestionRunner, type QuestionRunner } from "../run-question.ts";
import { joinAsWorker } from "../service-lock.ts";
import { mostOfOneKey } from "../share-of-key.ts";
import { createUploadFiles } from "../upload-files.ts";
import { createUsageRecorder } from "../usage-recorder.ts";
import { acceptPlan } from "./accept-plan.ts";
import { cleanCopies } from "./clean-copies.ts";

/** A refused plan is looked at again after this time: a folder may have been mounted. */
const REFUSED_MS = 30_000;
/** The cache may have hundreds of thousands of files. */
const CLEAN_MS = 3_600_000;

export interface AnswerQuestionsOptions {
  store: Store;
  /** Questions at once. */
  concurrency: number;
  settings: WorkerSettings;
  metrics: QuestionMetrics;
  log: Logger;
  onNote(text: string): void;
  /** Says why this worker answers no questions; null: it does, or there is no service. */
  refuse(why: string | null): Promise<void>;
}

export interface AnsweringQuestions {
  /** Takes no more questions, waits `grace_ms` for those at work, and leaves the others to other workers. */
  stop(grace_ms: number): Promise<void>;
}

/**
 * Answers the questions of the services of a store that leave them to workers, as soon as there is such a service, until it
 * is stopped.
 */
export function answerQuestions(
  replicas: Replicas,
  { store, concurrency, settings, metrics, log, onNote, refuse }: AnswerQuestionsOptions,
): AnsweringQuestions {
  const { path } = createUploadFiles(store);
  const parts = {
    ...{ store, metrics, log, uploads: { pathOf: path } },
    hidePaths: createPathHider(store.folder),
    usage: createUsageRecorder(store.service),
    // The service tells its clients of changes, and counts what is stored.
    changes: { notify: () => {} },
    derived: { refresh: () => false },
  };
  const budgets = createBudgets(store.service);
  let runner: QuestionRunner | undefined;
  const executor = createQuestionExecutor({
    ...parts,
    ...{ concurrency, most: concurrency },
    runner: () => runner as QuestionRunner,
    onFree: () => claiming.wake(),
  });
  /** The plan by which questions are claimed. */
  let current: { json: string; most: number } | null = null;
  let refused: { json: string; why: string; until: number } | null = null;
  let watching: { stop(): Promise<void> } | undefined;
  let cleaning: NodeJS.Timeout | undefined;
  let cleaned = Promise.resolve();
  /** Whether commands that remove data see this worker. */
  let isJoined = false;

  /** Whether questions may be claimed, by the plan of now. */
  async function isReady(): Promise<boolean> {
    const json = await replicas.plan();
    if (json !== null && json === current?.json) return true;
    if (json !== null && (await accept(json))) return true;
    // Questions at work go on.
    current = null;
    if (json === null && refused !== null) {
      refused = null;
      await refuse(null);
    }
    if (isJoined && executor.size() === 0) {
      await replicas.leave();
      isJoined = false;
    }
    return false;
  }

  async function accept(json: string): Promise<boolean> {
    if (refused?.json === json && refused.until > performance.now()) return false;
    try {
      await checkSpace(store.folder);
      const accepted = await acceptPlan(json, store, settings, concurrency);
      if (!isJoined) await join();
      const { auth } = accepted.options;
      runner = createQuestionRunner({ ...parts, ...accepted }, budgets);
      current = { json, most: mostOfOneKey(concurrency, auth.by === "keys") };
      if (refused !== null) await refuse(null);
      refused = null;
      onNote("Answers the questions of the service.");
      return true;
    } catch (error) {
      const { message } = toFailure(error, "data-malformed", "reading the plan of the service");
      if (refused?.why !== message)
        onNote(`Cannot answer the questions of the service: ${message}`);
      refused = { json, why: message, until: performance.now() + REFUSED_MS };
      await refuse(message);
      return false;
    }
  }

  async function join(): Promise<void> {
    await joinAsWorker(store, replicas);
    isJoined = true;
    watching ??= await replicas.watch(({ question }) => {
      if (question !== null) claiming.wake();
    });
    const clean = () => {
      cleaned = cleanCopies(store).catch((error: unknown) =>
        log.error({ err: error }, "cannot clean the copies of videos"),
      );
    };
    cleaning ??= setInterval(clean, CLEAN_MS).unref();
    clean();
  }

  const claiming = claimQuestions({
    replicas,
    ...executor.claims,
    isReady,
    most: () => current?.most ?? 0,
    free: () => (current === null ? 0 : executor.claims.free()),
    onWaiting: () => {},
    onError: (error) => log.error({ err: error }, "cannot claim questions"),
  });
  executor.start();

  return {
    async stop(grace_ms) {
      executor.startNoMore();
      await executor.stop(grace_ms);
      await claiming.stop();
      // Others continue them; these starts have ended no process.
      await Promise.allSettled([replicas.keepOnly([]), parts.usage.settle()]);
      clearInterval(cleaning);
      await cleaned;
      await watching?.stop();
    },
  };
}
