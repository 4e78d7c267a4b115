import { readFileSync } from "node:fs";
import { type LoadHookSync, type ResolveHookSync, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { systemCode } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { recordModule } from "../../core/loaded-modules.ts";
import {
  isOwnCode,
  isOwnSpecifier,
  isWithinPackage,
  ownParent,
  runningModule,
} from "./running-package.ts";

/** This program's dependencies that a user's module may import without installing them. */
const SHARED = /^(zod|langchain|@langchain\/[^/]+)(\/|$)/;
const BARE = /^(@[^/]+\/)?[^./@#][^:]*$/;
/** Statements of ES modules, and what CommonJS modules have in their place. */
const ES_SYNTAX = /^\s*(import\s*["'{*\w]|export\s*[{*\w])/m;
const COMMONJS_SYNTAX = /\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/;

let registered = false;

/**
 * Makes modules of users resolve this package to the running instance, and records every file of theirs that is loaded.
 * Calling it again does nothing.
 */
export function registerModuleHooks(): void {
  if (registered) return;
  registered = true;
  registerHooks({ resolve, load });
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const parent = pathOf(context.parentURL);
  if (isOwnSpecifier(specifier))
    return { url: runningModule(specifier, parent), shortCircuit: true };
  if (parent === null || isWithinPackage(parent) || !BARE.test(specifier))
    return next(specifier, context);
  let failure: unknown;
  for (const parentURL of [
    context.parentURL,
    currentFolder(),
    ...(SHARED.test(specifier) ? [ownParent] : []),
  ])
    try {
      return next(specifier, { ...context, parentURL });
    } catch (error) {
      if (systemCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
      failure ??= error;
    }
  throw failure;
};

const load: LoadHookSync = (url, context, next) => {
  const path = pathOf(url);
  if (path === null || isOwnCode(path) || isInstalled(path)) return next(url, context);
  recordModule(path, sha256(readFileSync(path)));
  return next(url, { ...context, format: formatOf(path, context.format ?? undefined) });
};

/**
 * The format of a file: the one that package.json states, unless that is CommonJS, as `npm init` writes it, and the file is
 * an ES module. If none is stated, so that Node does not warn about detecting it.
 */
function formatOf(path: string, stated: string | undefined): string | undefined {
  const isTyped = path.endsWith(".ts");
  if (!isTyped && !path.endsWith(".js")) return stated;
  const format = isTyped ? "module-typescript" : "module";
  if (stated === undefined) return isTyped || ES_SYNTAX.test(sourceOf(path)) ? format : undefined;
  return stated.startsWith("commonjs") && isEsModule(sourceOf(path)) ? format : stated;
}

function isEsModule(source: string): boolean {
  return ES_SYNTAX.test(source) && !COMMONJS_SYNTAX.test(source);
}

function sourceOf(path: string): string {
  return readFileSync(path, "utf8");
}

/** Whether a file is in a `node_modules` folder. */
export function isInstalled(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

function currentFolder(): string {
  return pathToFileURL(join(process.cwd(), "module.js")).href;
}

function pathOf(url: string | undefined): string | null {
  return url?.startsWith("file:") ? fileURLToPath(url) : null;
}
