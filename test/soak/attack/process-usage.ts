import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/* Measures of a process from the kernel: memory, CPU time, time spent waiting for a core. */

/** Null once the process has ended. */
function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Resident memory now and its peak since `resetPeak`, in MB. */
export function memoryOf(pid: number): { now_mb: number; peak_mb: number } {
  const status = read(`/proc/${pid}/status`) ?? "";
  const mb = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024;
  return { now_mb: mb("VmRSS"), peak_mb: mb("VmHWM") };
}

/** Resets the kernel's memory peak of a process to its current memory. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Milliseconds that a thread ran, and milliseconds that it waited for a core. */
export function coreTime(task: string): { ran_ms: number; waited_ms: number } {
  const [ran = 0, waited = 0] = (read(`${task}/schedstat`) ?? "").split(" ").map(Number);
  return { ran_ms: ran / 1e6, waited_ms: waited / 1e6 };
}

/** All descendants of a process. */
export function descendants(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  let threads: string[];
  try {
    threads = readdirSync(tasks);
  } catch {
    return [];
  }
  const children = threads
    .flatMap((thread) => (read(`${tasks}/${thread}/children`) ?? "").split(" "))
    .filter((text) => text !== "")
    .map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** CPU seconds of a process with all its threads, and of the ended children that it has waited for. */
function secondsOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`) ?? "";
  // Fields after the name, which may contain any character: 3 is the state, 14 to 17 are the times.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_A_SECOND;
}

/** Clock ticks per second in /proc, on every Linux that Node supports. */
const TICKS_A_SECOND = 100;

/** CPU seconds since boot: of these processes with their descendants, and of all other processes. */
export function machineTime(pids: readonly number[]): { ours_s: number; others_s: number } {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    (read("/proc/stat") ?? "").split("\n", 1)[0]?.split(/\s+/).slice(1).map(Number) ?? [];
  const ours_s = pids
    .flatMap((pid) => [pid, ...descendants(pid)])
    .reduce((sum, pid) => sum + secondsOf(pid), 0);
  const all_s = (user + nice + system + irq + softirq) / TICKS_A_SECOND;
  return { ours_s, others_s: all_s - ours_s };
}

/** The name of a process. */
export function programOf(pid: number): string {
  return (read(`/proc/${pid}/comm`) ?? "").trim();
}
