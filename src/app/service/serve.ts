import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { requireSharedRuns } from "../../../evals/workers/require-shared-runs.ts";
import { openServerTools } from "../../../graphs/toolbox/server-tools.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import type { OpenServers } from "../../../tools/mcp/open-servers.ts";
import { closeOcr } from "../../../tools/text/close-ocr.ts";
import { Failure, systemCode, toFailure } from "../../core/errors.ts";
import { createTurns } from "../../core/turns.ts";
import { openStore } from "../../storage/open.ts";
import { createHttpSessions } from "../mcp/http-sessions.ts";
import { createApp } from "./app.ts";
import { createAuthenticator } from "./auth.ts";
import { announceWrites, createChangeFeed } from "./change-feed.ts";
import { createChangeNotifier } from "./change-notifier.ts";
import { createClientReader } from "./client-address.ts";
import { createDerivedSize } from "./derived-size.ts";
import { createEventReaders } from "./event-readers.ts";
import { createPathHider } from "./hide-paths.ts";
import { openHumanStudy } from "./human-study.ts";
import { KEPT_MS } from "./idempotency.ts";
import { closeIdleConnections } from "./idle-connections.ts";
import { startIndexing } from "./library-indexer.ts";
import { createMetrics } from "./metrics.ts";
import { DEFAULTS, isLoopback, type ServiceOptions, urlOf } from "./options.ts";
import { createQuestionQueue } from "./question-queue.ts";
import { createQuota } from "./quota.ts";
import { addRateMetrics } from "./rate-metrics.ts";
import { mcpFileOf, resolveSettings } from "./request-settings.ts";
import { joinServices } from "./service-lock.ts";
import { createUploadFiles } from "./upload-files.ts";
import { createUploads } from "./uploads.ts";
import { createUsageRecorder } from "./usage-recorder.ts";
import { startWebhook } from "./webhook.ts";
import { planOfService } from "./workers/service-plan.ts";
import { type WatchedWorkers, watchWorkers } from "./workers/watch-workers.ts";

const SWEEP_MS = 60_000;
/** The cache may have hundreds of thousands of files. */
const CLEAN_CACHE_MS = 3_600_000;
/** A connection is closed if its client sends and reads nothing for this long. */
const IDLE_MS = 120_000;
const HEADERS_MS = 15_000;

export interface Service {
  /** The base URL, such as `http://127.0.0.1:8787`. */
  url: string;
  /** Shuts down: refuses new work and waits briefly for running questions. Open questions continue at the next start. */
  stop(): Promise<void>;
}

/**
 * Starts the service and resumes the questions that were open when its last process ended.
 * Throws `Failure`: `wrong-usage` (the port is in use, a host that is not loopback without authentication, other services on
 * the database have other files), `store-busy` (another service uses the data folder), `wrong-setting`, `unknown-prompt`, and those of opening a store.
 *
 * @example
 * const service = await startService({ data: ".video-rrd", port: 0, settings: { model: "openai:gpt-4.1" } });
 * console.log(service.url);
 * await service.stop();
 */
