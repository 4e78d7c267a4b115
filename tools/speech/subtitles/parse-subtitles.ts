import type { ParsedCues } from "./cue.ts";
import { parseAss } from "./parse-ass.ts";
import { parseSrt, parseVtt } from "./parse-blocks.ts";
import { looksLikeJson, parseJsonCues } from "./parse-json.ts";

/** A format of subtitle files. */
export type SubtitleFormat = "srt" | "vtt" | "ass" | "json";

/**
 * Parses srt, vtt, ass/ssa or JSON, detected by content and not by file name. Linear in the length of the text; never
 * throws.
 */
export function parseSubtitles(text: string): ParsedCues & { format: SubtitleFormat } {
  const format = formatOf(text);
  if (format === "json") return { format, ...parseJsonCues(text) };
  const lines = text.split(/\r\n|\n|\r/);
  const parse = { srt: parseSrt, vtt: parseVtt, ass: parseAss }[format];
  return { format, ...parse(lines) };
}

/** A caption may begin with `Dialogue:`, but no time follows it. */
const ASS_LINE =
  /^[ \t]*(?:\[(?:Script Info|Events)\]|Dialogue:[^,\n]*,\s*-?\d+:\d{1,2}:\d{1,2}\s*[.:,])/im;

function formatOf(text: string): SubtitleFormat {
  const head = text.slice(0, 100_000);
  if (looksLikeJson(head)) return "json";
  if (/^\s*WEBVTT(?:\s|$)/.test(head)) return "vtt";
  if (ASS_LINE.test(head)) return "ass";
  return "srt";
}
