import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";

/** Root keeps its rights over files of other users only in its own user namespace. */
const isRoot = process.getuid?.() === 0;

/** Whether this machine lets a test mount a small file system. */
export function canMount(): boolean {
  const tried = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]);
  return tried.status === 0;
}

/** A file system of `size` at `folder` that only one command sees; it ends with the command. */
export async function ownDisk(folder: string, size: string) {
  await mkdir(folder, { recursive: true });
  const mount = `mount -t tmpfs -o size=${size} none ${folder} && exec "$@"`;
  return {
    /** What stands before the command. */
    wrapped: ["unshare", isRoot ? "-m" : "-rm", "sh", "-c", mount, "sh"],
    /** Runs a script where the running command is. */
    inside: ({ pid }: Pick<ChildProcess, "pid">, script: string) =>
      execFileSync(
        "nsenter",
        [
          ...(isRoot ? [] : ["--preserve-credentials", "-U"]),
          ...["-m", "-t", String(pid), "sh", "-c", script],
        ],
        { stdio: ["ignore", "pipe", "ignore"] },
      ),
  };
}
