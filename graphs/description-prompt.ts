import type { DefinedPrompt } from "../prompts/catalogue.ts";
import type { Prompts, Rendered } from "../prompts/load-prompts.ts";
import type { ToolDefinition } from "../tools/agent/define-tool.ts";

const prompts = new WeakMap<URL, DefinedPrompt>();

/** The description of a tool as a prompt, the same at every call; null if the description is a string. */
export function descriptionPrompt({ name, description }: ToolDefinition): DefinedPrompt | null {
  if (typeof description === "string") return null;
  const prompt = prompts.get(description) ?? {
    name: `agent/tools/${name}`,
    file: description,
    variables: [],
  };
  prompts.set(description, prompt);
  return prompt;
}

/** The prompts among the descriptions of tools. */
export function toolPrompts(
  tools: readonly ToolDefinition[],
  prompts: Pick<Prompts, "render">,
): Rendered[] {
  return tools.flatMap((tool) => describeTool(tool, prompts).prompt ?? []);
}

/** The words that describe a tool to a model, and the prompt that they come from; null if its definition holds them. */
export function describeTool(
  tool: ToolDefinition,
  prompts: Pick<Prompts, "render">,
): { description: string; prompt: Rendered | null } {
  const defined = descriptionPrompt(tool);
  if (defined === null) return { description: String(tool.description), prompt: null };
  const prompt = prompts.render(defined, {});
  return { description: prompt.text, prompt };
}
