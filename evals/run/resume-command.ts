import { loadedModules, type ModuleFile } from "../../src/core/loaded-modules.ts";
import { shellWord } from "../../src/core/shell-word.ts";
import { serverFiles } from "../../tools/mcp/server-files.ts";

/** The command that continues what is in a folder, with the files of users that have to be named again. */
export function resumeCommand(command: "eval" | "sweep" | "attribute", folder: string): string {
  const servers = serverFiles().map((path) => `--mcp ${shellWord(path)}`);
  const flags = [...moduleFlags(loadedModules()), ...servers.slice(-1)];
  return [`${command} --resume ${shellWord(folder)}`, ...flags].join(" ");
}

/** `--module ./vote.ts` for each file that somebody named. */
export function moduleFlags(files: readonly ModuleFile[]): string[] {
  return files.filter(({ named }) => named).map(({ path }) => `--module ${shellWord(path)}`);
}
