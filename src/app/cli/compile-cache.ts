import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Keeps compiled code for the next command, in the user's cache folder; without effect if the folder cannot be written.
 * `NODE_COMPILE_CACHE` names another folder, and `NODE_DISABLE_COMPILE_CACHE=1` turns it off. Not Node's default folder:
 * other users may write to the folder of temporary files.
 */
export function keepCompiledCode(): void {
  const folder = cacheFolder();
  if (folder !== null) enableCompileCache(join(folder, "video-rrd", "compiled"));
}

/** Null for a user without a home folder, as in a container with an arbitrary user id. */
function cacheFolder(): string | null {
  const { XDG_CACHE_HOME: given } = process.env;
  if (given) return given;
  try {
    return join(homedir(), ".cache");
  } catch {
    return null;
  }
}
