import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { CallGate } from "./call-gate.ts";
import type { CurrentCaller } from "./current-caller.ts";
import type { McpSession } from "./session.ts";

/** Sessions of one key, and of all keys. The oldest is closed for a new one. */
const MOST_OF_OWNER = 16;
const MOST = 256;
/** A session without requests for this long is closed. */
const IDLE_MS = 30 * 60_000;

/** One client that is connected over HTTP. */
export interface HttpSession {
  server: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  session: McpSession;
  now: CurrentCaller;
  /** By the monotonic clock. */
  used_at: number;
}

/** The sessions of the service's MCP clients, by id. */
export function createHttpSessions() {
  const sessions = new Map<string, HttpSession>();
  const gates = new Map<string, CallGate>();
  let closed = false;

  async function close(id: string): Promise<void> {
    const one = sessions.get(id);
    sessions.delete(id);
    await one?.server.close();
    await one?.session.close();
  }

  /** Closes idle sessions, and the oldest ones until another fits. */
  async function makeRoom(owner: string): Promise<void> {
    const oldest = [...sessions].sort(([, a], [, b]) => a.used_at - b.used_at);
    const own = oldest.filter(([, { now }]) => now.caller.owner === owner);
    const surplus = [
      ...oldest.filter(([, { used_at }]) => performance.now() - used_at > IDLE_MS),
      ...own.slice(0, Math.max(0, own.length - MOST_OF_OWNER + 1)),
      ...oldest.slice(0, Math.max(0, oldest.length - MOST + 1)),
    ];
    await Promise.all([...new Set(surplus.map(([id]) => id))].map(close));
  }

  return {
    isClosed: () => closed,
    /** The session of this caller; undefined for one of another. */
    of(id: string, owner: string): HttpSession | undefined {
      const one = sessions.get(id);
      return one?.now.caller.owner === owner ? one : undefined;
    },
    async add(id: string, one: HttpSession): Promise<void> {
      await makeRoom(one.now.caller.owner);
      sessions.set(id, one);
    },
    remove: close,
    /** Limits the calls of one owner over all its sessions. */
    gateOf(owner: string, create: () => CallGate): CallGate {
      const gate = gates.get(owner) ?? create();
      gates.set(owner, gate);
      return gate;
    },
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...sessions.keys()].map(close));
    },
  };
}

export type HttpSessions = ReturnType<typeof createHttpSessions>;
