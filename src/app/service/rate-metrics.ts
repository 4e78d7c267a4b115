import { Counter, Gauge, type Registry } from "prom-client";
import type { Store } from "../../core/contracts.ts";
import { rateViews } from "../../models/rate-limit/endpoint.ts";
import type { RateView } from "../../models/rate-limit/rate-limiter.ts";

/** Metrics of this process by endpoint. */
const GAUGES: Record<string, { help: string; of: (view: RateView) => number }> = {
  video_rrd_model_rate_share: {
    help: "Share of the rate limit in use, below 1 after a 429",
    of: ({ share }) => share,
  },
  video_rrd_model_rate_waiting: {
    help: "Requests of this process that wait for the rate limit",
    of: ({ waiting }) => waiting,
  },
};
const COUNTERS: typeof GAUGES = {
  video_rrd_model_rate_waits_total: {
    help: "Requests of this process that waited for the rate limit",
    of: ({ waited }) => waited,
  },
  video_rrd_model_rate_wait_seconds_total: {
    help: "Seconds for which requests of this process waited for the rate limit",
    of: ({ waited_s }) => waited_s,
  },
};

/** Adds the rates of the model endpoints that this process calls. They are read when the metrics are. */
export function addRateMetrics(registry: Registry, store: Pick<Store, "rates">): void {
  const registers = [registry];
  new Gauge({
    name: "video_rrd_model_rate_allowed",
    help: "Requests and tokens a minute that all processes of the store may send to an endpoint at present; missing without a limit",
    labelNames: ["endpoint", "unit"],
    registers,
    collect() {
      this.reset();
      for (const [endpoint, { allowed }] of rateViews(store))
        for (const unit of ["requests", "tokens"] as const)
          if (allowed[unit] !== null) this.set({ endpoint, unit }, allowed[unit]);
    },
  });
  const labelNames = ["endpoint"];
  for (const [name, { help, of }] of Object.entries(GAUGES)) {
    const gauge: Gauge = new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        gauge.reset();
        for (const [endpoint, view] of rateViews(store)) gauge.set({ endpoint }, of(view));
      },
    });
  }
  for (const [name, { help, of }] of Object.entries(COUNTERS)) {
    const counter: Counter = new Counter({
      ...{ name, help, labelNames, registers },
      collect() {
        counter.reset();
        for (const [endpoint, view] of rateViews(store)) counter.inc({ endpoint }, of(view));
      },
    });
  }
}
