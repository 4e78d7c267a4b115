import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

const POLL_MS = 200;
const PAGE_BYTES = 4096;

/**
 * Calls `onExceed` when the resident memory of a process exceeds `limit_mb` (MiB). Returns a function that ends the
 * watch. Only systems that have `/proc` are watched.
 */
export function watchMemory(
  pid: number | undefined,
  limit_mb: number,
  onExceed: () => void,
): () => void {
  const file = `/proc/${pid}/statm`;
  if (!existsSync(file)) return () => {};
  const poll = setInterval(async () => {
    // The process may end between two looks.
    const text = await readFile(file, "utf8").catch(() => "0 0");
    const resident_mb = (Number(text.split(" ")[1]) * PAGE_BYTES) / 2 ** 20;
    if (resident_mb > limit_mb) onExceed();
  }, POLL_MS);
  return () => clearInterval(poll);
}
