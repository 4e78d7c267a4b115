import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "../core/errors.ts";

/**
 * Identifies a process, even against a later one with the same pid.
 * `host` identifies the machine, its boot and its pid namespace; `started` is in clock ticks, "" if unknown.
 */
export interface ProcessIdentity {
  host: string;
  pid: number;
  started: string;
}

let own: ProcessIdentity | undefined;

export function thisProcess(): ProcessIdentity {
  own ??= { host: hostIdentity(), pid: process.pid, started: startOf(process.pid)?.started ?? "" };
  return own;
}

/** True only if the process has certainly ended: it ran on this host and no longer exists. */
export function hasEnded(other: ProcessIdentity): boolean {
  if (other.host !== thisProcess().host) return false;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    return systemCode(error) === "ESRCH";
  }
  const running = startOf(other.pid);
  if (running === undefined || other.started === "") return false;
  // A zombie keeps its pid until its parent reaps it, but never runs again.
  return running.state === "Z" || running.state === "X" || running.started !== other.started;
}

/** Whether the process ran on this host, so that its end can be detected. On other hosts only its silence shows the end. */
export function isOnThisHost(other: ProcessIdentity): boolean {
  return other.host === thisProcess().host;
}

function hostIdentity(): string {
  const parts = [
    hostname(),
    attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    attempt(() => readlinkSync("/proc/self/ns/pid")),
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

/** State and start time of a process, by proc(5): fields 3 and 22, counted after the name, which may hold anything. */
function startOf(pid: number): { state: string; started: string } | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields?.[0];
  const started = fields?.[19];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // A system without /proc: only pids are compared, and leases expire.
    return undefined;
  }
}
