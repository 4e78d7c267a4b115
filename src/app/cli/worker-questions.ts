import { pino } from "pino";
import { Registry } from "prom-client";
import type { WorkerSettings } from "../../../evals/workers/planned-work.ts";
import type { WorkerOptions } from "../../../evals/workers/worker-options.ts";
import type { Store } from "../../core/contracts.ts";
import { SERVICE_QUESTIONS } from "../../core/shared-runs.ts";
import { createQuestionMetrics } from "../service/question-metrics.ts";
import { answerQuestions } from "../service/workers/answer-questions.ts";
import { say } from "./output.ts";
import type { WorkerMetrics } from "./worker-metrics.ts";

/** The questions of `serve --workers remote`, as other work of a worker. */
export function questionsOfServices(
  store: Store,
  of: { concurrency: number; settings: WorkerSettings; metrics: WorkerMetrics | undefined },
): NonNullable<WorkerOptions["also"]> {
  const { concurrency, settings } = of;
  return (session) => {
    const { replicas } = store;
    if (replicas === null) return { stop: async () => {} };
    return answerQuestions(replicas, {
      ...{ store, concurrency, settings, onNote: say },
      metrics: createQuestionMetrics(of.metrics?.registry ?? new Registry()),
      log: pino({ level: "warn", base: undefined }, pino.destination(2)),
      refuse: (why) => session.refuse(SERVICE_QUESTIONS, why),
    });
  };
}
