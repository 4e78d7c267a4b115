import { existsSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";

const found = new Map<string, string>();

/**
 * URL of the file that `import` would load for a package: as seen from the current folder, else from this program. Null
 * if it is not installed. Loads nothing.
 */
export function findPackage(name: string, folder: string = process.cwd()): string | null {
  const id = JSON.stringify([folder, name]);
  const known = found.get(id);
  if (known !== undefined) return known;
  const from = pathToFileURL(join(folder, "/")).href;
  const url = entryOf(name, from) ?? entryOf(name, import.meta.url);
  if (url !== null) found.set(id, url);
  return url;
}

/** Without the hook, `createRequire` would find the entry for `require`, which loads LangChain a second time. */
function entryOf(name: string, from: string): string | null {
  let url: string | null = null;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, { ...context, conditions: ["node", "import"] });
      if (specifier === name) url = resolved.url;
      return resolved;
    },
  });
  try {
    createRequire(from).resolve(name);
  } catch {
    return null; // not installed there, or without an entry: it cannot be imported
  } finally {
    hooks.deregister();
  }
  return url;
}

/** Installs a package where this program looks for it. */
export function installCommand(name: string, here: string = import.meta.dirname): string {
  return `npm install ${isGlobal(here) ? "-g " : ""}${name}`;
}

/** A global `node_modules` belongs to no project, so that no package.json is next to it. */
function isGlobal(here: string): boolean {
  const outermost = here.split(sep).indexOf("node_modules");
  if (outermost === -1) return false;
  const folder = here.split(sep).slice(0, outermost).join(sep);
  return !existsSync(join(folder, "package.json"));
}
