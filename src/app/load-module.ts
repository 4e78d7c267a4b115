import { realpathSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Failure, systemCode } from "../core/errors.ts";
import { markNamed } from "../core/loaded-modules.ts";
import type { Definition, DefinitionKind } from "../core/registry.ts";
import { whileUnfinished } from "../core/unfinished-work.ts";
import { type FoundDefinition, findDefinitions } from "./load-module/find-definitions.ts";
import { isInstalled, registerModuleHooks } from "./load-module/hooks.ts";
import { KINDS } from "./load-module/kinds.ts";
import { loadFailure } from "./load-module/load-failure.ts";
import {
  hasModuleExtension,
  MODULE_EXTENSIONS,
  type ModuleName,
  readModuleName,
} from "./load-module/module-path.ts";

/** A user's file and the definitions that it exports, which were added to the registries. */
export interface LoadedModule {
  /** Absolute path, with symbolic links resolved. */
  path: string;
  /** Names of the definitions by their kind, a default export first. */
  names: Readonly<Record<DefinitionKind, readonly string[]>>;
  /** Kinds of which the default export is a definition: it is used if only the file is named. */
  defaults: ReadonlySet<DefinitionKind>;
}

const modules = new Map<string, Promise<LoadedModule>>();
/** Every definition that was loaded from a user's file. */
const brought = new WeakSet<Definition>();

/**
 * Loads a TypeScript or JavaScript file and adds the definitions that it exports: strategies, tools, benchmarks, scorers,
 * judges and providers. Their names can then be used like built-in names. The file may import `video-rrd` from any
 * folder, and gets the running instance. It runs with all rights of the process: load only files that you trust. Runs
 * record the SHA-256 of every loaded file.
 *
 * Throws `Failure` `wrong-usage` with file and line if the file cannot be parsed, throws, exports no definition, or exports
 * one whose name is in use.
 *
 * @example
 * const { names } = await loadModule("./vote.ts");
 * const { answer } = await ask("film.mp4", { text: "Who wins?" }, { settings: { strategy: names.strategy[0] } });
 */
export async function loadModule(path: string): Promise<LoadedModule> {
  return load(readModuleName(path) ?? { path, given: path, name: null }, null);
}

/**
 * Loads the file that a text names and returns the name of its definition; null if the text is a name, not a file. For a
 * file with several definitions a colon and the name follow: `./strategies.ts:vote`. Throws as `loadModule`, and
 * `wrong-usage` if the file has no such definition, or several.
 */
export async function definitionNamed(kind: DefinitionKind, text: string): Promise<string | null> {
  const named = readModuleName(text);
  if (named === null) return null;
  const module = await load(named, kind);
  return chooseName(module, kind, named);
}

/** Loads a file and returns its definitions of one kind. Throws as `definitionNamed`. */
export async function definitionsIn(kind: DefinitionKind, named: ModuleName): Promise<string[]> {
  const module = await load(named, kind);
  return named.name === null ? [...module.names[kind]] : [chooseName(module, kind, named)];
}

/**
 * The full name of a model given as `./provider.ts:model` or, if the file has several providers, as
 * `./provider.ts:provider:model`; null if the text is a name, not a file. Throws as `definitionNamed`.
 */
export async function modelNamed(text: string): Promise<string | null> {
  const named = readModuleName(text);
  if (named === null) return null;
  const kind = "provider";
  const module = await load(named, kind);
  const { given, name } = named;
  if (name === null)
    throw new Failure(
      "wrong-usage",
      `Missing model after ${given}: add a colon and its name, such as ${given}:large.`,
      { module: given },
    );
  const own = module.names[kind].find((provider) => name.startsWith(`${provider}:`));
  return own === undefined ? `${chooseName(module, kind, { ...named, name: null })}:${name}` : name;
}

function chooseName(
  module: LoadedModule,
  kind: DefinitionKind,
  { given, name }: ModuleName,
): string {
  const names = module.names[kind];
  if (name !== null && names.includes(name)) return name;
  const { title } = KINDS[kind];
  if (name !== null)
    throw new Failure(
      "wrong-usage",
      `Cannot find ${title} named ${JSON.stringify(name)} in ${given}: it has ${names.join(", ")}.`,
      { module: given, name },
    );
  const [first] = names;
  if (first !== undefined && (names.length === 1 || module.defaults.has(kind))) return first;
  throw new Failure(
    "wrong-usage",
    `${given} has several definitions of this kind (${names.join(", ")}): add a colon and a name, such as ${given}:${first}.`,
    { module: given, names },
  );
}

