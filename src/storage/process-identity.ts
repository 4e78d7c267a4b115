import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "../core/errors.ts";

/**
 * One process, told from a later one with the same pid.
 * `host` names the machine, its boot and its pid namespace; `started` is in the system's own ticks, "" where it is unknown.
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

/** True only where it is certain that the process has ended: it ran on this host, and nothing that runs now is it. */
export function isGone(other: ProcessIdentity): boolean {
  if (other.host !== thisProcess().host) return false;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    return systemCode(error) === "ESRCH";
  }
  const running = startOf(other.pid);
  if (running === undefined || other.started === "") return false;
  // A zombie keeps its pid until its parent asks for it, but will never run again.
  return running.state === "Z" || running.state === "X" || running.started !== other.started;
}

/** Whether `isGone` can tell of a process: it runs on this host. Of any other only its silence tells. */
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
    // Systems without /proc: pids alone have to do, and leases expire.
    return undefined;
  }
}
