import { selectedTools } from "../../../graphs/toolbox/search-settings.ts";
import type { DefinitionKind } from "../../core/registry.ts";
import { readModuleFile, readModuleName } from "../load-module/module-path.ts";

/** The name that a text means in the place of a definition of this kind; the text itself if it names no file. */
export async function nameOf(kind: DefinitionKind | "any", text: string): Promise<string> {
  if (kind === "tool") return toolsNamed(text);
  if (kind === "scorer") return scorersNamed(text);
  if (kind !== "any") return definitionOrName(kind, text);
  const { loadModule } = await import("../load-module.ts");
  await loadModule(text);
  return text;
}

async function definitionOrName(kind: DefinitionKind, text: string): Promise<string> {
  // Where a benchmark is named, a data file can be named too.
  const read = kind === "benchmark" ? readModuleFile : readModuleName;
  if (read(text) === null) return text;
  const { definitionNamed, modelNamed } = await import("../load-module.ts");
  return (await (kind === "provider" ? modelNamed(text) : definitionNamed(kind, text))) ?? text;
}

/**
 * Tools by name. The tools of a file are offered together with what the rest of the value selects: all others if it names
 * only files.
 */
async function toolsNamed(text: string): Promise<string> {
  const words = text.split(",").map((word) => word.trim());
  const files = words.flatMap((word) => readModuleName(word) ?? []);
  if (files.length === 0) return text;
  const { definitionsIn } = await import("../load-module.ts");
  const own: string[] = [];
  for (const file of files) own.push(...(await definitionsIn("tool", file)));
  const rest = words.filter((word) => readModuleName(word) === null);
  const others = selectedTools(rest.length === 0 ? "all" : rest.join(","));
  // What is not a list of tools is refused with the settings, in its words.
  return others === null ? rest.join(",") : [...new Set([...others, ...own])].join(",");
}

/** Scorers by name, each with its task if it has one: `./mine.ts`, `open=./mine.ts:near`. */
async function scorersNamed(text: string): Promise<string> {
  const words: string[] = [];
  for (const word of text.split(",").map((one) => one.trim())) {
    const [, task = "", name = word] = /^([a-z]+=)(.*)$/.exec(word) ?? [];
    words.push(`${task}${await definitionOrName("scorer", name)}`);
  }
  return words.join(",");
}
