import type { Rendered } from "../prompts/load-prompts.ts";
import { Failure } from "../src/core/errors.ts";
import type { Option } from "../src/core/shapes.ts";
import type { Part } from "../src/models/chat.ts";
import type { GraphContext } from "./context.ts";
import { parseChoice } from "./replies/parse-choice.ts";
import { onOneLine } from "./replies/reply-text.ts";
import { callModel, images, unreadableReply } from "./stages/call-model.ts";
import { bySegment } from "./stages/frames.ts";
import type { Segment } from "./state.ts";

/*
 * Tests each half of RRD separately, on videos whose steps have names. Each test is one call outside the state machine,
 * and returns a letter, or null if the reply chooses none.
 */

/** The paper's event recognition test: one clip's own frames and names of steps (section 4, figure 7). */
export async function recogniseEvent(
  clip: number,
  segments: readonly Segment[],
  options: readonly Option[],
  context: GraphContext,
): Promise<string | null> {
  const place = segments.findIndex((segment) => segment.number === clip);
  const frames = (await bySegment(context, "test", segments))[place] ?? [];
  if (frames.length === 0)
    throw new Failure("not-found", `Clip ${clip} has no frames.`, {
      clip,
    });
  const prompt = context.prompts.render("rrd/recognise-event", { options: lines(options) });
  const label = `which event is clip ${clip}`;
  return choose(context, { role: "recogniser", label, prompt, media: images(frames) }, options);
}

/** Whether a description identifies its step: which of all steps of its procedure does it describe? */
export async function matchStep(
  description: string,
  goal: string,
  options: readonly Option[],
  context: GraphContext,
): Promise<string | null> {
  const prompt = context.prompts.render("rrd/match-step", {
    goal,
    description: onOneLine(description),
    options: lines(options),
  });
  return choose(context, { role: "reasoner", label: "which step is described", prompt }, options);
}

interface Test {
  role: "recogniser" | "reasoner";
  label: string;
  prompt: Rendered;
  media?: Part[];
}

async function choose(
  context: GraphContext,
  { role, label, prompt, media }: Test,
  options: readonly Option[],
): Promise<string | null> {
  const result = await callModel(context, { stage: "test", role, label, prompts: [prompt], media });
  if (result.status === "limit" || unreadableReply(result) !== null) return null;
  return parseChoice(result.reply.text, options);
}

function lines(options: readonly Option[]): string {
  return options.map(({ letter, text }) => `(${letter}) ${onOneLine(text)}`).join("\n");
}
