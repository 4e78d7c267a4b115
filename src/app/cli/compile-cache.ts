import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Keeps compiled code for the next command, in the user's cache folder; without effect if the folder cannot be written.
 * `NODE_COMPILE_CACHE` names another folder, and `NODE_DISABLE_COMPILE_CACHE=1` turns it off. Not Node's default folder:
 * other users may write to the folder of temporary files.
 */
export function keepCompiledCode(): void {
  enableCompileCache(
    join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "video-rrd", "compiled"),
  );
}