export async function startService(given: Partial<ServiceOptions>): Promise<Service> {
  const options: ServiceOptions = {
    ...DEFAULTS,
    ...given,
    data: resolve(given.data ?? DEFAULTS.data),
  };
  if (!isLoopback(options.host) && options.auth.by === "nobody")
    throw new Failure(
      "wrong-usage",
      `--host ${options.host} is reachable from other machines: pass --token-file or --keys.`,
    );
  const clientOf = createClientReader(options.trust_proxy);
  const log = pino(
    { level: options.log.level, base: undefined },
    options.log.to ?? pino.destination(2),
  );
  const { runtime } = resolveSettings({}, options, options.data);
  const prompts = await loadPrompts(runtime.prompts);
  const humanStudy =
    options.human_study === null ? null : await openHumanStudy(options.human_study);
  const isRemote = options.workers === "remote";
  const opened = await openStore(options.data);
  const feed = createChangeFeed();
  // The database tells of the writes of all services that share it, also of this one.
  const store =
    opened.replicas === null
      ? { ...opened, service: announceWrites(opened.service, feed) }
      : opened;
  let lock: { release(): Promise<void> } | undefined;
  let webhook: { stop(): Promise<void> } | undefined;
  let watching: { stop(): Promise<void> } | undefined;
  let hearing: { stop(): Promise<void> } | undefined;
  let servers: OpenServers | undefined;
  let workers: WatchedWorkers | null = null;
  try {
    if (isRemote) requireSharedRuns(store);
    lock = await joinServices(store, isRemote ? "front" : "service");
    servers = await openServerTools({ mcp: mcpFileOf(options.settings) });
    const plan = isRemote ? await planOfService(store, options, prompts, servers.records) : null;
    await store.replicas?.putPlan(plan === null ? null : JSON.stringify(plan));
    const metrics = createMetrics();
    addRateMetrics(metrics.registry, store);
    workers = isRemote ? watchWorkers(store, { metrics, log }) : null;
    const changes = createChangeNotifier();
    watching = await store.events.watch?.((question) => changes.notify(question));
    const { replicas } = store;
    const authenticator = createAuthenticator(options.auth, store.service, replicas?.sessions);
    const hidePaths = createPathHider(store.folder);
    const derived = createDerivedSize(store);
    const files = createUploadFiles(store);
    const quota = createQuota(store, options, files, derived);
    const uploads = createUploads(store, files, options, quota, metrics, log);
    const questions = createQuestionQueue({
      store,
      options,
      prompts,
      uploads,
      quota,
      derived,
      changes,
      metrics,
      log,
      hidePaths,
      usage: createUsageRecorder(store.service),
    });
    hearing = await replicas?.watch((change) => {
      feed.announce(change);
      if (change.question !== null) questions.wake();
    });
    const mcp = createHttpSessions();
    const app = createApp({
      store,
      options,
      authenticator,
      clientOf,
      quota,
      uploads,
      questions,
      changes,
      feed,
      readers: createEventReaders(options, metrics),
      metrics,
      log,
      hidePaths,
      humanStudy,
      workers,
      inTurn: createTurns(store.claims),
      mcp,
    });
    const server = createAdaptorServer({
      fetch: app.fetch,
      serverOptions: { requestTimeout: 0, headersTimeout: HEADERS_MS, keepAliveTimeout: 10_000 },
    }) as Server;
    closeIdleConnections(server, IDLE_MS);
    for (const { table, key, problem } of await store.damaged("service"))
      log.error(
        { table, ...key },
        `Skipping a damaged row (it ${problem}). List damaged rows with \`video-rrd repair\`.`,
      );
    await uploads.sweep(true);
    const resumed = await questions.resume();
    // Before questions run and requests arrive: none of their events is missed.
    webhook = await startWebhook(options.webhook, { store, metrics, log });
    // Resumed questions are queued before the first request, so that new ones come after them.
    const address = await listen(server, options);
    questions.start();
    // Runs in the background: reading the packets of a large file takes minutes.
    const shutdown = new AbortController();
    let finishing: Promise<void> | undefined;
    const finishArrived = () => {
      finishing ??= uploads
        .finishArrived(shutdown.signal)
        .catch((error: unknown) => log.error({ err: error }, "cannot finish uploads"))
        .finally(() => {
          finishing = undefined;
        });
    };
    finishArrived();
    // The first count of the stored bytes takes seconds for thousands of videos.
    quota.used().catch((error: unknown) => log.error({ err: error }, "cannot count stored bytes"));
    const stopIndexing = startIndexing(store, (error) =>
      log.error({ err: error }, "cannot index a video for the search"),
    );
    const sweeping = setInterval(() => {
      store.service
        .sweepIdempotent(Date.now() - KEPT_MS)
        .catch((error: unknown) => log.error({ err: error }, "cannot remove old idempotency keys"));
      uploads
        .sweep()
        .catch((error: unknown) => log.error({ err: error }, "cannot remove abandoned uploads"));
      // Those of another service that was killed.
      finishArrived();
    }, SWEEP_MS).unref();
    let cleaned = Promise.resolve();
    const cleanCache = () => {
      cleaned = store
        .cleanBlobCache()
        .catch((error: unknown) => log.error({ err: error }, "cannot clean the cache of blobs"));
    };
    const cleaning = setInterval(cleanCache, CLEAN_CACHE_MS).unref();
    cleanCache();
    log.info({ url: urlOf(address), resumed }, "listening");
    const stop = async () => {
      clearInterval(sweeping);
      clearInterval(cleaning);
      shutdown.abort();
      const closed = new Promise((done) => server.close(done));
      // At once: a question that fails from now on may have been interrupted.
      const stopped = questions.stop(options.timeouts.grace_ms);
      await Promise.all([mcp.close(), stopped]);
      changes.close();
      feed.close();
      derived.close();
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(force);
      await finishing;
      await cleaned;
      await stopIndexing();
      await webhook?.stop();
      await watching?.stop();
      await hearing?.stop();
      await workers?.stop();
      await closeOcr();
      await servers?.release();
      await lock?.release();
      await store.close();
      log.info("stopped");
    };
    return { url: urlOf(address), stop };
  } catch (error) {
    await webhook?.stop();
    await watching?.stop();
    await hearing?.stop();
    await workers?.stop();
    await servers?.release();
    await lock?.release();
    await store.close();
    throw error;
  }
}

function listen(server: Server, { host, port }: ServiceOptions): Promise<AddressInfo> {
  return new Promise((done, failed) => {
    server.once("error", (error) => {
      const facts = { host, port };
      const code = systemCode(error);
      if (code === "EADDRINUSE")
        failed(
          new Failure(
            "wrong-usage",
            `Port ${port} of ${host} is in use. Choose another with --port.`,
            facts,
          ),
        );
      else if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EACCES")
        failed(
          new Failure(
            "wrong-usage",
            `Cannot listen on ${host} port ${port} (${code}). Use an address of this machine with --host, and a port that you may open.`,
            facts,
          ),
        );
      else failed(toFailure(error, "wrong-usage", `listening on ${host} port ${port}`));
    });
    server.listen(port, host, () => done(server.address() as AddressInfo));
  });
}
