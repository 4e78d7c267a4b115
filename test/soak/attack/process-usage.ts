import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/* What the kernel says of a process: memory, time on a core, time spent waiting for one. */

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

/** Sets the kernel's peak of a process back to what it holds now. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Milliseconds that a thread ran, and that it was ready to run but waited for a core. */
export function coreTime(task: string): { ran_ms: number; waited_ms: number } {
  const [ran = 0, waited = 0] = (read(`${task}/schedstat`) ?? "").split(" ").map(Number);
  return { ran_ms: ran / 1e6, waited_ms: waited / 1e6 };
}

/** Processes that a process started, with theirs. */
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

/** The name of a process's program. */
export function programOf(pid: number): string {
  return (read(`/proc/${pid}/comm`) ?? "").trim();
}
