import { hearsSpeech } from "../../src/core/settings.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import type { GraphContext } from "../context.ts";

/** A sentence on a video in which no words were found: what was looked for, and what to do. */
export function nothingRecognised(
  { settings: { recognition }, video }: Pick<GraphContext, "settings" | "video">,
  evidence: readonly Evidence[],
): string {
  const hasPictures = video.probe.video !== null;
  const missing = [
    recognition.subtitles === "off"
      ? "subtitles were not read (--subtitles off)"
      : "no subtitles were found",
    hearsSpeech(recognition) ? "no speech was heard" : "",
    !hasPictures
      ? ""
      : recognition.ocr === "off"
        ? "text on screen was not read (--ocr off)"
        : (unreadEquations(evidence) ?? "no text was read on screen"),
  ].filter((part) => part !== "");
  const list = missing.join(", ").replace(/, ([^,]*)$/, " and $1");
  const model = hasPictures ? ", or name a model that looks at the frames with --model" : "";
  return `${list[0]?.toUpperCase()}${list.slice(1)}. Put a subtitle file next to the video${model}.`;
}

/** Null if there are none. */
function unreadEquations(evidence: readonly Evidence[]): string | null {
  const unread = evidence.filter(({ data }) => data?.unread === true);
  if (unread.length === 0) return null;
  const at = clock(Math.min(...unread.map(({ start_s }) => start_s)));
  return unread.length === 1
    ? `an equation is on screen at ${at} that could not be read`
    : `${unread.length} equations on screen from ${at} on could not be read`;
}
