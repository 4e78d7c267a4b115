import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from "@modelcontextprotocol/sdk/validation/types.js";
import { Failure, oneLine, systemCode } from "../../src/core/errors.ts";
import { version } from "../../src/core/version.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { ServerEntry } from "./servers-file.ts";

/** Most bytes of one response over HTTP. */
const MOST_BYTES = 16 * 2 ** 20;
/** Characters of an error of a server that are told. */
const MOST_WORDS = 1000;
/** Milliseconds to end a session over HTTP. */
const LEAVE_MS = 1000;

/** A server that answered `initialize`. */
export interface Connection {
  client: Client;
  /** Name and version that the server states. */
  server: { name: string; version: string };
  isOpen(): boolean;
  /** Ends the session, and the process if there is one. */
  close(): Promise<void>;
}

/**
 * Starts or reaches a server. Throws `Failure` `mcp-server` if it does not answer in time, and `cancelled`.
 *
 * @param showsOutput whether the message of a failure quotes the server's error output, which may hold paths and secrets:
 *   not if a model or a caller of the service reads it
 */
export async function connectServer(
  entry: ServerEntry,
  signal: AbortSignal | undefined,
  showsOutput: boolean,
): Promise<Connection> {
  const client = new Client(
    { name: "video-rrd", version: version() },
    { jsonSchemaValidator: resultValidator },
  );
  let open = true;
  client.onclose = () => {
    open = false;
  };
  const { transport, leave, lastWords } = transportOf(entry);
  const close = async () => {
    open = false;
    await leave();
    await client.close();
    await transport.close();
  };
  try {
    await client.connect(transport, { timeout: entry.start_s * 1000, signal });
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    const what = entry.address.transport === "stdio" ? "cannot be started" : "cannot be reached";
    throw serverFailure(entry, what, error, showsOutput ? lastWords() : "");
  }
  const { name = "", version: stated = "" } = client.getServerVersion() ?? {};
  return {
    client,
    server: { name: oneLine(name, 100), version: oneLine(stated, 100) },
    isOpen: () => open,
    close,
  };
}

/**
 * Checks results by the schemas that tools state. Each has a validator of its own, which keeps what it compiles: two
 * schemas may have the same `$id`, and those of a connection go with it. A schema that is not valid checks nothing: the
 * client compiles those of all tools when it lists them, and one of them would make every other tool unusable.
 */
const resultValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    try {
      return new AjvJsonSchemaValidator().getValidator<T>(schema);
    } catch {
      return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
    }
  },
};

/** `The MCP server weather cannot be started: Connection closed. Its error output ends: no such file.` */
export function serverFailure(
  { name, address }: ServerEntry,
  what: string,
  error: unknown,
  said = "",
): Failure {
  const words = oneLine(reasonOf(error).replace(/^MCP error -?\d+: /, ""), MOST_WORDS).replace(
    /\.$/,
    "",
  );
  const output = said === "" ? "" : ` Its error output ends: ${said}`;
  return new Failure(
    "mcp-server",
    `The MCP server ${name} ${what}: ${words}.${output}`,
    { server: name, transport: address.transport },
    { cause: error },
  );
}

/** `fetch failed` says nothing without its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause =
    systemCode(error.cause) ?? (error.cause instanceof Error ? error.cause.message : "");
  return cause === "" ? error.message : `${error.message} (${cause})`;
}

function transportOf({ address }: ServerEntry) {
  if (address.transport === "stdio") {
    const transport = new ProcessTransport(address);
    return { transport, leave: async () => undefined, lastWords: () => transport.lastWords() };
  }
  const { url, headers } = address;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    // Headers hold keys, which no other host may get.
    requestInit: { headers: { ...headers }, redirect: "error" },
    fetch: limitedFetch,
  });
  const leave = async () => {
    if (transport.sessionId === undefined) return;
    const timer = new Promise<void>((done) => setTimeout(done, LEAVE_MS).unref());
    await Promise.race([transport.terminateSession().catch(() => undefined), timer]);
  };
  return { transport, leave, lastWords: () => "" };
}

/** `fetch` with a limit on the bytes of a response. */
async function limitedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) controller.error(new Error(`more than ${MOST_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
