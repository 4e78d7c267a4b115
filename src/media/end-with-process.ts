import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Writable } from "node:stream";

const SHELL = "/bin/sh";
/** Reads a process group from standard input, waits for the end of the input, then ends the group. */
const WATCH = 'read -r group; read -r _; [ -z "$group" ] || kill -KILL "-$group"';
/** Waits for a line from file descriptor 3, then becomes the program; ends if the other side is closed first. */
const GATE = 'read -r _ <&3 || exit 1; exec "$@" 3<&-';

export interface Command {
  command: string;
  args: readonly string[];
}

/** A watch over a process group that is not started yet. */
export interface GroupWatch {
  /**
   * The command to start in place of that of the group's leader: it does nothing before `begin`. It needs a pipe at
   * file descriptor 3.
   */
  gated(leader: Command): Command;
  /** Names the group, and lets it begin by the pipe at file descriptor 3 of its leader. */
  begin(group: number | undefined, gate: Writable | undefined): void;
  /** Call it once the group's leader has ended. */
  end(): void;
}

const UNWATCHED: GroupWatch = {
  gated: (leader) => leader,
  begin: (_group, gate) => gate?.destroy(),
  end: () => {},
};

/**
 * Ends a process group when this process ends, even if it is killed: a shell in a group of its own waits for the end of
 * a pipe that only this process holds open. The group begins when the watch knows it, so that no moment is unwatched.
 * Without a shell at `/bin/sh` nothing is watched.
 */
export function endWithProcess(): GroupWatch {
  if (!existsSync(SHELL)) return UNWATCHED;
  const watch = spawn(SHELL, ["-c", WATCH], {
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
    gated: ({ command, args }) => ({ command: SHELL, args: ["-c", GATE, "sh", command, ...args] }),
    begin: (group, gate) => {
      gate?.on("error", () => {});
      if (group === undefined) return;
      watch.stdin.write(`${group}\n`, () => gate?.end("\n"));
    },
    end: () => {
      watch.kill("SIGKILL");
      watch.stdin.destroy();
    },
  };
}
