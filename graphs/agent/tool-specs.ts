import type { Rendered } from "../../prompts/load-prompts.ts";
import type { ToolSpec } from "../../src/models/chat.ts";
import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import type { GraphContext } from "../context.ts";
import { describeTool } from "../description-prompt.ts";
import { withSeen } from "../toolbox/offered-tools.ts";
import { ANSWER, AnswerParameters } from "./answer-call.ts";

/** Tools as the model is offered them, and the prompts that describe them. */
export function toolSpecs(
  offered: readonly ToolDefinition[],
  { prompts }: Pick<GraphContext, "prompts">,
): { tools: ToolSpec[]; prompts: Rendered[] } {
  const rendered: Rendered[] = [];
  const specs = offered.map((tool): ToolSpec => {
    const { name, parameters, external } = tool;
    const { description, prompt } = describeTool(tool, prompts);
    const schema = external?.schema ?? withSeen(parameters);
    if (prompt === null) return { name, description, schema };
    rendered.push(prompt);
    return { name, description, schema, undescribed: true };
  });
  const answer = prompts.render("agent/tools/answer", {});
  const schema = withSeen(AnswerParameters);
  specs.push({ name: ANSWER, description: answer.text, schema, undescribed: true });
  return { tools: specs, prompts: [...rendered, answer] };
}

/** `overview, zoom, answer` */
export function namesOf(offered: readonly ToolDefinition[]): string {
  return [...offered.map(({ name }) => name), ANSWER].join(", ");
}
