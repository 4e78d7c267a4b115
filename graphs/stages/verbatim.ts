import type { ResolvedSettings } from "../../src/core/settings.ts";
import type { Task } from "../../src/core/shapes.ts";

/**
 * Whether the order is asked for over the replies of the recogniser as they are. That is so in VCRBench's released code,
 * which describes the whole video and lets one call order all clips.
 */
export function isVerbatim({ recognition, reasoning }: ResolvedSettings, task: Task): boolean {
  return (
    task === "order" &&
    recognition.replies === "verbatim" &&
    recognition.input === "whole-video" &&
    reasoning.method === "all-at-once"
  );
}

/**
 * The text for the order prompt: the one reply about all clips, or the replies about each clip as the released code joins
 * them, with the word `Clip` twice.
 */
export function recognisedText(
  described: readonly { segment: { number: number }; reply?: string }[],
  { recognition }: Pick<ResolvedSettings, "recognition">,
): string {
  if (recognition.mode === "all-at-once") return described[0]?.reply ?? "";
  return described
    .map(({ segment, reply = "" }) => `Clip Clip ${segment.number}: ${reply}\n`)
    .join("");
}
