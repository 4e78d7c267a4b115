import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

/** Milliseconds between two looks at the memory of a process tree. */
const LOOK_MS = 100;

export interface TreeUse {
  stdout: string;
  /** Most memory of the process and all its descendants at one time, each page counted once, in MB; NaN without `/proc`. */
  peak_mb: number;
  /** Processes that were seen. */
  processes: number;
}

/** Runs a script of this project in a process of its own and measures the memory of its process tree. */
export async function runTree(args: readonly string[]): Promise<TreeUse> {
  const running = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 28 });
  const watched = watchTree(running.child.pid ?? 0);
  try {
    const { stdout } = await running;
    return { stdout, ...watched.use() };
  } finally {
    watched.stop();
  }
}

/** Measures the memory of a process tree until `stop`. `use` returns the use so far. */
export function watchTree(root: number): { use(): Omit<TreeUse, "stdout">; stop(): void } {
  const seen = new Set<number>();
  let peak = Number.NaN;
  const look = setInterval(() => {
    const tree = treeOf(root);
    for (const pid of tree) seen.add(pid);
    const sum = tree.reduce((total, pid) => total + pssOf(pid), 0);
    if (sum > 0 && !(sum <= peak)) peak = sum;
  }, LOOK_MS);
  return {
    use: () => ({ peak_mb: peak / 1024, processes: seen.size }),
    stop: () => clearInterval(look),
  };
}

/** The process and its descendants. */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of foldersOfProcesses()) {
    const parent = Number(read(`/proc/${name}/stat`).split(") ").at(-1)?.split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

function foldersOfProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The proportional set size of a process in KB; 0 if it has ended. */
function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The process has ended.
    return "";
  }
}
