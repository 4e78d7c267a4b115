import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { tempFolder } from "./temp.ts";

/* Copies of this project without a definition: its folder, and its import and entry in the registry, are removed. */

const ROOT = join(import.meta.dirname, "../..");
const REGISTRY = "src/app/registry.ts";
const FOLDERS = ["src", "graphs", "tools", "prompts", "evals"];

export interface BuiltIn {
  /** Its registry: `benchmarks`. */
  registry: string;
  /** Its name in the source of the registry file: `mmrV`. */
  identifier: string;
  /** Its folder, or its file if the folder has other definitions; relative to the root of the project. */
  path: string;
}

/** Every definition that the registry file adds, in order. */
export async function builtIn(): Promise<BuiltIn[]> {
  const source = await readFile(join(ROOT, REGISTRY), "utf8");
  const imported = new Map(
    [...source.matchAll(/^import \{ (\w+) \} from "([^"]+)";$/gm)].map(
      ([, name = "", file = ""]) => [name, join(dirname(REGISTRY), file)],
    ),
  );
  const added = [...source.matchAll(/^(\w+)\.add\(([\w\s,]+)\);$/gm)].flatMap(
    ([, registry = "", names = ""]) =>
      (names.match(/\w+/g) ?? []).map((identifier) => ({ registry, identifier })),
  );
  return Promise.all(
    added.map(async ({ registry, identifier }) => {
      const file = imported.get(identifier);
      if (file === undefined) throw new Error(`${REGISTRY} adds ${identifier} without an import`);
      const neighbours = [...imported.values()].filter((of) => dirname(of) === dirname(file));
      return { registry, identifier, path: await homeOf(file, neighbours.length) };
    }),
  );
}

/** The folder of a definition, or its file if the folder has other definitions. */
async function homeOf(file: string, definitions: number): Promise<string> {
  const files = await readdir(join(ROOT, dirname(file)));
  const isShared = definitions > 1 || files.some((name) => name.startsWith("define-"));
  return isShared ? file : dirname(file);
}

/** A copy of the project without these definitions; `node_modules` is that of the project. */
export async function copyWithout(definitions: readonly BuiltIn[]): Promise<string> {
  const folder = await tempFolder();
  await Promise.all([
    ...FOLDERS.map((name) => cp(join(ROOT, name), join(folder, name), { recursive: true })),
    cp(join(ROOT, "package.json"), join(folder, "package.json")),
    cp(join(ROOT, "tsconfig.json"), join(folder, "tsconfig.base.json")),
    symlink(join(ROOT, "node_modules"), join(folder, "node_modules")),
    writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "./tsconfig.base.json", include: FOLDERS }),
    ),
  ]);
  const file = join(folder, REGISTRY);
  let source = await readFile(file, "utf8");
  for (const { identifier, path } of definitions) {
    await rm(join(folder, path), { recursive: true });
    source = source
      .replace(new RegExp(`^import \\{ ${identifier} \\} from .*\n`, "m"), "")
      .replace(new RegExp(`(\\.add\\([^)]*?)\\b${identifier}\\b,? ?`), "$1")
      .replace(/^\w+\.add\(\s*\);\n/gm, "");
  }
  // Remove imports that are no longer used.
  source = source.replace(/^import \{ (\w+) \} from .*\n/gm, (line, name: string) =>
    source.split(new RegExp(`\\b${name}\\b`)).length > 2 ? line : "",
  );
  await writeFile(file, source);
  // The library exports the graphs of some definitions.
  const index = join(folder, "src/app/index.ts");
  const exported = definitions.map(({ path }) => `^export [^;]*? from "[./]*${path}/[^"]*";\n`);
  const text = await readFile(index, "utf8");
  await writeFile(index, text.replace(new RegExp(exported.join("|"), "gm"), ""));
  return folder;
}

export interface Outcome {
  /** Exit code; null if a signal ended the process. */
  code: number | null;
  output: string;
}

/** Checks the types of a copy. */
export function typeCheck(folder: string): Promise<Outcome> {
  return execute(
    [join(ROOT, "node_modules/typescript/bin/tsc"), "--singleThreaded", "-p", "tsconfig.json"],
    folder,
  );
}

/** Runs one command line of a copy. */
export function commandLine(folder: string, ...args: readonly string[]): Promise<Outcome> {
  return execute([join(folder, "src/app/cli/main.ts"), ...args], folder);
}

function execute(args: readonly string[], cwd: string): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ code, output: stdout + stderr });
    });
  });
}

/** The name of a definition in test titles. */
export function called({ registry, path }: BuiltIn): string {
  return `${registry}: ${basename(path, ".ts")}`;
}
