import type { Logger } from "pino";
import type { Store } from "../../core/contracts.ts";
import { lostQuestion } from "../../core/lost-question.ts";
import type { ChangeNotifier } from "./change-notifier.ts";
import type { QuestionMetrics } from "./question-metrics.ts";
import { type StoredQuestion, toQuestionRow } from "./question-record.ts";
import { retryWrite } from "./retry-write.ts";

interface WriterContext {
  store: Pick<Store, "service" | "replicas">;
  changes: Pick<ChangeNotifier, "notify">;
  metrics: Pick<QuestionMetrics, "settled">;
  log: Logger;
}

/** Writes the questions that this process runs. `onLost`: another process has the question now, or it was removed. */
export function writeQuestions(
  { store, changes, metrics, log }: WriterContext,
  onLost: (id: string) => void,
) {
  const { replicas } = store;

  /** Throws `Failure` `cancelled` for a question that this process does not have any more. */
  async function save(question: StoredQuestion): Promise<void> {
    const row = toQuestionRow(question);
    if (replicas === null) await store.service.putQuestion(row);
    else if (!(await replicas.put(row))) {
      onLost(question.id);
      throw lostQuestion();
    }
    changes.notify(question.id);
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

  return {
    save,
    saveWithRetry,
    /** Stores the end of a question. It is shown at once, and stored as soon as the disk accepts writes. */
    async saveEnd(
      question: StoredQuestion,
      dropped: AbortSignal = new AbortController().signal,
    ): Promise<void> {
      const { state, strategy } = question.record;
      metrics.settled.inc({ state, strategy });
      try {
        await saveWithRetry(question, dropped);
      } catch (error) {
        log.error({ question: question.id, err: error }, "cannot store the end of a question");
      }
    },
  };
}