async function load(named: ModuleName, wanted: DefinitionKind | null): Promise<LoadedModule> {
  const path = wholePath(named);
  const known = modules.get(path) ?? loadOnce({ ...named, path }, wanted);
  modules.set(path, known);
  const module = await known.catch((error: unknown) => {
    modules.delete(path);
    throw error;
  });
  if (wanted !== null && module.names[wanted].length === 0)
    throw lacking(named.given, wanted, module);
  return module;
}

/** Symbolic links are followed, as Node does when it imports a file. Throws `Failure` `wrong-usage`. */
function wholePath({ path, given }: ModuleName): string {
  const refuse = (why: string) =>
    new Failure("wrong-usage", `Cannot load ${given}: ${why}`, { module: given });
  let real: string;
  try {
    real = realpathSync(path);
    if (!statSync(real).isFile()) throw refuse("it is not a file.");
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw refuse(
      code === "ENOENT" ? "the file does not exist." : `the file cannot be read (${code}).`,
    );
  }
  if (!hasModuleExtension(real))
    throw refuse(`use a file with the extension ${MODULE_EXTENSIONS.join(", ")}.`);
  if (isInstalled(real) && /ts$/.test(real))
    throw refuse(
      "Node does not run TypeScript below a node_modules folder. Move the file out of it, or compile it to JavaScript.",
    );
  return real;
}

async function loadOnce(
  { path, given }: ModuleName,
  wanted: DefinitionKind | null,
): Promise<LoadedModule> {
  registerModuleHooks();
  let exported: Readonly<Record<string, unknown>>;
  try {
    const ended = `Cannot load ${given}: it ended the process, or never finishes loading.`;
    exported = await whileUnfinished(
      ended,
      (): Promise<typeof exported> => import(pathToFileURL(path).href),
    );
  } catch (error) {
    throw await loadFailure(error, path, given);
  }
  markNamed(path);
  const refuse = (why: string) =>
    new Failure("wrong-usage", `Cannot load ${given}: ${why}.`, { module: given });
  const isBuiltIn = (kind: DefinitionKind, value: unknown) =>
    !brought.has(value as Definition) && KINDS[kind].registry.all().some((one) => one === value);
  let found: FoundDefinition[];
  try {
    found = findDefinitions(exported, wanted, isBuiltIn);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (found.length === 0)
    throw refuse(exportOne(wanted ?? "strategy", `no ${wanted ?? "definition"}`));
  for (const { kind, definition } of found) {
    const other = KINDS[kind].registry.find(definition.name);
    if (other === undefined || other === definition) continue;
    const whose = brought.has(other) ? "another loaded file has" : "is built in";
    throw refuse(
      `it defines ${KINDS[kind].title} named ${JSON.stringify(definition.name)}, which ${whose}. Choose another name`,
    );
  }
  for (const { kind, definition } of found) {
    brought.add(definition);
    KINDS[kind].registry.add(definition);
  }
  const namesOf = (kind: DefinitionKind) =>
    found.filter((one) => one.kind === kind).map(({ definition }) => definition.name);
  const names = Object.fromEntries(
    (Object.keys(KINDS) as DefinitionKind[]).map((kind) => [kind, namesOf(kind)]),
  ) as Record<DefinitionKind, string[]>;
  const defaults = new Set(found.filter(({ isDefault }) => isDefault).map(({ kind }) => kind));
  return { path, names, defaults };
}

function lacking(given: string, wanted: DefinitionKind, { names }: LoadedModule): Failure {
  const there = (Object.keys(names) as DefinitionKind[])
    .filter((kind) => names[kind].length > 0)
    .map((kind) => KINDS[kind].title);
  return new Failure(
    "wrong-usage",
    `Cannot load ${given}: ${exportOne(wanted, `${there.join(" and ")}, but not ${KINDS[wanted].title}`)}.`,
    { module: given },
  );
}

function exportOne(kind: DefinitionKind, what: string): string {
  return `it exports ${what}. Export one, for example \`export default ${KINDS[kind].define}({ ... })\``;
}
