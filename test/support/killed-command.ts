import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeenRequest } from "./model-server.ts";

/** Longest time from a reply's last byte until its step is stored, on a busy machine, milliseconds. */
const STORING_MS = 400;

/** Whether a request that took `reply_ms` to answer was in flight, or its reply not yet stored, at one of the kills. */
export function inFlightAt(
  request: SeenRequest,
  reply_ms: number,
  killed: readonly number[],
): boolean {
  return killed.some((at) => at >= request.at && at <= request.at + reply_ms + STORING_MS);
}

/** Runs a Node command to its end, or kills it with all its children after a time in milliseconds or after a promise. */
export async function runOnce(args: string[], kill: number | Promise<unknown> | null) {
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  let killedAt: number | null = null;
  if (kill !== null)
    void (typeof kill === "number" ? sleep(kill) : kill).then(() => {
      if (child.exitCode !== null || child.pid === undefined) return;
      killedAt = Date.now();
      process.kill(-child.pid, "SIGKILL");
    });
  const code = await ended;
  if (killedAt === null && code !== 0) throw new Error(`ask ended with ${code}: ${stderr}`);
  return { killedAt: code === 0 ? null : killedAt, stdout };
}
