import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { oneOf } from "../../core/one-of.ts";

/*
 * The running package: a clone, whose code is TypeScript, or an installed package, whose code is in `dist`. The command
 * of an installed package is bundled in `dist/bundle`, with what modules of users import.
 * Modules of users must get the same instances of its modules as the running program.
 */

const NAME = "video-rrd";

const PackageJson = z.object({
  name: z.string(),
  exports: z.record(
    z.string(),
    z.union([z.string(), z.object({ default: z.string() }).transform((target) => target.default)]),
  ),
});

/** Folder of the package, with its `package.json`. */
export const packageRoot = findRoot(import.meta.dirname);
const isCompiled = import.meta.filename.endsWith(".js");
const isBundled = relative(packageRoot, import.meta.filename).startsWith(join("dist", "bundle"));
const { exports } = PackageJson.parse(readJson(join(packageRoot, "package.json")));

/** Folders of the package's own code. */
const CODE = ["bin", "dist", "evals", "graphs", "prompts", "src", "tools"];

/** Whether a specifier names this package or one of its entry points. */
export function isOwnSpecifier(specifier: string): boolean {
  return specifier === NAME || specifier.startsWith(`${NAME}/`);
}

/**
 * URL of the running module for a specifier of this package.
 *
 * @param importer path of the file that imports it
 * @throws an error worded as Node's if the package does not export the path
 */
export function runningModule(specifier: string, importer: string | null = null): string {
  const target = targetOf(specifier, importer);
  const file = isBundled ? target.replace("./dist/", "./dist/bundle/") : target;
  return pathToFileURL(join(packageRoot, isCompiled ? file : sourceOf(target))).href;
}

/** Path of the types of an entry point of this package: its declarations, or its source. */
export function moduleTypes(specifier: string): string {
  const target = targetOf(specifier, null);
  return join(packageRoot, isCompiled ? target.replace(/\.js$/, ".d.ts") : sourceOf(target));
}

function sourceOf(target: string): string {
  return target.replace(/^\.\/dist\/(.+)\.js$/, "./$1.ts");
}

function targetOf(specifier: string, importer: string | null): string {
  const target = exports[`.${specifier.slice(NAME.length)}`];
  if (target !== undefined) return target;
  const parts = Object.keys(exports).flatMap((name) =>
    name.endsWith(".json") ? [] : [join(NAME, name)],
  );
  throw Object.assign(
    new Error(
      `Cannot find '${specifier}': use ${oneOf(parts)}${importer === null ? "" : ` imported from ${importer}`}`,
    ),
    { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" },
  );
}

/** Whether a file is code of this package. */
export function isOwnCode(path: string): boolean {
  const [first = ""] = relative(packageRoot, path).split(sep);
  return CODE.includes(first);
}

/** Whether a file belongs to this package or is installed for it. */
export function isWithinPackage(path: string): boolean {
  return isOwnCode(path) || path.startsWith(join(packageRoot, "node_modules") + sep);
}

/** A URL from which the dependencies of this package resolve. */
export const ownParent = pathToFileURL(fileURLToPath(import.meta.url)).href;

function findRoot(folder: string): string {
  const file = join(folder, "package.json");
  if (existsSync(file) && (readJson(file) as { name?: string }).name === NAME) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error(`Cannot find the package.json of ${NAME}.`);
  return findRoot(above);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
