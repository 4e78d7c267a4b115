import type { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import { createRegistry, type Definition, type Registry } from "../../src/core/registry.ts";
import type { ToolContext, ToolResult } from "./tool-context.ts";

/** What a video must have: `pictures`, `sound`; `index`: evidence that was recognised before the tool is called. */
export type Need = "pictures" | "sound" | "index";

/** What a call of a tool shows, for the budget. */
export interface FrameCost<Arguments> {
  /**
   * Frames that a call with these arguments shows at most. Throws `Failure` `wrong-usage` for arguments that cannot be
   * carried out.
   */
  frames(given: Arguments, context: Omit<ToolContext, "allowed">): number | Promise<number>;
  /** The fewest frames with which a call makes sense. Default: 1. */
  atLeast?: number;
}

/** Something that a model can do to a video by calling it. */
export interface ToolDefinition<P extends z.ZodObject = z.ZodObject> extends Definition {
  /** What the model calls: lower-case letters, digits and underscores, at most 64. */
  readonly name: string;
  /**
   * What it does, for the model: the words, or a Markdown file with them that `--prompts` can replace. A file tells what
   * the arguments mean as well, so that their own descriptions are not sent.
   */
  readonly description: string | URL;
  /** Every member has a description, with its unit and range. */
  readonly parameters: P;
  /** Without these it is not offered. */
  readonly needs: readonly Need[];
  /** Changes arguments that do not fit, as a model may write them, before they are read again. */
  readonly repair?: (given: unknown) => unknown;
  /** What a call takes from the budget. */
  readonly cost: "nothing" | FrameCost<z.output<P>>;
  /**
   * It shows a part of the video as it is, as `frames` or as `video`: an agent is offered the one for the medium that
   * its settings send. Settings name the one for frames.
   */
  readonly look?: "frames" | "video";
  /**
   * What its result depends on apart from the arguments, as a number that changes with it, such as how many frames were
   * shown: an equal call is then run again. Without it, a call that was made before is not run again.
   */
  readonly varies?: (context: Pick<ToolContext, "evidence">) => number;
  /** It is called once without arguments before the first turn of the model. */
  readonly atStart?: true;
  /**
   * A server outside of this program runs it: the model is sent this JSON Schema in place of `parameters`, the arguments
   * reach `run` as the model wrote them, and an equal call is run again unless it is `pure`.
   */
  readonly external?: { schema: Record<string, unknown>; pure: boolean };
  /** Throws `Failure`; those that concern only this call are told to the model. */
  run(given: z.output<P>, context: ToolContext): ToolResult | Promise<ToolResult>;
}

const known = createRegistry<ToolDefinition>("a tool");

/** The tools that this process knows, in the order in which a model is offered them. `add` checks them as `defineTool`. */
export const tools: Registry<ToolDefinition> = {
  ...known,
  add(...definitions) {
    for (const definition of definitions) checkTool(definition);
    known.add(...definitions);
  },
};

/** The call by which an agent answers. It is not a tool: it does nothing to the video, and is always offered. */
export const ANSWER = "answer";

/**
 * Defines a tool that an agent can call. Throws `Failure` `wrong-usage` for a name that model servers refuse, for a
 * parameter without a description, and for one called `seen`.
 *
 * @example
 * export const viewGray = defineTool({
 *   name: "view_gray",
 *   description: "Shows the frame at a time without its colours.",
 *   parameters: z.object({ at_s: z.number().min(0).describe("time of the frame, in seconds") }),
 *   needs: ["pictures"],
 *   cost: { frames: () => 1 },
 *   run: async ({ at_s }, { video, job }) => ({
 *     type: "frames",
 *     frames: [await grayFrame(video, at_s, job)],
 *   }),
 * });
 */
export function defineTool<P extends z.ZodObject>(definition: ToolDefinition<P>): ToolDefinition {
  checkTool(definition);
  return definition;
}

function checkTool({ name, parameters }: Pick<ToolDefinition, "name" | "parameters">): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
    throw new Failure(
      "wrong-usage",
      `Invalid name of a tool ${JSON.stringify(name)}: use lower-case letters, digits and underscores, at most 64, and begin with a letter.`,
      { name },
    );
  if (name === ANSWER)
    throw new Failure(
      "wrong-usage",
      `Invalid name of a tool ${JSON.stringify(name)}: an agent answers by a call of this name. Choose another name.`,
      { name },
    );
  if ("seen" in parameters.shape)
    throw new Failure(
      "wrong-usage",
      `Invalid parameter seen of the tool ${name}: give it another name. An agent adds one called seen to every tool.`,
      { name },
    );
  for (const [parameter, schema] of Object.entries(parameters.shape))
    if (((schema as z.ZodType).description ?? "") === "")
      throw new Failure(
        "wrong-usage",
        `Missing description of the parameter ${parameter} of the tool ${name}: add .describe("..."), with the unit and the range.`,
        { name, parameter },
      );
}
