import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { z } from "zod";
import { isFailure } from "../../src/core/errors.ts";
import type { Part } from "../../src/models/chat.ts";
import type { PartsArtifact } from "../../src/models/from-langchain.ts";
import { DESCRIBES_ARGUMENTS } from "../../src/models/routed-chat-model.ts";
import type { ToolDefinition } from "../../tools/agent/define-tool.ts";
import { readArguments } from "../../tools/agent/read-arguments.ts";
import type { GraphContext } from "../context.ts";
import { describeTool } from "../description-prompt.ts";
import { withSeen } from "./offered-tools.ts";
import type { Toolbox } from "./toolbox.ts";

/** The content of a tool's result for LangChain. */
export type PresentParts = (parts: readonly Part[]) => Promise<ToolMessage["content"]>;

/**
 * Tools of the agent as LangChain tools. `present` makes the content of a result; its artifact contains text and pictures
 * by hash. Calls run one after another.
 */
export function langChainTools(
  offered: readonly ToolDefinition[],
  toolbox: Toolbox,
  present: PresentParts,
  { prompts }: Pick<GraphContext, "prompts">,
): DynamicStructuredTool[] {
  return offered.map((tool) => {
    const { description, prompt } = describeTool(tool, prompts);
    const schema = tool.external?.schema ?? withSeen(tool.parameters);
    const made = new VideoTool({
      name: tool.name,
      description,
      schema,
      responseFormat: "content_and_artifact",
      ...(prompt === null ? {} : { metadata: DESCRIBES_ARGUMENTS }),
      func: async (given) => {
        const { parts } = await toolbox.run(tool, given);
        const artifact: PartsArtifact = { shown: "video-rrd", parts };
        return [await present(parts), artifact];
      },
    });
    made.repair = tool.repair;
    return made;
  });
}

/** Accepts arguments as models write them (`"1:10"` for 70). The problem with other arguments is the result of the call. */
class VideoTool extends DynamicStructuredTool {
  repair: ToolDefinition["repair"];

  override async call(
    ...[given, config, tags]: Parameters<DynamicStructuredTool["call"]>
  ): ReturnType<DynamicStructuredTool["call"]> {
    // The schema of a server's tool is checked where the call is run.
    if (!(this.schema instanceof z.ZodObject)) return this.#answer(given, config, "success");
    let read: unknown;
    try {
      read = readArguments(this.name, this.schema, given, this.repair);
    } catch (error) {
      if (!isFailure(error, "wrong-usage")) throw error;
      // LangChain's own message would name a place in its source code.
      return this.#answer(given, config, "error");
    }
    return super.call(read as never, config, tags);
  }

  async #answer(
    given: unknown,
    config: Parameters<DynamicStructuredTool["call"]>[1],
    status: "success" | "error",
  ): Promise<string | ToolMessage> {
    const [content, artifact] = (await this.func(given as never)) as [string, PartsArtifact];
    const { id: tool_call_id } = (config as { toolCall?: { id?: string } })?.toolCall ?? {};
    if (tool_call_id === undefined) return content;
    return new ToolMessage({ content, artifact, tool_call_id, name: this.name, status });
  }
}
