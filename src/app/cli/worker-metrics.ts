import { createServer } from "node:http";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { WorkerOptions } from "../../../evals/workers/worker-options.ts";
import type { Store } from "../../core/contracts.ts";
import { Failure, systemCode } from "../../core/errors.ts";
import { STAGE_BUCKETS_S } from "../service/question-metrics.ts";
import { addRateMetrics } from "../service/rate-metrics.ts";

/** The metrics of one worker for Prometheus, at `/metrics`; `/healthz` answers while it lives. */
export interface WorkerMetrics extends Required<Pick<WorkerOptions, "onTask" | "onStageSeconds">> {
  /** `http://127.0.0.1:9464/metrics` */
  url: string;
  registry: Registry;
  close(): Promise<void>;
}

/** Throws `Failure` `wrong-usage` for an address that cannot be used. */
export async function startWorkerMetrics(
  store: Store,
  { host, port }: { host: string; port: number },
): Promise<WorkerMetrics> {
  const registry = new Registry();
  const registers = [registry];
  const tasks = new Counter({
    name: "video_rrd_worker_tasks_total",
    help: "Tasks of this worker: taken, and done, failed, parked or released (left to another worker)",
    labelNames: ["stage", "outcome"],
    registers,
  });
  const stageSeconds = new Histogram({
    name: "video_rrd_worker_stage_seconds",
    help: "Seconds of a sample in a stage",
    labelNames: ["stage"],
    buckets: STAGE_BUCKETS_S,
    registers,
  });
  new Gauge({
    name: "video_rrd_run_tasks",
    help: "Questions of all open runs of the store: waiting, running, done and failed",
    labelNames: ["state"],
    registers,
    async collect() {
      const all = (await store.runs?.list({ state: "open" }).catch(() => null)) ?? null;
      this.reset();
      // While the database is away, there is no number.
      if (all === null) return;
      const sums = { waiting: 0, running: 0, done: 0, failed: 0 };
      for (const run of all) {
        sums.running += run.running;
        sums.done += run.done;
        sums.failed += run.failed;
        sums.waiting += Math.max(0, run.tasks - run.done - run.failed - run.running);
      }
      for (const [state, count] of Object.entries(sums)) this.set({ state }, count);
    },
  });
  addRateMetrics(registry, store);

  const server = createServer(async (request, response) => {
    const [path] = (request.url ?? "/").split("?");
    if (request.method !== "GET" || (path !== "/metrics" && path !== "/healthz")) {
      response.writeHead(404).end("Not found: use /metrics or /healthz.\n");
      return;
    }
    if (path === "/healthz") {
      response.writeHead(200).end("ok\n");
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end("The metrics cannot be read.\n");
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new Failure(
          "wrong-usage",
          `Cannot serve metrics on ${host} port ${port} (${systemCode(error)}). Choose another --metrics-port or --metrics-host.`,
          { host, port },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/metrics`,
    registry,
    onTask: (stage, outcome) => tasks.inc({ stage, outcome }),
    onStageSeconds: (stage, seconds) => stageSeconds.observe({ stage }, seconds),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
