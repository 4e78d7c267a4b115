import { relative } from "node:path";
import { HTTPException } from "hono/http-exception";
import { openServerTools } from "../../../graphs/toolbox/server-tools.ts";
import { loadPrompts, type Prompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../core/contracts.ts";
import { isFailure } from "../../core/errors.ts";
import { pathWithoutLinks } from "../../core/folder-bounds.ts";
import { mcpFileOf, resolveSettings } from "../service/request-settings.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { McpHost } from "./host.ts";
import { createLocalQuestions } from "./local-questions.ts";
import { RESULT_MS } from "./result-time.ts";

export interface LocalHostOptions {
  /** Folders whose files clients may read. */
  folders: readonly string[];
  /** The operator's settings, nested. */
  settings: Record<string, unknown>;
  /** Models that a client may name in addition to the operator's. */
  models: readonly string[];
  /** URIs of the client's roots; null: the client has none. */
  roots: () => Promise<readonly string[] | null>;
  /** Milliseconds after which a call returns `running` in place of its result. Default: `RESULT_MS`. */
  result_ms?: number;
  /** Writes a line to the log. */
  log: (text: string) => void;
}

/** This machine as a host of MCP clients. The store is opened at the first use. Throws `Failure` for a wrong folder. */
export async function createLocalHost(
  options: LocalHostOptions,
  folders: AllowedFolders,
): Promise<McpHost & { close(): Promise<void> }> {
  const own = { settings: options.settings, models: options.models };
  const { runtime } = resolveSettings({}, own, dataOf(options.settings));
  let store: Promise<Store> | undefined;
  let prompts: Promise<Prompts> | undefined;
  // Questions share the servers, which start now.
  const leaving = new AbortController();
  const servers = openServerTools({ mcp: mcpFileOf(options.settings) }, leaving.signal);
  servers.catch((error: unknown) => {
    if (isFailure(error)) options.log(error.message);
  });
  const open = () => {
    store ??= import("../../storage/open.ts").then(({ openStore }) => openStore(runtime.data));
    return store;
  };
  const host: Omit<McpHost, "questions"> = {
    owner: "",
    videoHint: "path of a video file in an allowed folder, absolute or relative to the folder",
    own,
    data: runtime.data,
    store: open,
    prompts() {
      prompts ??= loadPrompts(runtime.prompts);
      return prompts;
    },
    async openVideo(given, { signal }) {
      const { openVideo } = await import("../../../tools/video/video.ts");
      const path = await folders.resolve(given);
      const video = await openVideo(path, { store: await open(), run: "mcp", signal });
      return { ...video, within: await folders.folders() };
    },
    async listVideos() {
      const { catalogue } = await open();
      const allowed = await folders.folders();
      const opened = await Promise.all(allowed.map((folder) => catalogue.videosBelow(folder)));
      const hashes = new Map(opened.flat().map(({ path, hash }) => [path, hash]));
      return (await folders.files()).map(({ path, size }) => ({
        video: path,
        name: nameOf(path, allowed),
        hash: hashes.get(path) ?? null,
        size,
      }));
    },
    async mayRead(video) {
      const path = await (await open()).catalogue.videoPath(video);
      const real = path === undefined ? null : await pathWithoutLinks(path);
      return real !== null && folders.allows(real);
    },
    checkStorage: async () => undefined,
    result_ms: options.result_ms ?? RESULT_MS,
    runs: { roots: folders.folders, resolve: folders.resolve, nameOf: async (path) => path },
    explain(error) {
      if (isFailure(error) || error instanceof HTTPException) return error.message;
      options.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return "Internal error. The log of the server has the details.";
    },
  };
  const questions = createLocalQuestions(host);
  return {
    ...host,
    questions,
    async close() {
      await questions.close();
      const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
      await closeOcr();
      leaving.abort();
      await (await servers.catch(() => null))?.release();
      await (await store)?.close();
    },
  };
}

/** The shortest name of a file, relative to an allowed folder. */
function nameOf(path: string, folders: readonly string[]): string {
  const names = folders
    .map((folder) => relative(folder, path))
    .filter((way) => !way.startsWith(".."));
  return names.sort((a, b) => a.length - b.length)[0] ?? path;
}

function dataOf(settings: Record<string, unknown>): string {
  const { runtime } = settings as { runtime?: { data?: string } };
  return runtime?.data ?? ".video-rrd";
}
