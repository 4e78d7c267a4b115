import { existsSync } from "node:fs";
import { loadPrompts, type Prompts } from "../../prompts/load-prompts.ts";
import { Failure } from "../../src/core/errors.ts";
import { loadedModules } from "../../src/core/loaded-modules.ts";
import { type Settings, storedSettings } from "../../src/core/settings.ts";
import type { SharedRun } from "../../src/core/shared-runs.ts";
import { shellWord } from "../../src/core/shell-word.ts";
import { version } from "../../src/core/version.ts";
import type { ServerRecord } from "../../tools/mcp/server-record.ts";
import { isTranscriberCommand } from "../../tools/speech/transcriber-command.ts";
import { type Benchmark, benchmarkNamed, withScorers } from "../benchmarks/define-benchmark.ts";
import { checkRun } from "../run/check-run.ts";
import { checkServers } from "../run/check-servers.ts";
import { refuseOtherPrompts } from "../run/prepare-run.ts";
import { checkEvalHeader, type EvalHeader } from "../run/run-header.ts";

/** What the operator of a worker decides; the run decides everything else. */
export interface WorkerSettings {
  /** Places and speed of this worker. */
  runtime: Settings["runtime"];
  /** Those of them that were named for this worker; they replace those of the run. */
  given: Partial<Settings["runtime"]>;
  /** The program that transcribes speech, if this worker may run one. */
  transcriber: string | null;
  /** MCP servers that this worker has started. */
  servers: readonly ServerRecord[];
}

/** A run that this worker can work on. */
export interface AcceptedRun {
  run: string;
  header: EvalHeader;
  settings: Settings;
  benchmark: Benchmark;
  prompts: Prompts;
  most_tries: number;
}

/** Settings of a process, which a run does not decide for its workers. */
const OF_THE_WORKER = ["data", "mcp", "trace_file", "trace_content", "media_memory_mb"] as const;

/**
 * Checks that this worker answers the questions of a run as the process that planned it would: the same version and the
 * same files of users, prompts, servers and keys. No program, module or header that only the run names is used.
 *
 * Throws `Failure` with a message that says how to start a worker that can.
 */
export async function acceptRun(
  { run, header: stored, most_tries }: SharedRun,
  worker: WorkerSettings,
): Promise<AcceptedRun> {
  const header = checkEvalHeader(stored, `the run ${run}`);
  const planned = header.versions["video-rrd"];
  if (planned !== version())
    throw refusal(
      `Version ${version()} cannot answer a run that version ${planned} planned: start a worker of version ${planned}.`,
    );
  refuseMissingModules(header);
  const settings = settingsOf(header, worker);
  refuseOwnPrograms(header, settings, worker);
  refuseOtherServers(header, worker);
  const prompts = await loadPrompts(settings.runtime.prompts);
  explain(
    () => refuseOtherPrompts(header, prompts),
    `Prompts of the run differ from those of this worker: start a worker with the same files, as --prompts ${settings.runtime.prompts === null ? "FOLDER" : shellWord(settings.runtime.prompts)}.`,
  );
  const { descriptions, gold } = header;
  await checkRun({ settings, descriptions, gold }, header.total_cost_limit);
  if (!existsSync(header.data.folder))
    throw refusal(
      `The folder of the videos, ${header.data.folder}, is missing: mount it at the same path.`,
    );
  const benchmark = withScorers(benchmarkNamed(header.benchmark), header.scorers);
  return { run, header, settings, benchmark, prompts, most_tries };
}

/** The settings of the run, with places and speed of this worker. */
function settingsOf(header: EvalHeader, { runtime, given }: WorkerSettings): Settings {
  const read = storedSettings(header.settings);
  if (read === null)
    throw refusal("The settings of the run cannot be read: start a worker with the same modules.");
  const own = Object.fromEntries(OF_THE_WORKER.map((name) => [name, runtime[name]]));
  const merged = { ...read.runtime, ...own, ...given };
  // The servers of this worker are for runs that were planned with them.
  return { ...read, runtime: { ...merged, mcp: header.mcp === undefined ? null : merged.mcp } };
}

function refuseMissingModules({ modules = [] }: EvalHeader): void {
  const loaded = new Set(loadedModules().map(({ sha256 }) => sha256));
  const missing = modules.filter(({ sha256 }) => !loaded.has(sha256));
  if (missing.length === 0) return;
  const flags = missing
    .filter(({ named }) => named)
    .map(({ path }) => `--module ${shellWord(path)}`);
  const files = missing.map(({ path }) => path).join(", ");
  throw refusal(
    `The run uses ${files}, which this worker has not loaded or has in another version. ${flags.length === 0 ? "Start a worker with the same files." : `Start a worker with ${flags.join(" ")}.`}`,
  );
}

function refuseOwnPrograms(
  header: EvalHeader,
  { recognition }: Settings,
  { given: ofWorker, transcriber }: WorkerSettings,
): void {
  const given = recognition.transcriber;
  if (given !== null && isTranscriberCommand(given) && given !== transcriber)
    throw refusal(
      `The run transcribes speech with a program: start a worker with --transcriber ${shellWord(given)}.`,
    );
  const { headers } = (header.settings.runtime ?? {}) as { headers?: unknown };
  if (typeof headers === "string" && ofWorker.headers !== headers)
    throw refusal(
      `The run sends headers from environment variables: start a worker with ${headers
        .split(",")
        .map((one) => `--header ${shellWord(one)}`)
        .join(" ")}.`,
    );
}

function refuseOtherServers(header: EvalHeader, { servers }: WorkerSettings): void {
  if (header.mcp === undefined) return;
  const { mcp } = (header.settings.runtime ?? {}) as { mcp?: unknown };
  explain(
    () => checkServers(header.mcp, servers, "the run"),
    `MCP servers of the run differ from those of this worker: start a worker with the same --mcp ${shellWord(String(mcp ?? "FILE"))}.`,
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

function refusal(message: string): Failure {
  return new Failure("wrong-usage", message);
}
