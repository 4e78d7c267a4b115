import iconv from "iconv-lite";

/* Writes subtitle files for tests, in every format and encoding, as common tools write them. */

export interface WrittenCue {
  start_ms: number;
  end_ms: number;
  lines: string[];
}

export type WrittenFormat = "srt" | "vtt" | "ass";

export function writeSubtitles(format: WrittenFormat, cues: readonly WrittenCue[]): string {
  return { srt: writeSrt, vtt: writeVtt, ass: writeAss }[format](cues);
}

/** `mark` adds a byte order mark; code pages have none. */
export function encode(text: string, encoding: string, mark: boolean): Buffer {
  return iconv.encode(text, encoding, { addBOM: mark });
}

function writeSrt(cues: readonly WrittenCue[]): string {
  return cues
    .map(({ start_ms, end_ms, lines }, index) => {
      const times = `${clock(start_ms, ",")} --> ${clock(end_ms, ",")}`;
      return `${index + 1}\r\n${times}\r\n${lines.join("\r\n")}\r\n`;
    })
    .join("\r\n");
}

function writeVtt(cues: readonly WrittenCue[]): string {
  const blocks = cues.map(({ start_ms, end_ms, lines }) => {
    const escaped = lines.map((line) =>
      line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    );
    return `${clock(start_ms, ".")} --> ${clock(end_ms, ".")} align:start\n${escaped.join("\n")}\n`;
  });
  return ["WEBVTT\n", "NOTE written for a test\n", ...blocks].join("\n");
}

/** Times in this format have hundredths of a second. */
function writeAss(cues: readonly WrittenCue[]): string {
  const events = cues.map(
    ({ start_ms, end_ms, lines }) =>
      `Dialogue: 0,${clock(start_ms, ".").slice(1, -1)},${clock(end_ms, ".").slice(1, -1)},Default,,0,0,0,,{\\pos(40,57)}${lines.join("\\N")}`,
  );
  return [
    "[Script Info]\nScriptType: v4.00+\n",
    "[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,DejaVu Sans,20\n",
    "[Events]",
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    ...events,
    "Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown",
  ].join("\n");
}

function clock(ms: number, point: string): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const seconds = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
  return `${seconds}${point}${String(ms % 1000).padStart(3, "0")}`;
}
