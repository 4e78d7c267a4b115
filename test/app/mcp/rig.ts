import { readdir, readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type CallToolResult, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { CLI } from "../../support/command-line.ts";

export interface StdioOptions {
  /** Roots of the client, as folders. */
  roots?: readonly string[];
}

/** A client that talks to `video-rrd mcp` with these flags, started in `folder`. */
export async function connectCommand(
  folder: string,
  flags: readonly string[],
  { roots }: StdioOptions = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", ...flags],
    cwd: folder,
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", OPENAI_API_KEY: "sk-x" },
  });
  let logged = "";
  transport.stderr?.on("data", (chunk) => {
    logged += String(chunk);
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { capabilities: roots === undefined ? {} : { roots: { listChanged: true } } },
  );
  const shared = { roots: [...(roots ?? [])] };
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: shared.roots.map((root) => ({ uri: pathToFileURL(root).href })),
    }));
  await client.connect(transport);
  return { client, shared, pid: transport.pid ?? 0, logged: () => logged };
}

/** Calls a tool; the client checks structured results against the tool's output schema. */
export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown>,
  options: Parameters<Client["callTool"]>[2] = {},
) {
  const result = (await client.callTool(
    { name, arguments: given },
    undefined,
    options,
  )) as CallToolResult;
  const texts = result.content.flatMap((part) => (part.type === "text" ? part.text : []));
  const images = result.content.flatMap((part) =>
    part.type === "image" ? Buffer.from(part.data, "base64") : [],
  );
  return {
    isError: result.isError ?? false,
    text: texts.join("\n"),
    images,
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
  };
}

/** Processes that a process started and that still run, by command line. */
export async function childrenOf(pid: number): Promise<string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    all.map(async (one) => {
      const stat = await readFile(`/proc/${one}/stat`, "utf8").catch(() => "");
      const [, state, parent] = /\) (\S) (\d+)/.exec(stat) ?? [];
      if (Number(parent) !== pid || state === "Z") return [];
      return [
        (await readFile(`/proc/${one}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " "),
      ];
    }),
  );
  return found.flat();
}

/** Processes that name a folder in their command line. */
export async function processesNaming(folder: string): Promise<string[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    all.map((one) => readFile(`/proc/${one}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(folder)).map((line) => line.replaceAll("\0", " "));
}
