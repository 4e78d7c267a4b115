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

/** Advanced SubStation Alpha and its forerunner: the `Dialogue` lines of `[Events]`, by the columns its `Format` line names. */
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
      lines: withoutDrawings(value("text")).split(/\\[Nn]/),
    };
    if (isPossible(cue)) cues.push(cue);
    else skipped++;
  }
  return { cues, skipped };
}

/** The last field keeps its commas: it is the text. */
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

/** NaN where it is no time, so that the cue is not possible. */
function seconds(text: string): number {
  const match = /^\s*(-)?(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,9}))?\s*$/.exec(text);
  if (match === null) return Number.NaN;
  const [, sign, hours, minutes, whole, fraction = "0"] = match;
  const value =
    Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(`0.${fraction}`);
  return sign === undefined ? value : -value;
}

/** What stands between `{\p1}` and `{\p0}` are the coordinates of a shape, not words. */
function withoutDrawings(text: string): string {
  let drawing = false;
  return text
    .split(/(\{[^{}]*\})/)
    .filter((part) => {
      if (!part.startsWith("{")) return !drawing;
      const switched = /\\p(\d+)/.exec(part)?.[1];
      if (switched !== undefined) drawing = Number(switched) > 0;
      return true;
    })
    .join("");
}
