import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Event } from "../../core/events.ts";

/** Limits of the histograms of stages, in seconds: from one that only reads the store to one over a long film. */
export const STAGE_BUCKETS_S = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800];

/** Prometheus metrics of the questions that a process answers. */
export function createQuestionMetrics(registry: Registry) {
  const registers = [registry];
  const stageSeconds = new Histogram({
    name: "video_rrd_stage_seconds",
    help: "Duration of a stage of a question in seconds",
    labelNames: ["stage"],
    buckets: STAGE_BUCKETS_S,
    registers,
  });
  const calls = new Counter({
    name: "video_rrd_model_calls_total",
    help: "Model calls; the label cached tells those answered from the cache",
    labelNames: ["model", "role", "cached", "finish"],
    registers,
  });
  const tokens = new Counter({
    name: "video_rrd_tokens_total",
    help: "Tokens of model calls that were sent to a provider",
    labelNames: ["model", "direction"],
    registers,
  });
  const cost = new Counter({
    name: "video_rrd_cost_dollars_total",
    help: "Dollars paid by all callers, by the known prices",
    labelNames: ["model"],
    registers,
  });
  const settled = new Counter({
    name: "video_rrd_questions_total",
    help: "Questions that ended",
    labelNames: ["state", "strategy"],
    registers,
  });
  const queue = new Gauge({
    name: "video_rrd_questions",
    help: "Questions that are queued or running",
    labelNames: ["state"],
    registers,
  });

  return {
    settled,
    queue,
    /** Updates the metrics of stages and model calls. */
    onEvent(event: Event): void {
      if (event.type === "stage" && event.state === "end")
        stageSeconds.observe({ stage: event.stage }, event.seconds ?? 0);
      if (event.type !== "call") return;
      const { model, role, cached, finish, usage } = event.call;
      calls.inc({ model, role, cached: String(cached), finish });
      if (usage.paid !== null) cost.inc({ model }, usage.paid);
      if (cached) return;
      tokens.inc({ model, direction: "input" }, usage.input);
      tokens.inc({ model, direction: "output" }, usage.output);
    },
  };
}

export type QuestionMetrics = ReturnType<typeof createQuestionMetrics>;
