import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { z } from "zod";
import { cutText } from "../../src/core/cut-text.ts";
import { Failure, isFailure, oneLine } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { ToolDefinition } from "../agent/define-tool.ts";
import { type Connection, connectServer, serverFailure } from "./connect-server.ts";
import { listOfferedTools } from "./list-tools.ts";
import { withoutNull } from "./optional-parameters.ts";
import { orAborted } from "./or-aborted.ts";
import type { ServerRecord } from "./server-record.ts";
import type { ServerEntry } from "./servers-file.ts";
import { readContent, type ServerResult } from "./tool-content.ts";
import { publicName } from "./tool-names.ts";

const MOST_DESCRIPTION_CHARACTERS = 4000;
const MOST_ARGUMENT_CHARACTERS = 100_000;

/** A server that is ready, with definitions of its tools. */
export interface ReadyServer {
  record: ServerRecord;
  tools: readonly ToolDefinition[];
  close(): Promise<void>;
}

/**
 * Starts a server and makes definitions of its tools. If the server ends later, the next call starts it again. Throws
 * `Failure` `mcp-server`, `wrong-setting` for a tool that the server lacks, and the reason of the signal.
 */
export async function openServer(entry: ServerEntry, signal: AbortSignal): Promise<ReadyServer> {
  const closing = new AbortController();
  const life = AbortSignal.any([signal, closing.signal]);
  let current: Promise<Connection> = connectServer(entry, life, true);
  const { client, server, close } = await current;

  async function reconnect(ended: Connection | null): Promise<Connection> {
    await ended?.close();
    const again = await connectServer(entry, life, false);
    if (hashOf(again.server) === hashOf(server)) return again;
    await again.close();
    throw serverFailure(entry, "cannot be used", "it is another version since it was restarted");
  }

  /** The connection, made again if the server has ended. */
  async function connected(): Promise<Connection> {
    const looked = current;
    const known = await looked.catch(() => null);
    if (known?.isOpen()) return known;
    life.throwIfAborted();
    // Another call may have begun to reconnect.
    if (current === looked) current = reconnect(known);
    return current;
  }

  try {
    const listed = await listOfferedTools(client, entry, life);
    const adapted = await adapt(entry, listed, connected);
    const taken = new Set<string>();
    const made = listed.map((tool, place) => {
      const sha256 = hashOf([tool.name, tool.description ?? "", tool.inputSchema]);
      const pure = entry.pure.includes(tool.name);
      const name = publicName(entry.name, tool.name, taken);
      const identity = [entry.name, server, sha256];
      // The adapter keeps the order.
      const parts = { name, pure, identity, adapted: adapted[place] as AdaptedTool };
      return {
        definition: defineServerTool(tool, parts, entry),
        record: { name, sha256, ...(pure ? { pure } : {}) },
      };
    });
    const { transport } = entry.address;
    return {
      record: { name: entry.name, transport, server, tools: made.map(({ record }) => record) },
      tools: made.map(({ definition }) => definition),
      async close() {
        closing.abort();
        await (await current.catch(() => null))?.close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A tool of the adapter: its schema for models, and its call. */
interface AdaptedTool {
  schema: Record<string, unknown>;
  call(given: Record<string, unknown>, signal: AbortSignal | undefined): Promise<unknown>;
}

/** Tools by `@langchain/mcp-adapters`, which simplifies schemas for models and reads results. */
async function adapt(
  entry: ServerEntry,
  listed: readonly Tool[],
  connected: () => Promise<Connection>,
): Promise<AdaptedTool[]> {
  const { loadMcpTools } = await import("@langchain/mcp-adapters");
  const failures = new WeakMap<AbortSignal, Failure>();
  const client = {
    listTools: async () => ({
      tools: listed.map((tool) => ({ ...tool, inputSchema: withoutNull(tool.inputSchema) })),
    }),
    async callTool(
      params: Parameters<Client["callTool"]>[0],
      _schema: unknown,
      { signal }: { signal: AbortSignal },
    ) {
      let connection: Connection | undefined;
      try {
        connection = await orAborted(connected(), signal);
        const limits = { timeout: entry.call_s * 1000, signal };
        return await connection.client.callTool(params, undefined, limits);
      } catch (error) {
        if (hasForgotten(error)) await connection?.close();
        const failure = isFailure(error)
          ? error
          : serverFailure(entry, `failed to run ${params.name}`, error);
        failures.set(signal, failure);
        throw failure;
      }
    },
    readResource() {
      throw new Error("a resource that it refers to is not read");
    },
  };
  const made = await loadMcpTools(entry.name, client as unknown as Client, {
    useStandardContentBlocks: true,
    outputHandling: "content",
  });
  return made.map((tool) => ({
    schema: tool.schema as Record<string, unknown>,
    async call(given, signal) {
      // A signal of its own names this call.
      const own = AbortSignal.any(signal === undefined ? [] : [signal]);
      try {
        const [content, artifacts] = (await tool.func(given, undefined, { signal: own })) as [
          unknown,
          { type?: string; data?: unknown }[],
        ];
        const isEmpty = Array.isArray(content) && content.length === 0;
        const structured = artifacts.find(({ type }) => type === "mcp_structured_content");
        return isEmpty && structured !== undefined ? JSON.stringify(structured.data) : content;
      } catch (error) {
        signal?.throwIfAborted();
        throw failures.get(own) ?? serverFailure(entry, "reports an error", withoutPrefix(error));
      }
    },
  }));
}

/** Whether a server over HTTP may have forgotten the session: by the specification it says 404, some say 400. */
function hasForgotten(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 404 || code === 400;
}

/** The words of a server, without those that the adapter puts before them. */
function withoutPrefix(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/^MCP tool '.*?' on server '.*?' returned an error: /, "");
}

interface ServerToolParts {
  name: string;
  pure: boolean;
  /** What the results of a pure tool depend on, in addition to the arguments. */
  identity: unknown;
  adapted: AdaptedTool;
}

function defineServerTool(
  { description = "", inputSchema }: Tool,
  { name, pure, identity, adapted }: ServerToolParts,
  entry: ServerEntry,
): ToolDefinition {
  const check = validatorOf(inputSchema, name, entry);
  const takesSeen = inputSchema.properties !== undefined && "seen" in inputSchema.properties;
  return {
    name,
    description: shownText(description) || `The tool ${name} of an MCP server.`,
    parameters: z.looseObject({}),
    external: { schema: adapted.schema, pure },
    needs: [],
    cost: "nothing",
    async run(given, context) {
      const args = readArguments(name, given, takesSeen);
      const { valid, errorMessage } = check(args);
      if (!valid) throw wrongArguments(name, `they do not fit its schema: ${errorMessage}`, given);
      const { job, video } = context;
      const { max_side, quality } = context.settings.recognition;
      const call = async (signal: AbortSignal | undefined): Promise<ServerResult> =>
        readContent(await adapted.call(args, signal), context);
      if (!pure) return { type: "quoted", ...(await call(job.signal)) };
      const key = hashOf(["mcp", identity, args, max_side, quality]);
      const step = { key, tags: [video.hash], run: job.run, signal: job.signal };
      const { value } = await job.store.memo
        .once<ServerResult>(step, call)
        .catch((error: unknown) => {
          // The reason, such as a spent budget, which the memo reports as a cancelled step.
          job.signal?.throwIfAborted();
          throw error;
        });
      return { type: "quoted", ...value };
    },
  };
}

function validatorOf(schema: Tool["inputSchema"], name: string, entry: ServerEntry) {
  try {
    return new AjvJsonSchemaValidator().getValidator(schema as never);
  } catch (error) {
    throw serverFailure(entry, `cannot be used: the schema of ${name} is not valid`, error);
  }
}

/** The arguments as an object, without `seen`, which a model may add because tools of a search take it. */
function readArguments(tool: string, given: unknown, takesSeen: boolean): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrongArguments(tool, "they have to be a JSON object", given);
  const { length } = JSON.stringify(given);
  if (length > MOST_ARGUMENT_CHARACTERS)
    throw wrongArguments(tool, `they have ${length} characters, too many`, null);
  const { seen, ...rest } = given as Record<string, unknown>;
  return takesSeen && seen !== undefined ? { ...rest, seen } : rest;
}

function wrongArguments(tool: string, why: string, given: unknown): Failure {
  const shown = given === null ? "" : ` Got ${oneLine(JSON.stringify(given) ?? "nothing", 200)}.`;
  return new Failure(
    "wrong-usage",
    `Cannot call ${tool} with these arguments: ${oneLine(why, 400)}.${shown}`,
    { tool },
  );
}

/** Text of a server for a model: limited, without control characters. */
function shownText(text: string): string {
  return cutText(text, MOST_DESCRIPTION_CHARACTERS)
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
}
