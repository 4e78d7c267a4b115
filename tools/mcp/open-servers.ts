import { resolve } from "node:path";
import type { ToolDefinition } from "../agent/define-tool.ts";
import { orAborted } from "./or-aborted.ts";
import { markNamed } from "./server-files.ts";
import type { ServerRecord } from "./server-record.ts";
import type { ReadyServer } from "./server-tools.ts";

/** The tools of the servers in a file, until they are released. */
export interface OpenServers {
  tools: readonly ToolDefinition[];
  records: readonly ServerRecord[];
  /** The last release ends the servers. */
  release(): Promise<void>;
}

interface Shared {
  users: number;
  abort: AbortController;
  ready: Promise<ReadyServer[]>;
}

const open = new Map<string, Shared>();

/**
 * Starts the servers of a file, or shares those that run already: questions of one run use the same. Throws `Failure`
 * `file-unreadable`, `wrong-setting`, `missing-key`, `mcp-server`, `cancelled`; then nothing is left running.
 */
export async function openServers(path: string, signal?: AbortSignal): Promise<OpenServers> {
  const file = resolve(path);
  markNamed(file);
  const shared = open.get(file) ?? begin(file);
  shared.users++;
  let released = false;
  const release = async () => {
    if (released) return;
    released = true;
    shared.users--;
    if (shared.users > 0) return;
    if (open.get(file) === shared) open.delete(file);
    shared.abort.abort();
    const servers = await shared.ready.catch(() => []);
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    const servers = await orAborted(shared.ready, signal);
    return {
      tools: servers.flatMap(({ tools }) => tools),
      records: servers.map(({ record }) => record),
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

function begin(file: string): Shared {
  const abort = new AbortController();
  const ready = startAll(file, abort.signal);
  ready.catch(() => undefined); // each user gets it
  const shared = { users: 0, abort, ready };
  open.set(file, shared);
  return shared;
}

async function startAll(file: string, signal: AbortSignal): Promise<ReadyServer[]> {
  const { readServersFile } = await import("./servers-file.ts");
  const { openServer } = await import("./server-tools.ts");
  const entries = await readServersFile(file);
  const started = await Promise.allSettled(entries.map((entry) => openServer(entry, signal)));
  const ready = started.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const failed = started.find((one) => one.status === "rejected");
  if (failed === undefined && !signal.aborted) return ready;
  await Promise.all(ready.map((server) => server.close()));
  signal.throwIfAborted();
  throw failed?.reason;
}
