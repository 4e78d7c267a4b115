import { spawn } from "node:child_process";

/** Reads a process group from standard input, waits for the end of the input, then ends the group. */
const WATCH = 'read -r group; read -r _; [ -z "$group" ] || kill -KILL "-$group"';

/** A watch over a process group that is not started yet. */
export interface GroupWatch {
  /** Names the group, as soon as it is started. */
  begin(group: number | undefined): void;
  /** Call it once the group's leader has ended. */
  end(): void;
}

/**
 * Ends a process group when this process ends, even if it is killed: a shell in a group of its own waits for the end of
 * a pipe that only this process holds open. Start the watch before the group, so that no moment is unwatched. Without a
 * shell at `/bin/sh` nothing is watched.
 */
export function endWithProcess(): GroupWatch {
  if (process.platform === "win32") return { begin: () => {}, end: () => {} };
  const watch = spawn("/bin/sh", ["-c", WATCH], {
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watch.on("error", () => {});
  watch.stdin.on("error", () => {});
  watch.unref();
  // A pipe to a process is a socket.
  if ("unref" in watch.stdin) (watch.stdin as unknown as { unref(): void }).unref();
  return {
    begin: (group) => {
      if (group !== undefined) watch.stdin.write(`${group}\n`);
    },
    end: () => {
      watch.kill("SIGKILL");
      watch.stdin.destroy();
    },
  };
}
