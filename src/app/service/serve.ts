import { mkdir } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { loadPrompts } from "../../../prompts/load.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { Failure, systemCode, toFailure } from "../../core/errors.ts";
import { lockFolder } from "../../storage/folder-lock.ts";
import { openStore } from "../../storage/open.ts";
import { createGate, limitsOf } from "./admission.ts";
import { createApp } from "./app.ts";
import { createWakes } from "./change-notifier.ts";
import { createClientReader } from "./client-address.ts";
import { createDerivedSize } from "./derived-size.ts";
import { createEventReaders } from "./event-readers.ts";
import { createPathHider } from "./hide-paths.ts";
import { createMetrics } from "./metrics.ts";
import { DEFAULTS, isLoopback, NO_LIMITS, type ServiceOptions, urlOf } from "./options.ts";
import { createAsking } from "./question-queue.ts";
import { createQuota } from "./quota.ts";
import { settingsFor } from "./settings-given.ts";
import { createUploads, uploadFolder } from "./uploads.ts";

const SWEEP_MS = 60_000;
/** Without a byte in either direction for so long a connection is closed. */
const SILENT_MS = 120_000;
const HEADERS_MS = 15_000;

export interface Service {
  /** Where it listens: `http://127.0.0.1:8787`. */
  url: string;
  /** Takes nothing more, lets running questions end for a moment, and leaves the rest for the next start. */
  stop(): Promise<void>;
}

/**
 * Starts the service; questions that were open when its last process ended go on.
 * Throws `Failure`: `wrong-usage` (a port in use, another host than loopback without a token), `store-busy` (another
 * service works on the folder), `wrong-setting`, `unknown-prompt`, those of opening a store.
 */
export async function startService(given: Partial<ServiceOptions>): Promise<Service> {
  const options: ServiceOptions = {
    ...DEFAULTS,
    ...given,
    data: resolve(given.data ?? DEFAULTS.data),
  };
  if (!isLoopback(options.host) && options.admission.by === "nobody")
    throw new Failure(
      "wrong-usage",
      `Expected --token-file or --keys with --host ${options.host}: others can reach that address.`,
    );
  const clientOf = createClientReader(options.trust_proxy);
  const log = pino(
    { level: options.log.level, base: undefined },
    options.log.to ?? pino.destination(2),
  );
  const { runtime } = settingsFor({}, options, options.data);
  const prompts = await loadPrompts(runtime.prompts);
  const store = await openStore(options.data);
  let lock: { release(): Promise<void> } | undefined;
  try {
    const own = join(store.folder, "service");
    await mkdir(own, { recursive: true });
    lock = lockFolder(own);
    const metrics = createMetrics();
    const wakes = createWakes();
    const gate = createGate(options.admission, store.service);
    const hidePaths = createPathHider(store.folder);
    const derived = createDerivedSize(store);
    const fileOf = (id: string) => join(uploadFolder(store.folder), id, id);
    const quota = createQuota(store, options, fileOf, derived);
    const uploads = createUploads(store, options, quota, metrics);
    const asking = createAsking({
      store,
      options,
      prompts,
      uploads,
      quota,
      derived,
      wakes,
      metrics,
      log,
      hidePaths,
    });
    const app = createApp({
      store,
      options,
      gate,
      clientOf,
      quota,
      uploads,
      asking,
      wakes,
      readers: createEventReaders(options, metrics),
      metrics,
      log,
      hidePaths,
    });
    const server = createAdaptorServer({
      fetch: app.fetch,
      serverOptions: { requestTimeout: 0, headersTimeout: HEADERS_MS, keepAliveTimeout: 10_000 },
    }) as Server;
    server.setTimeout(SILENT_MS);
    for (const { table, key, problem } of await store.damaged("service"))
      log.error(
        { table, ...key },
        `A row is damaged (it ${problem}) and is passed over; list such rows with \`video-rrd repair\`.`,
      );
    await uploads.sweep(true);
    const resumed = await asking.resume(async (owner) => {
      const key = (await store.service.keys()).find(({ name }) => name === owner);
      if (key !== undefined) return limitsOf(key);
      // Of a key that was taken back nothing more is paid.
      return { ...NO_LIMITS, cost_a_day: owner === "" ? null : 0 };
    });
    // Whoever asks from here on is behind those that were there, and none of them is taken twice.
    const address = await listen(server, options);
    asking.begin();
    // Not waited for: the packets of a large file take minutes to read.
    const stopping = new AbortController();
    const finishing = uploads.finishArrived(stopping.signal).catch((error: unknown) => {
      log.error({ err: error }, "finishing uploads failed");
    });
    const sweeping = setInterval(() => {
      uploads.sweep().catch((error: unknown) => log.error({ err: error }, "sweeping failed"));
    }, SWEEP_MS).unref();
    log.info({ url: urlOf(address), resumed }, "listening");
    const stop = async () => {
      clearInterval(sweeping);
      stopping.abort();
      const closed = new Promise((done) => server.close(done));
      await asking.stop(options.patience.grace_ms);
      wakes.close();
      server.closeIdleConnections();
      const patient = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(patient);
      await finishing;
      await closeOcr();
      await lock?.release();
      await store.close();
      log.info("stopped");
    };
    return { url: urlOf(address), stop };
  } catch (error) {
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
            `Expected port ${port} of ${host} to be free, but something listens there: choose another with --port.`,
            facts,
          ),
        );
      else if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EACCES")
        failed(
          new Failure(
            "wrong-usage",
            `Expected an address of this machine to listen on, got ${host} port ${port} (${code}).`,
            facts,
          ),
        );
      else failed(toFailure(error, "wrong-usage", `listening on ${host} port ${port}`));
    });
    server.listen(port, host, () => done(server.address() as AddressInfo));
  });
}
