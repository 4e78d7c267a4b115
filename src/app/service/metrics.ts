import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { createQuestionMetrics } from "./question-metrics.ts";

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
    ...createQuestionMetrics(registry),
    streams,
    dropped,
    received,
    deliveries,
    webhooks,
    memory,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
