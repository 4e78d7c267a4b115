import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { CLI } from "../../support/command-line.ts";

/** A process of `worker`. */
export interface WorkerProcess {
  child: ChildProcess;
  /** What it printed. */
  said(): string;
  /** Its exit code, or the signal that ended it. */
  exit: Promise<number | string>;
}

const running = new Set<ChildProcess>();

/** Starts a worker in `folder`, as the last words of the command `wrapped`. It has joined when this returns. */
export async function startWorker(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  nodeArgs: readonly string[] = [],
  wrapped: readonly string[] = [],
): Promise<WorkerProcess> {
  const [command = "", ...words] = [...wrapped, process.execPath, ...nodeArgs, CLI, "worker"];
  const child = spawn(command, [...words, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let text = "";
  child.stderr?.on("data", (chunk) => {
    text += chunk;
  });
  const exit = once(child, "exit").then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | string;
  });
  while (!text.includes("samples at once") && child.exitCode === null) await sleep(10);
  return { child, said: () => text, exit };
}

/** Kills the workers that a test has left. */
export async function endWorkers(): Promise<void> {
  const left = [...running];
  for (const child of left) child.kill("SIGKILL");
  await Promise.all(left.map((child) => child.exitCode === null && once(child, "exit")));
}
