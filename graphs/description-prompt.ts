import type { DefinedPrompt } from "../prompts/catalogue.ts";
import type { ToolDefinition } from "../tools/agent/define-tool.ts";

const prompts = new WeakMap<URL, DefinedPrompt>();

/** The description of a tool as a prompt, the same at every call; null if its definition holds the words. */
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
