import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Event } from "../../core/events.ts";

/** Prometheus metrics of one service, summed over all callers. No label names a key. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "video_rrd_http_requests_total",
    help: "HTTP requests",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const requestSeconds = new Histogram({
    name: "video_rrd_http_request_seconds",
    help: "Seconds until the response headers",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers,
  });
  const stageSeconds = new Histogram({
    name: "video_rrd_stage_seconds",
    help: "Duration of a stage of a question in seconds",
    labelNames: ["stage"],
    buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
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
  const streams = new Gauge({
    name: "video_rrd_event_streams",
    help: "Open event streams",
    registers,
  });
  const dropped = new Counter({
    name: "video_rrd_event_streams_dropped_total",
    help: "Event streams that were closed because the client did not read",
    registers,
  });
  const received = new Counter({
    name: "video_rrd_upload_bytes_total",
    help: "Bytes of uploads received",
    registers,
  });
  const deliveries = new Counter({
    name: "video_rrd_webhook_deliveries_total",
    help: "Calls of the webhook; the label result is delivered, failed (tried again later) or dead",
    labelNames: ["event", "result"],
    registers,
  });
  const webhooks = new Gauge({
    name: "video_rrd_webhook_queue",
    help: "Calls of the webhook that wait for an attempt (open), or were given up (dead)",
    labelNames: ["state"],
    registers,
  });
  const memory = new Gauge({
    name: "video_rrd_resident_bytes",
    help: "Resident memory of the process in bytes",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });

  return {
    registry,
    requests,
    requestSeconds,
    settled,
    queue,
    streams,
    dropped,
    received,
    deliveries,
    webhooks,
    memory,
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

export type Metrics = ReturnType<typeof createMetrics>;
