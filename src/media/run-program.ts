import { basename } from "node:path";
import type { Writable } from "node:stream";
import { Failure, oneLine } from "../core/errors.ts";
import { findProgram, programText } from "../core/program.ts";
import { endWithProcess } from "./end-with-process.ts";
import { runInQueue } from "./process-queue.ts";

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const STDERR_KEPT = 16 * 1024;
const STDERR_SHOWN = 600;
const LINES_SHOWN = 4;

export interface RunProgramOptions {
  /** Most seconds of the program. */
  timeout_s: number;
  /** Most bytes of standard output. */
  maxOutput: number;
  signal?: AbortSignal;
  /** Names the program in messages. Default: its command line. */
  label?: string;
  /** What to change if the time is too short, such as `Raise --transcriber-timeout.` */
  hint?: string;
  /** Receives standard output as it comes. */
  onOutput?: (text: string) => void;
}

/**
 * Runs a program that the operator named, without a shell and in a process group of its own, when the queue of media
 * processes has a place. Returns its standard output. Whatever it started ends with it: after its exit, after the time
 * limit, when the signal aborts, and when this process exits or is killed.
 *
 * Throws `Failure`: `program-failed` (it cannot be started, takes too long, writes too much, is killed, or exits with
 * another code than 0, with its last lines of standard error), `cancelled`.
 */
export function runProgram(
  program: { command: string; args: readonly string[] },
  options: RunProgramOptions,
): Promise<string> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const leaveQueue = () => reject(cancelled(program.command));
    signal?.addEventListener("abort", leaveQueue, { once: true });
    runInQueue(() => {
      signal?.removeEventListener("abort", leaveQueue);
      return execute(program, options);
    }).then(resolve, reject);
  });
}

async function execute(
  { command, args }: { command: string; args: readonly string[] },
  { timeout_s, maxOutput, signal, label, hint = "", onOutput }: RunProgramOptions,
): Promise<string> {
  const { execa } = await import("execa");
  if (signal?.aborted) throw cancelled(command);
  const failed = (what: string, facts: Record<string, unknown> = {}) =>
    new Failure("program-failed", `${label ?? programText({ command, args: [...args] })} ${what}`, {
      command,
      ...facts,
    });
  if (findProgram(command) === null)
    throw failed(`cannot be started: there is no program ${JSON.stringify(command)}.`);
  const watch = endWithProcess();
  const started = watch.gated({ command, args });
  const subprocess = execa(started.command, started.args, {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    buffer: false,
    reject: false,
    detached: process.platform !== "win32",
  });
  const { pid, nodeChildProcess: child } = subprocess;
  watch.begin(pid, child.stdio[3] as Writable | undefined);
  let stopped: Failure | undefined;
  const stop = (why?: Failure) => {
    stopped ??= why;
    killGroup(pid, () => subprocess.kill("SIGKILL"));
  };

  const onAbort = () => stop(cancelled(command));
  const onExit = () => stop();
  const timer = setTimeout(
    () =>
      stop(
        failed(
          `took longer than ${Number(timeout_s.toFixed(1))} s and was stopped. ${hint}`.trim(),
        ),
      ),
    Math.min(Math.max(1, timeout_s * 1000), LONGEST_TIMER_MS),
  );
  signal?.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  child.once("exit", () => {
    // Another group may get the same number now.
    watch.end();
    // What it started and left behind would keep its pipes open.
    stop();
  });

  const out: string[] = [];
  let bytes = 0;
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    bytes += Buffer.byteLength(text);
    if (bytes > maxOutput) {
      stop(failed(`wrote more than ${maxOutput} bytes to standard output and was stopped.`));
      return;
    }
    out.push(text);
    onOutput?.(text);
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });

  try {
    const result = await subprocess;
    if (stopped !== undefined) throw stopped;
    if (result.exitCode === 0) return out.join("");
    const said = lastLines(stderr);
    const report = said === "" ? "" : ` Its error output ends: ${said}`;
    if (result.exitCode !== undefined)
      throw failed(`ended with exit code ${result.exitCode}.${report}`, {
        code: result.exitCode,
        stderr: said,
      });
    if (result.signal !== undefined)
      throw failed(`was ended by ${result.signal}.${report}`, { signal: result.signal });
    throw failed(`cannot be started: ${oneLine(result.originalMessage ?? "unknown reason")}.`);
  } finally {
    watch.end();
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    process.off("exit", onExit);
  }
}

function killGroup(pid: number | undefined, killOne: () => void): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended, or the system has no groups.
    killOne();
  }
}

function lastLines(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return oneLine(lines.slice(-LINES_SHOWN).join(" / "), STDERR_SHOWN);
}

function cancelled(command: string): Failure {
  return new Failure("cancelled", `Cancelled while running ${basename(command)}.`, { command });
}
