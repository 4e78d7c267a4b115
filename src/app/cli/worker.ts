import { hostname } from "node:os";
import type { Command } from "commander";
import { countOf } from "../../core/count-of.ts";
import { Failure } from "../../core/errors.ts";
import { connectionsOf, readSettings, type Settings } from "../../core/settings.ts";
import { STAGES, type WorkerStage } from "../../core/shared-runs.ts";
import { withExamples } from "./example.ts";
import { EXIT, run, say } from "./output.ts";
import { addSettingFlags, givenSettings, isForQuestions, wholeNumber } from "./setting-flags.ts";
import type { WorkerMetrics } from "./worker-metrics.ts";

/** Settings of a machine, which a run does not decide for its workers; and the one that names a program. */
const OF_A_WORKER = /^(?:runtime\..*|recognition\.transcriber)$/;
/** Frames of the next samples are made while calls are waited for, as in a run without workers. */
const SAMPLES_PER_CALL = 1.25;

interface Flags {
  stages: string;
  concurrency?: string;
  drain: string;
  videoWait: string;
  metricsPort?: string;
  metricsHost: string;
}

export function configureWorker(command: Command): void {
  command
    .option("--stages <list>", "what this worker does: index, reason, or both", STAGES.join(","))
    .option(
      "--concurrency <n>",
      "samples at once, over all runs, and as many questions of services (default: 1.25 for each of --max-connections)",
    )
    .option(
      "--drain <seconds>",
      "after SIGTERM or Ctrl-C, longest time to finish samples; the others go to other workers",
      "30",
    )
    .option(
      "--video-wait <seconds>",
      "a video that no worker has had for so long is missing: its questions fail",
      "600",
    )
    .option("--metrics-port <port>", "serve metrics for Prometheus on this port, at /metrics")
    .option("--metrics-host <address>", "address of --metrics-port", "127.0.0.1");
  addSettingFlags(command, (path) => OF_A_WORKER.test(path) && isForQuestions(path));
  withExamples(
    command,
    "worker --store postgres://ann@db.example/video_rrd --data-dir /films/store",
    "worker --concurrency 8 --max-connections 8 --drain 120",
    "worker --metrics-port 9464",
    "worker --module ./my-strategy.ts",
  );
  command.action((flags: Flags) => run((signal) => work(command, flags, signal)));
}

async function work(command: Command, flags: Flags, signal: AbortSignal): Promise<number> {
  const given = givenSettings(command);
  const runtime = (given.runtime ?? {}) as Partial<Settings["runtime"]>;
  const settings = readSettings({ runtime });
  const stages = readStages(flags.stages);
  const { answerRuns } = await import("../../../evals/workers/answer-runs.ts");
  const { requireSharedRuns } = await import("../../../evals/workers/require-shared-runs.ts");
  const { openServerTools } = await import("../../../graphs/toolbox/server-tools.ts");
  const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
  const { openStore } = await import("../../storage/open.ts");
  const concurrency =
    flags.concurrency === undefined
      ? Math.ceil(connectionsOf(settings.runtime).max * SAMPLES_PER_CALL)
      : concurrencyOf(flags.concurrency);
  const drain_s = wholeNumber("--drain", flags.drain);
  const video_wait_s = wholeNumber("--video-wait", flags.videoWait);
  const metricsPort = portOf(flags.metricsPort);
  const store = await openStore(settings.runtime.data);
  let endServers = async () => {};
  let metrics: WorkerMetrics | undefined;
  try {
    requireSharedRuns(store);
    const servers = await openServerTools(settings.runtime, signal);
    endServers = servers.release;
    if (metricsPort !== null) {
      const { startWorkerMetrics } = await import("./worker-metrics.ts");
      metrics = await startWorkerMetrics(store, { host: flags.metricsHost, port: metricsPort });
      say(`Metrics: ${metrics.url}`);
    }
    say(
      `Worker on ${hostname()}: ${stages.join(" and ")}, ${concurrency} samples at once. Stop it with Ctrl-C or SIGTERM.`,
    );
    const { recognition } = given as { recognition?: { transcriber?: string | null } };
    const ofWorker = {
      ...{ runtime: settings.runtime, given: runtime, servers: servers.records },
      transcriber: recognition?.transcriber ?? null,
    };
    const { questionsOfServices } = await import("./worker-questions.ts");
    const stored = await answerRuns({
      ...{
        store,
        stages,
        concurrency,
        drain_s,
        video_wait_s,
        signal,
        onNote: say,
        settings: ofWorker,
      },
      ...(metrics === undefined
        ? {}
        : { onTask: metrics.onTask, onStageSeconds: metrics.onStageSeconds }),
      ...(stages.includes("reason")
        ? { also: questionsOfServices(store, { concurrency, settings: ofWorker, metrics }) }
        : {}),
    });
    say(`Worker ended: it stored ${countOf(stored, "result")}.`);
    return EXIT.ok;
  } finally {
    await metrics?.close();
    await endServers();
    await store.close();
    await closeOcr();
  }
}

function readStages(given: string): WorkerStage[] {
  const stages = given.split(",").map((stage) => stage.trim());
  const unknown = stages.find((stage) => !STAGES.some((one) => one === stage));
  if (unknown === undefined) return STAGES.filter((stage) => stages.includes(stage));
  throw new Failure(
    "wrong-usage",
    `Invalid --stages ${JSON.stringify(given)}: use ${STAGES.join(", ")}, or both with a comma.`,
    { given },
  );
}

/** Null without a port. 0: any free port. */
function portOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  const port = wholeNumber("--metrics-port", given);
  if (port <= 65_535) return port;
  throw new Failure(
    "wrong-usage",
    `Invalid --metrics-port ${JSON.stringify(given)}: use a whole number from 0 to 65535.`,
    { given },
  );
}

function concurrencyOf(given: string): number {
  const number = wholeNumber("--concurrency", given);
  if (number >= 1 && number <= 4096) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid --concurrency ${JSON.stringify(given)}: use a whole number from 1 to 4096.`,
    { given },
  );
}
