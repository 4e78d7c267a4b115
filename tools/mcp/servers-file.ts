import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine, toFailure } from "../../src/core/errors.ts";

/** Seconds that a server may take to start and to list its tools; `npx` may have to download it first. */
const START_S = 60;
/** Seconds of one call. */
const CALL_S = 60;
const MOST_BYTES = 2 ** 20;
const MOST_SERVERS = 16;

/** How a server is reached. */
export type ServerAddress =
  | {
      transport: "stdio";
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      folder: string;
    }
  | { transport: "http"; url: string; headers: Readonly<Record<string, string>> };

/** One server of the file, with the values of its variables. Never log or store an address: it holds secrets. */
export interface ServerEntry {
  name: string;
  address: ServerAddress;
  /** Names of the tools to offer; null: all of them. */
  tools: readonly string[] | null;
  /** Names of the tools whose results depend only on their arguments. */
  pure: readonly string[];
  call_s: number;
  start_s: number;
}

const Variables = z.record(z.string().min(1).max(200), z.string().max(4000)).default({});
const Names = z.array(z.string().min(1).max(200)).max(1000);
const Common = {
  tools: Names.optional(),
  pure: Names.default([]),
  timeout_s: z.number().min(0.1).max(3600).default(CALL_S),
  start_timeout_s: z.number().min(0.1).max(3600).default(START_S),
  disabled: z.boolean().default(false),
  // Members that clients write for themselves.
  description: z.unknown().optional(),
  autoApprove: z.unknown().optional(),
  alwaysAllow: z.unknown().optional(),
};
const Kind = (...names: string[]) => z.enum(names).optional();
const Stdio = z.strictObject({
  type: Kind("stdio"),
  transport: Kind("stdio"),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: Variables,
  cwd: z.string().min(1).optional(),
  ...Common,
});
const HTTP_NAMES = ["http", "streamable-http", "streamableHttp"];
const Http = z.strictObject({
  type: Kind(...HTTP_NAMES),
  transport: Kind(...HTTP_NAMES),
  url: z.string().refine(isWebAddress, {
    error: "an http or https address without a user name and password",
  }),
  headers: Variables,
  ...Common,
});
const File = z.object({ mcpServers: z.record(z.string().min(1).max(64), z.unknown()) });

/**
 * The MCP servers of a file in the form of common clients, `{ "mcpServers": { name: { command, args, env } } }`, those that
 * are disabled left out. Throws `Failure`: `file-unreadable`, `wrong-setting`, and `missing-key` for a variable that is
 * not set.
 */
export async function readServersFile(
  path: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ServerEntry[]> {
  const refuse = (why: string) =>
    new Failure("wrong-setting", `Invalid --mcp ${path}: ${why}`, { path });
  const file = File.safeParse(await readJson(path, refuse));
  if (!file.success)
    throw refuse(
      'use {"mcpServers": {"name": {"command": "..."}}}, as in the settings of other MCP clients.',
    );
  const entries = Object.entries(file.data.mcpServers).flatMap(
    ([name, given]) => readEntry(name, given, { path, env, refuse }) ?? [],
  );
  if (entries.length === 0) throw refuse("it names no server.");
  if (entries.length > MOST_SERVERS)
    throw refuse(`it names ${entries.length} servers; use at most ${MOST_SERVERS}.`);
  return entries;
}

interface Reading {
  path: string;
  env: NodeJS.ProcessEnv;
  refuse: (why: string) => Failure;
}

function readEntry(name: string, given: unknown, reading: Reading): ServerEntry | null {
  const { path, refuse } = reading;
  const isObject = typeof given === "object" && given !== null;
  if (!isObject || !("command" in given || "url" in given))
    throw refuse(`the server ${JSON.stringify(name)} needs a "command" or a "url".`);
  const { type, transport } = given as { type?: unknown; transport?: unknown };
  if (type === "sse" || transport === "sse")
    throw refuse(
      `the server ${JSON.stringify(name)} uses the old transport "sse", which is not supported. Use its address for streamable HTTP.`,
    );
  const read = ("command" in given ? Stdio : Http).safeParse(given);
  if (!read.success) {
    const issue = read.error.issues[0];
    const where = [`"${name}"`, ...(issue?.path ?? [])].join(".");
    if (issue?.code === "unrecognized_keys")
      throw refuse(`unknown member ${issue.keys.map((key) => `"${key}"`).join(", ")} of ${where}.`);
    throw refuse(`${where} must be ${oneLine(describeExpected(issue), 200)}.`);
  }
  const { tools = null, pure, timeout_s, start_timeout_s, disabled } = read.data;
  if (disabled) return null;
  const unknown = pure.find((tool) => tools !== null && !tools.includes(tool));
  if (unknown !== undefined)
    throw refuse(`"${name}".pure names ${JSON.stringify(unknown)}, which "tools" leaves out.`);
  const at = (member: string) => `"${name}".${member}`;
  const address: ServerAddress =
    "command" in read.data
      ? {
          transport: "stdio",
          command: read.data.command,
          args: read.data.args,
          env: withValues(read.data.env, at("env"), reading),
          folder: resolve(dirname(path), read.data.cwd ?? "."),
        }
      : {
          transport: "http",
          url: read.data.url,
          headers: withValues(read.data.headers, at("headers"), reading),
        };
  return { name, address, tools, pure, call_s: timeout_s, start_s: start_timeout_s };
}

const VARIABLE = /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\})/g;

/** Secrets are in the environment, never in the file. */
function withValues(
  given: Readonly<Record<string, string>>,
  where: string,
  { env, refuse }: Reading,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      // The value is not shown: it may be a secret.
      if (!new RegExp(VARIABLE).test(text))
        throw refuse(
          `${where}.${name} must name an environment variable, such as "$MY_KEY" or "Bearer $MY_KEY", so that no secret is in the file.`,
        );
      const value = text.replaceAll(VARIABLE, (_all, plain?: string, braced?: string) => {
        const variable = plain ?? braced ?? "";
        const set = env[variable];
        if (set !== undefined && set !== "") return set;
        throw new Failure(
          "missing-key",
          `Cannot set ${where}.${name} of an MCP server: the environment variable ${variable} is not set.`,
          { variable },
        );
      });
      if (/[\r\n\0]/.test(value))
        throw refuse(`the value of ${where}.${name} has a line break. Remove it.`);
      return [name, value];
    }),
  );
}

async function readJson(path: string, refuse: Reading["refuse"]): Promise<unknown> {
  const text = await readText(path, refuse).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading the MCP servers of ${path}`);
  });
  try {
    return JSON.parse(text.replace(/^\ufeff/, "")) as unknown;
  } catch (error) {
    throw refuse(`it is not JSON (${oneLine((error as Error).message, 120)}).`);
  }
}

async function readText(path: string, refuse: Reading["refuse"]): Promise<string> {
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw refuse(`it has ${size} bytes; use at most ${MOST_BYTES}.`);
  return readFile(path, "utf8");
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
}
