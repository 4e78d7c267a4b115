import { cutText } from "../../src/core/cut-text.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { ToolCall } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { onOneLine } from "../replies/reply-text.ts";
import type { ShownState } from "./shown-evidence.ts";

/**
 * The model's description of the last pictures it was shown (`seen` of its calls), as a caption of the time that they
 * cover. Searches for this and for later questions find it; this answer can cite it only after a search showed it. It
 * refers to the broader captions of the same time, which it refines.
 */
export function seenCaption(
  calls: readonly ToolCall[],
  { pictured, evidence }: Pick<ShownState, "pictured" | "evidence">,
  context: GraphContext,
): Evidence[] {
  const words = calls.map(({ arguments: given }) => seenWords(given)).find((said) => said !== "");
  const pictures = evidence.filter((item) => pictured.includes(item.id));
  if (words === undefined || pictures.length === 0) return [];
  const start_s = Math.min(...pictures.map((picture) => picture.start_s));
  const end_s = Math.max(...pictures.map((picture) => picture.end_s));
  const refined = evidence.filter(
    (item) => item.kind === "caption" && item.start_s <= start_s && item.end_s >= end_s,
  );
  const item = makeEvidence({
    video: context.video.hash,
    kind: "caption",
    start_s,
    end_s,
    text: words,
    frame: pictures[Math.floor(pictures.length / 2)]?.frame,
    by: { who: "model", name: context.models.nameOf("reasoner") ?? "unnamed" },
    confidence: null,
    from: [...pictures, ...refined].map(({ id }) => id),
  });
  return [item];
}

function seenWords(given: unknown): string {
  if (typeof given !== "object" || given === null || !("seen" in given)) return "";
  return typeof given.seen === "string" ? cutText(onOneLine(given.seen), 2000) : "";
}
