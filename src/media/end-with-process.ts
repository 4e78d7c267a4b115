import { spawn } from "node:child_process";

/** Waits for the end of its standard input, then ends the process group in its first argument. */
const WATCH = 'read -r _; kill -KILL "-$1"';

/**
 * Ends a process group when this process ends, even if it is killed: a shell in a group of its own waits for the end of
 * a pipe that only this process holds open. Returns a function that ends the watch; call it once the group's leader has
 * ended. Without a shell at `/bin/sh` nothing is watched.
 */
export function endWithProcess(group: number | undefined): () => void {
  if (group === undefined || process.platform === "win32") return () => {};
  const watch = spawn("/bin/sh", ["-c", WATCH, "sh", String(group)], {
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
  return () => {
    watch.kill("SIGKILL");
    watch.stdin.destroy();
  };
}
