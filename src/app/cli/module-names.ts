import { selectedTools } from "../../../graphs/toolbox/search-settings.ts";
import type { DefinitionKind } from "../../core/registry.ts";
import { readModuleName } from "../load-module/module-path.ts";

/** The name that a text means in the place of a definition of this kind; the text itself if it names no file. */
export async function nameOf(kind: DefinitionKind | "any", text: string): Promise<string> {
  if (kind === "tool") return toolsNamed(text);
  if (kind !== "any" && readModuleName(text) === null) return text;
  const { definitionNamed, loadModule, modelNamed } = await import("../load-module.ts");
  if (kind === "any") {
    await loadModule(text);
    return text;
  }
  const name = kind === "provider" ? modelNamed(text) : definitionNamed(kind, text);
  return (await name) ?? text;
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
