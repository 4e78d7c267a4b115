import { loadPrompts, type Prompts } from "../../prompts/load-prompts.ts";
import { Failure } from "../../src/core/errors.ts";
import { loadedModules, type ModuleFile } from "../../src/core/loaded-modules.ts";
import { type Settings, valueAt } from "../../src/core/settings.ts";
import { shellWord } from "../../src/core/shell-word.ts";
import { version } from "../../src/core/version.ts";
import type { ServerRecord } from "../../tools/mcp/server-record.ts";
import { isTranscriberCommand } from "../../tools/speech/transcriber-command.ts";
import { checkServers } from "../run/check-servers.ts";
import { refuseOtherPrompts } from "../run/prepare-run.ts";

/* What a worker checks before it does the work of another process: a run, or the questions of a service. */

/** What the operator of a worker decides; the planned work decides everything else. */
export interface WorkerSettings {
  /** Places and speed of this worker. */
  runtime: Settings["runtime"];
  /** Those of them that were named for this worker; they replace those of the work. */
  given: Partial<Settings["runtime"]>;
  /** The program that transcribes speech, if this worker may run one. */
  transcriber: string | null;
  /** MCP servers that this worker has started. */
  servers: readonly ServerRecord[];
}

/** What the process that planned the work had loaded and set. */
export interface PlannedWork {
  what: "run" | "service";
  version: string;
  modules?: ModuleFile[] | undefined;
  /** The MCP servers with their tools. */
  mcp?: ServerRecord[] | undefined;
  /** Nested, as they were given or read. */
  settings: Record<string, unknown>;
  /** Hashes of the prompts by name. */
  prompts: Record<string, string>;
}

/** Settings of a process, which planned work does not decide for its workers. */
const OF_THE_WORKER = ["data", "mcp", "trace_file", "trace_content", "media_memory_mb"] as const;

/** Places and speed of this worker, which replace those of the work. */
export function ownRuntime(
  { mcp: planned }: Pick<PlannedWork, "mcp">,
  { runtime, given }: WorkerSettings,
): Partial<Settings["runtime"]> {
  const own = Object.fromEntries(OF_THE_WORKER.map((name) => [name, runtime[name]]));
  // The servers of this worker are for work that was planned with them.
  return { ...own, ...given, ...(planned === undefined ? { mcp: null } : {}) };
}

/**
 * Checks that this worker has the version, the files of users, the programs, headers and MCP servers of the work. None of
 * them is used that only the work names. Throws `Failure` `wrong-usage` with a message that says how to start a worker that
 * can do it.
 */
export function refuseOtherCode(work: PlannedWork, worker: WorkerSettings): void {
  const { what, version: planned } = work;
  if (planned !== version())
    throw refusal(
      `Version ${version()} cannot answer ${what === "run" ? `a run that version ${planned} planned` : `the questions of a service of version ${planned}`}: start a worker of version ${planned}.`,
    );
  refuseMissingModules(work);
  refuseOwnPrograms(work, worker);
  refuseOtherServers(work, worker);
}

/** The prompts in a folder, or the built-in ones. Throws `Failure` `wrong-usage` if they differ from those of the work. */
export async function loadSamePrompts(
  { what, prompts: planned }: PlannedWork,
  folder: string | null,
): Promise<Prompts> {
  const prompts = await loadPrompts(folder);
  explain(
    () => refuseOtherPrompts({ prompts: planned }, prompts),
    `Prompts of the ${what} differ from those of this worker: start a worker with the same files, as --prompts ${folder === null ? "FOLDER" : shellWord(folder)}.`,
  );
  return prompts;
}

function refuseMissingModules({ what, modules = [] }: PlannedWork): void {
  const loaded = new Set(loadedModules().map(({ sha256 }) => sha256));
  const missing = modules.filter(({ sha256 }) => !loaded.has(sha256));
  if (missing.length === 0) return;
  const flags = missing
    .filter(({ named }) => named)
    .map(({ path }) => `--module ${shellWord(path)}`);
  const files = missing.map(({ path }) => path).join(", ");
  throw refusal(
    `The ${what} uses ${files}, which this worker has not loaded or has in another version. ${flags.length === 0 ? "Start a worker with the same files." : `Start a worker with ${flags.join(" ")}.`}`,
  );
}

function refuseOwnPrograms(
  { what, settings }: PlannedWork,
  { given: ofWorker, transcriber }: WorkerSettings,
): void {
  const given = valueAt(settings, "recognition.transcriber");
  if (typeof given === "string" && isTranscriberCommand(given) && given !== transcriber)
    throw refusal(
      `The ${what} transcribes speech with a program: start a worker with --transcriber ${shellWord(given)}.`,
    );
  const headers = valueAt(settings, "runtime.headers");
  if (typeof headers === "string" && ofWorker.headers !== headers)
    throw refusal(
      `The ${what} sends headers from environment variables: start a worker with ${headers
        .split(",")
        .map((one) => `--header ${shellWord(one)}`)
        .join(" ")}.`,
    );
}

function refuseOtherServers(
  { what, mcp, settings }: PlannedWork,
  { servers }: WorkerSettings,
): void {
  if (mcp === undefined) return;
  const file = valueAt(settings, "runtime.mcp");
  explain(
    () => checkServers(mcp, servers, `the ${what}`),
    `MCP servers of the ${what} differ from those of this worker: start a worker with the same --mcp ${shellWord(String(file ?? "FILE"))}.`,
  );
}

/** A check of resumed runs, with a message for workers. */
function explain(check: () => void, message: string): void {
  try {
    check();
  } catch (error) {
    throw new Failure("wrong-usage", message, {}, { cause: error });
  }
}

export function refusal(message: string): Failure {
  return new Failure("wrong-usage", message);
}
