import { Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { RootsListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Failure } from "../../core/errors.ts";
import { createMcpServer } from "./server.ts";
import type { McpSession } from "./session.ts";

/** How long the command waits for `initialize` before it loads what tools need. */
const EARLY_MS = 300;
/** How long a client may take to name its roots. */
const ROOTS_MS = 10_000;

interface Connection {
  /** URIs of the client's roots; null: the client has none. */
  roots(): Promise<readonly string[] | null>;
  /** Gives the connection its session, and returns when the client has disconnected or the signal is aborted. */
  serve(session: () => Promise<McpSession>, signal: AbortSignal): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

let connection: Connection | undefined;

/** The connection to the client on standard input and output. From now on, only JSON-RPC is written to standard output. */
export async function connectStdio(): Promise<Connection> {
  connection ??= await connect();
  return connection;
}

/** Connects, and waits until `initialize` was answered or a moment has passed. */
export async function connectEarly(): Promise<Connection> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, EARLY_MS);
  connection ??= await connect(resolve);
  await promise;
  clearTimeout(timer);
  return connection;
}

async function connect(onAnswer = () => {}): Promise<Connection> {
  const session = Promise.withResolvers<() => Promise<McpSession>>();
  const ended = Promise.withResolvers<void>();
  // The command may fail before it serves.
  session.promise.catch(() => undefined);
  const server = createMcpServer(async () => (await session.promise)());
  const transport = new StdioServerTransport(process.stdin, reserveStdout(onAnswer));
  let roots: Promise<readonly string[] | null> | undefined;
  server.onclose = () => ended.resolve();
  server.onerror = (error) => process.stderr.write(`MCP: ${error.message}\n`);
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    roots = undefined;
  });
  const close = () => server.close();
  for (const event of ["end", "close"]) process.stdin.once(event, close);
  process.stdout.once("error", close);
  await server.connect(transport);
  return {
    roots() {
      if (server.getClientCapabilities()?.roots === undefined) return Promise.resolve(null);
      roots ??= listRoots(server);
      const asked = roots;
      // The next call asks again.
      asked.catch(() => {
        if (roots === asked) roots = undefined;
      });
      return asked;
    },
    async serve(sessionOf, signal) {
      session.resolve(sessionOf);
      if (signal.aborted) await close();
      signal.addEventListener("abort", close, { once: true });
      await ended.promise;
    },
    async close() {
      for (const event of ["end", "close"]) process.stdin.off(event, close);
      session.reject(new Error("The server did not start."));
      await close();
    },
  };
}

/** URIs of the client's roots. Throws `Failure` `wrong-usage` if the client does not answer. */
async function listRoots(server: Server): Promise<string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
    return roots.map(({ uri }) => uri);
  } catch (error) {
    throw new Failure(
      "wrong-usage",
      "Cannot read the roots of the client, which narrow the allowed folders: it did not answer the request. Try again.",
      {},
      { cause: error },
    );
  }
}

/** Returns a stream to standard output, and sends everything else that is written there to standard error. */
function reserveStdout(onWrite: () => void): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      // An error of the stream ends the connection.
      write(chunk, () => {
        onWrite();
        done();
      });
    },
  });
}
