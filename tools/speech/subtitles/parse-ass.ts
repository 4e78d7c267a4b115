import { isPossible, type ParsedCues } from "./cue.ts";

const USUAL_FIELDS = [
  "layer",
  "start",
  "end",
  "style",
  "name",
  "marginl",
  "marginr",
  "marginv",
  "effect",
  "text",
];

const MOST_FIELDS = 50;

/**
 * Parses Advanced SubStation Alpha and its predecessor: the `Dialogue` lines of `[Events]`, by the columns of the
 * `Format` line.
 */
export function parseAss(lines: readonly string[]): ParsedCues {
  const cues: ParsedCues["cues"] = [];
  let skipped = 0;
  let fields = USUAL_FIELDS;
  let inEvents = true;
  for (const line of lines) {
    const section = /^\s*\[([^\]]*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) inEvents = /^events$/i.test(section.trim());
    if (!inEvents) continue;
    const entry = /^\s*(Format|Dialogue)\s*:\s?/i.exec(line);
    if (entry === null) continue;
    const rest = line.slice(entry[0].length);
    if (entry[1]?.toLowerCase() === "format") {
      fields = rest.split(",", MOST_FIELDS).map((field) => field.trim().toLowerCase());
      continue;
    }
    const values = splitFields(rest, fields.length);
    const value = (name: string) => values[fields.indexOf(name)] ?? "";
    const cue = {
      start_s: seconds(value("start")),
      end_s: seconds(value("end")),
      lines: wordsOf(value("text")).split(/\\[Nn]/),
    };
    if (isPossible(cue)) cues.push(cue);
    else skipped++;
  }
  return { cues, skipped };
}

/** Splits at commas, except in the last field, which is the text. */
function splitFields(text: string, count: number): string[] {
  const values: string[] = [];
  let start = 0;
  while (values.length < count - 1) {
    const comma = text.indexOf(",", start);
    if (comma < 0) break;
    values.push(text.slice(start, comma));
    start = comma + 1;
  }
  return [...values, text.slice(start)];
}

/** Returns NaN for an invalid time, so that the cue is skipped. */
function seconds(text: string): number {
  const match = /^\s*(-)?(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,9}))?\s*$/.exec(text);
  if (match === null) return Number.NaN;
  const [, sign, hours, minutes, whole, fraction = "0"] = match;
  const value =
    Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${fraction}`);
  return sign === undefined ? value : -value;
}

/**
 * Without what is in braces: commands, or a comment of the author, which players hide. Text between `{\p1}` and `{\p0}`
 * consists of coordinates of a shape, not of words.
 */
function wordsOf(text: string): string {
  let drawing = false;
  return text
    .split(/(\{[^{}]*\})/)
    .filter((part) => {
      if (!/^\{.*\}$/s.test(part)) return !drawing;
      const switched = /\\p(\d+)/.exec(part)?.[1];
      if (switched !== undefined) drawing = Number(switched) > 0;
      return false;
    })
    .join("")
    .replaceAll("\\h", " ");
}
