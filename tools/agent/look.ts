import type { Settings } from "../../src/core/settings.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { Medium } from "../../src/models/chat.ts";
import type { Span } from "../video/span-media.ts";
import type { ToolContext } from "./tool-context.ts";

/*
 * What tools that show a part of the video have in common.
 */

/** Frames that one look shows at most. */
export const MOST_LOOKED_AT = 16;

/** How large frames are shown: longest side in pixels, and JPEG quality. */
export function frameSize({ recognition: { max_side, quality } }: Settings) {
  return { max_side, quality };
}

export function clipLabel({ from_s, to_s }: Span): string {
  return `Clip from ${secondsAndClock(from_s)} to ${secondsAndClock(to_s)}:`;
}

/** The sound of a part that is looked at, if the settings ask for it. */
export async function soundOf(
  span: Span,
  { settings, video, job }: Pick<ToolContext, "settings" | "video" | "job">,
): Promise<Medium[]> {
  if (!settings.recognition.audio) return [];
  const { spanSound } = await import("../video/span-media.ts");
  return [{ ...(await spanSound(video, span, job)), label: `Sound ${clipLabel(span).slice(5)}` }];
}
