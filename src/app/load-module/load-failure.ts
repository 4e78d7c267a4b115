import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Failure, isFailure, oneLine, systemCode } from "../../core/errors.ts";
import { loadedModules } from "../../core/loaded-modules.ts";
import { isInstalled } from "./hooks.ts";
import { isWithinPackage } from "./running-package.ts";

const exec = promisify(execFile);

interface Place {
  path: string;
  line: number;
}

/** Node's error code for TypeScript syntax that it cannot run. */
const UNSUPPORTED = "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX";
const UNRESOLVED = new Set(["ERR_MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"]);
const INSTALLED = "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING";

/**
 * The failure of a module that could not be loaded, with file and line: `Cannot load ./vote.ts:12: Unexpected token`.
 *
 * @param module path of the named file
 * @param given the path as the user wrote it
 */
export async function loadFailure(error: unknown, module: string, given: string): Promise<Failure> {
  const place = (await placeOf(error)) ?? { path: module, line: 0 };
  const file = place.path === module ? given : relativeTo(place.path);
  const where = place.line > 0 ? `${file}:${place.line}` : file;
  return new Failure(
    "wrong-usage",
    `Cannot load ${where}: ${reasonOf(error)}`,
    { module: given, file: place.path, ...(place.line > 0 ? { line: place.line } : {}) },
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === INSTALLED)
    return "Node does not run TypeScript below a node_modules folder. Move the file out of it, or compile it to JavaScript.";
  const said = oneLine(error instanceof Error ? error.message : String(error))
    .replace(/ imported from .*$/, "")
    .replace(/\.$/, "");
  if (code === UNSUPPORTED)
    return `${said}. Node runs TypeScript by removing its types: write it without enum, namespace and parameter properties.`;
  if (code === "ERR_MODULE_NOT_FOUND")
    return `${said}. ${/package/.test(said) ? "Install it next to the file or in the current folder." : "Check the path, with its extension."}`;
  if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return `${said}.`;
  if (error instanceof Error && !isFailure(error) && error.name !== "SyntaxError")
    return `${error.name}: ${said}.`;
  return `${said}.`;
}

/** The place in a user's file that caused an error; null if unknown. */
async function placeOf(error: unknown): Promise<Place | null> {
  if (!(error instanceof Error)) return null;
  const code = systemCode(error);
  const [, importer] = / imported from (.+)$/.exec(error.message) ?? [];
  const [, missing] = /'(.+?)'/.exec(error.message) ?? [];
  if (UNRESOLVED.has(code ?? "") && importer !== undefined && missing !== undefined)
    return { path: importer, line: importLine(importer, missing) };
  const [, installed] = /for "(file:.+?)"/.exec(error.message) ?? [];
  if (code === INSTALLED && installed !== undefined)
    return { path: fileURLToPath(installed), line: 0 };
  const place = placeInStack(error.stack ?? "");
  if (place !== null || error.name !== "SyntaxError") return place;
  // The last loaded file is the most likely one.
  for (const { path } of loadedModules().toReversed()) {
    const found = await syntaxErrorIn(path);
    if (found !== null) return found;
  }
  return null;
}

/** The first line of a stack that is in a user's file: `at f (file:///x.ts:3:9)`, or `/x.ts:3` above the source. */
function placeInStack(stack: string): Place | null {
  for (const line of stack.split("\n")) {
    const [, at, number] =
      /(?:^|[\s(])(file:\/\/\/[^\s()]+?|\/[^\s()]+?):(\d+)(?::\d+)?\)?$/.exec(line) ?? [];
    if (at === undefined) continue;
    const path = at.startsWith("file:") ? fileURLToPath(at) : at;
    if (!isWithinPackage(path) && !isInstalled(path)) return { path, line: Number(number) };
  }
  return null;
}

/** The line that imports a file or package; 0 if it cannot be found. */
function importLine(importer: string, missing: string): number {
  const last = missing.split("/").at(-1) ?? missing;
  const lines = readFileSync(importer, "utf8").split("\n");
  return lines.findIndex((line) => /["']/.test(line) && line.includes(last)) + 1;
}

/** V8 does not report the line of a syntax error in a module; `node --check` does. */
async function syntaxErrorIn(file: string): Promise<Place | null> {
  try {
    await exec(process.execPath, ["--check", file]);
    return null;
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? "");
    const [, line] = /^(?:file:\/\/)?\/.*?:(\d+)$/m.exec(said) ?? [];
    return line === undefined ? null : { path: file, line: Number(line) };
  }
}

function relativeTo(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : `./${short}`;
}
