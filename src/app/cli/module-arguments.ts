import type { Command, Option } from "commander";
import type { DefinitionKind } from "../../core/registry.ts";
import { listSettings } from "../../core/settings.ts";
import { readModuleFile } from "../load-module/module-path.ts";
import { MODULE_FLAG, YAML_FROM } from "./may-name-modules.ts";
import { nameOf } from "./module-names.ts";
import { loadFromYaml } from "./module-settings.ts";

/*
 * Files of users are named where a built-in name can stand. They are loaded before the commands are made, since flags,
 * help and checks follow from the definitions; then their names take the place of the paths.
 */

/** Flags that are not settings and name definitions. A flag that a command lacks is refused later. */
const FLAGS: Readonly<Record<string, DefinitionKind>> = {
  "--benchmark": "benchmark",
  "--scorer": "scorer",
  "--kind": "judge",
  "--judge": "judge",
  "--judge-model": "provider",
  "--extractor-model": "provider",
  "--other-model": "provider",
  "--allow-model": "provider",
};

/** Commands whose first argument names a benchmark. */
const BENCHMARK_FIRST = ["eval", "attribute", "describe"];

/** One value on a command line, and the text that is its token without it. */
interface Value {
  place: number;
  before: string;
  text: string;
}

/** A command line, taken apart by the flags of its command. */
interface Parsed {
  command: string;
  flags: (Value & { flag: string })[];
  arguments: Value[];
}

/**
 * Loads every file that a command line names where a definition can be named, or that its YAML file names, and returns
 * the command line with names in the place of paths. Throws `Failure` as `loadModule`.
 *
 * @param createProgram makes the program for a command line, with the flags of all definitions that are known by then
 */
export async function withModules(
  argv: readonly string[],
  createProgram: (argv: readonly string[]) => Promise<Command>,
): Promise<string[]> {
  // The strategies of the first pass may bring flags that tell values from arguments, and flags that name models.
  await loadAll(parse(argv, await createProgram(argv)));
  return loadAll(parse(argv, await createProgram(argv)), [...argv]);
}

async function loadAll(
  { command, flags, arguments: given }: Parsed,
  argv: string[] = [],
): Promise<string[]> {
  const settings = new Map(listSettings().map((one) => [`--${one.flag}`, one.names]));
  for (const { flag, place, before, text } of flags) {
    const kind = flag === MODULE_FLAG ? "any" : (FLAGS[flag] ?? settings.get(flag) ?? null);
    if (kind !== null) argv[place] = `${before}${await nameOf(kind, text)}`;
  }
  const [first] = given;
  if (
    first !== undefined &&
    BENCHMARK_FIRST.includes(command) &&
    readModuleFile(first.text) !== null
  )
    argv[first.place] = await nameOf("benchmark", first.text);
  for (const file of yamlFiles({ command, flags, arguments: given })) await loadFromYaml(file);
  return argv;
}

function yamlFiles({ command, flags, arguments: given }: Parsed): string[] {
  const from = YAML_FROM[command];
  if (from === undefined) return [];
  return from === null
    ? given.slice(0, 1).map(({ text }) => text)
    : flags.flatMap(({ flag, text }) => (flag === from ? [text] : []));
}

/** Takes a command line apart: the values of flags, and the arguments of the command. */
function parse(argv: readonly string[], program: Command): Parsed {
  const find = (parent: Command, name = "") => parent.commands.find((one) => one.name() === name);
  let at = argv.findIndex((token) => find(program, token) !== undefined);
  let command = find(program, argv[at]);
  // A command of a command, such as `study frontier`.
  for (let inner = command; inner !== undefined; inner = find(inner, argv[at + 1])) {
    if (inner !== command) at++;
    command = inner;
  }
  const parsed: Parsed = { command: command?.name() ?? "", flags: [], arguments: [] };
  const tokens = argv.map((text, place) => ({ place, before: "", text })).slice(at + 1);
  for (let next = tokens.shift(); next !== undefined; next = tokens.shift()) {
    const { text, place } = next;
    if (text === "--") {
      parsed.arguments.push(...tokens);
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      parsed.arguments.push(next);
      continue;
    }
    const [, flag = text, value] = /^(--[^=]+)=(.*)$/s.exec(text) ?? [];
    if (value !== undefined) {
      parsed.flags.push({ flag, place, before: `${flag}=`, text: value });
      continue;
    }
    const option = command?.options.find((one) => one.long === flag || one.short === flag);
    for (const taken of takeValues(option, tokens)) parsed.flags.push({ ...taken, flag });
  }
  return parsed;
}

/** Takes the tokens after a flag that are its values. */
function takeValues(option: Option | undefined, tokens: Value[]): Value[] {
  const taken: Value[] = [];
  for (;;) {
    const [next] = tokens;
    if (next === undefined || next.text.startsWith("-")) return taken;
    // A flag that is not known yet belongs to a strategy that is loaded next: it takes a value, but no file.
    const takes =
      option === undefined
        ? readModuleFile(next.text) === null
        : option.required || option.optional;
    if (!takes || (taken.length > 0 && option?.variadic !== true)) return taken;
    taken.push(next);
    tokens.shift();
  }
}
