import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join, resolve } from "node:path";

/** Extensions of files that can be loaded. */
export const MODULE_EXTENSIONS = [".ts", ".mts", ".js", ".mjs"] as const;

const PATH = /^(\.{0,2}\/|~)/;
/** A path, and optionally a colon and the name of a definition in it, or of a model. */
const WITH_NAME = /^(.+?\.m?[tj]s):(.+)$/;

/** A text that names a file: its path, the text itself, and the name after a colon. */
export interface ModuleName {
  /** Absolute path. */
  path: string;
  /** Path as the user wrote it. */
  given: string;
  /** Name of a definition or of a model; null if not given. */
  name: string | null;
}

/**
 * Parses a text given where the name of a definition is expected. Null if it is a name: it does not begin with `./`,
 * `../`, `/` or `~`, and is not a file with the extension of a module.
 */
export function readModuleName(text: string): ModuleName | null {
  const [, before, name = null] = WITH_NAME.exec(text) ?? [];
  const given = before ?? text;
  const path = absolute(given);
  const isModule = PATH.test(given) || (hasModuleExtension(given) && existsSync(path));
  return isModule ? { path, given, name } : null;
}

/** Like `readModuleName`, for arguments that may also be data files: only a file with the extension of a module. */
export function readModuleFile(text: string): ModuleName | null {
  const read = readModuleName(text);
  return read !== null && hasModuleExtension(read.given) ? read : null;
}

export function hasModuleExtension(path: string): boolean {
  return (MODULE_EXTENSIONS as readonly string[]).includes(extname(path));
}

function absolute(given: string): string {
  return resolve(/^~(\/|$)/.test(given) ? join(homedir(), given.slice(1)) : given);
}
