import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { Job } from "./worker.ts";

const script = fileURLToPath(new URL("worker.ts", import.meta.url));
const started = new Set<ChildProcess>();

export interface Worker {
  pid: number;
  /** The next line that it prints, or an error with its standard error. */
  said(): Promise<unknown>;
  /** `kill -9`, and waits for the end. */
  kill(): Promise<void>;
}

export function startWorker(job: Job, wrapped: readonly string[] = []): Worker {
  const [command = "", ...args] = [...wrapped, process.execPath, script, JSON.stringify(job)];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  const ended = once(child, "exit").finally(() => started.delete(child));
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    async said() {
      const line = await lines.next();
      if (line.done === true) throw new Error(`The worker ended without a word: ${complaint}`);
      return JSON.parse(line.value);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});
