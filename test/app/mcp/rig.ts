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

/** Arguments with which each tool can be called; those of runs and questions are added by tests. */
export const TOOL_ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  list_videos: {},
  index_video: {},
  search_videos: { query: "green" },
  overview: {},
  view_frames: { from_s: 12, to_s: 14, count: 1 },
  zoom: { at_s: 13, box: { x: 0, y: 0, width: 0.5, height: 0.5 } },
  compare_frames: { times_s: [1, 13] },
  search_evidence: { query: "green" },
  subtitles: { from_s: 0, to_s: 30 },
  read_text: { at_s: 20 },
  calculate: { expression: "2 + 3 * 4" },
  solve: { equations: ["x + 2 = 5"], for: ["x"] },
};

/** Calls every listed tool about a video, with `more` arguments for some; returns the names of those that failed. */
export async function callEveryTool(
  client: Client,
  video: string,
  more: Readonly<Record<string, Record<string, unknown>>>,
): Promise<string[]> {
  const given = { ...TOOL_ARGUMENTS, ...more };
  const failed: string[] = [];
  for (const { name, inputSchema } of (await client.listTools()).tools) {
    const about = "video" in (inputSchema.properties ?? {}) && name !== "get_evidence";
    const result = await callTool(client, name, { ...(about ? { video } : {}), ...given[name] });
    if (given[name] === undefined || result.isError) failed.push(`${name}: ${result.text}`);
  }
  return failed;
}
