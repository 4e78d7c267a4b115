import { cutText } from "../../src/core/cut-text.ts";
import {
  CLOCK,
  clockSeconds,
  durationSeconds,
  LENGTH,
  NUMBER,
  numberOf,
  ORDINAL,
  ordinalOf,
  UNIT,
  unitSeconds,
} from "./time-expressions/durations.ts";
import { eventAnchors, type TimeAnchor } from "./time-expressions/event-anchors.ts";

export type { TimeAnchor } from "./time-expressions/event-anchors.ts";

/** A range of the video that a question names. */
export interface TimeRange {
  /** The words of the question. */
  words: string;
  /** Index in the question at which they begin. */
  index: number;
  /** Seconds; 0 <= start < end <= duration of the video. */
  start_s: number;
  end_s: number;
}

/** The times that a question names. */
export interface TimeExpressions {
  /** In the order of the question. */
  ranges: TimeRange[];
  /** Events before, after or during which something is asked about; to be searched. */
  anchors: TimeAnchor[];
  /** Times after the end of the video: `start_s` is at or after it. */
  beyond: TimeRange[];
}

/** Only this many characters of a question are parsed. */
const LONGEST = 10_000;

/** Margin in seconds around a time given to the second, to the minute, or roughly. */
const TO_THE_SECOND = 2;
const TO_THE_MINUTE = 5;
const ROUGHLY = 10;
/** Length of the beginning and of the end of a video: a share of it, and least seconds. The middle is twice as long. */
const END_SHARE = 0.1;
const END_S = 10;

const POINT = `(?:${CLOCK}|${LENGTH}|(?:minute|second) \\d{1,4}\\b)`;
const VIDEO =
  "(?:video|clip|film|movie|footage|recording|lecture|lesson|talk|episode|story|sequence)";
const OF_VIDEO = `(?: of (?:the|this) (?:whole |entire )?${VIDEO})`;
/**
 * Not followed by another object, which would not be a range of the video: the end of the table, the start of the race.
 */
const NOT_OF_ELSE = "(?! of\\b| to\\b)";

/** The beginning and the end as the points of a range. */
const START = `(?:very )?(?:beginning|start)${OF_VIDEO}?\\b(?! of\\b)`;
const END = `(?:very )?end${OF_VIDEO}?\\b${NOT_OF_ELSE}`;

interface TimeSpan {
  start_s: number;
  end_s: number;
}

interface Pattern {
  words: RegExp;
  read: (groups: Record<string, string | undefined>, end_s: number) => TimeSpan | null;
}

/** Tried in this order. Text that one pattern matched is hidden from the next ones. */
const PATTERNS: readonly Pattern[] = [
  {
    words: pattern(
      `\\b(?:between|from)\\s+(?:the )?(?<from>${POINT}|${START})(?:\\s+mark)?\\s*(?:\\b(?:and|to|until|till)\\b|[-–—])\\s*(?:the )?(?<to>${POINT}|${END})(?:\\s+marks?)?`,
    ),
    read: ({ from = "", to = "" }, end_s) => {
      const [starts, ends] = [isEdge(from), isEdge(to)];
      if (starts && ends) return null;
      return ordered(starts ? 0 : pointOf(from).at_s, ends ? end_s : pointOf(to).at_s);
    },
  },
  {
    words: pattern(`(?<from>${POINT})\\s*(?:\\b(?:to|until|till)\\b|[-–—])\\s*(?<to>${POINT})`),
    read: ({ from = "", to = "" }) => ordered(pointOf(from).at_s, pointOf(to).at_s),
  },
  {
    words: pattern(
      `\\b(?:between|from)\\s+(?:the )?(?<from>${NUMBER})\\s*(?:and|to|[-–—])\\s*(?:the )?(?<to>${NUMBER})[- ]?(?<unit>${UNIT})(?:\\s+marks?)?`,
    ),
    read: ({ from = "", to = "", unit = "" }) =>
      ordered(numberOf(from) * unitSeconds(unit), numberOf(to) * unitSeconds(unit)),
  },
  {
    words: pattern(
      `(?<side>\\b(?:before|after|until|till)\\s+)?(?:\\b(?:in|during|within|over|for|at) )?\\bthe (?:very )?(?<which>first|last|final|opening|closing|initial) (?<length>${LENGTH}|(?:minute|second|hour)\\b(?: and a half\\b)?|\\d{1,2}(?:\\.\\d+)? ?(?:%|percent\\b)|half\\b|third\\b|quarter\\b)`,
    ),
    read: ({ side, which = "", length = "" }, end_s) => {
      const seconds = partLength(length, end_s);
      const isFirst = /^(first|opening|initial)$/i.test(which);
      // Cut at the beginning: the last minute of a 40-second video is the whole video.
      const start = isFirst ? 0 : Math.max(0, end_s - seconds);
      return rangeOnSide(side, { start_s: start, end_s: isFirst ? seconds : end_s }, end_s);
    },
  },
  {
    words: pattern(
      `(?<side>\\b(?:before|after|until|till)\\s+)?(?:\\b(?:in|during|within) )?\\bthe (?<place>${ORDINAL}|middle) (?<unit>(?!an? )${LENGTH}|(?:minute|hour|half|third|quarter)\\b)`,
    ),
    read: ({ side, place = "", unit = "" }, end_s) => {
      const length = partLength(unit, end_s);
      const before = /^middle$/i.test(place) ? (end_s - length) / 2 / length : ordinalOf(place) - 1;
      return rangeOnSide(side, { start_s: before * length, end_s: (before + 1) * length }, end_s);
    },
  },
  {
    words: pattern(
      `(?<length>${LENGTH}) (?:before|from|to) the (?:very )?end${OF_VIDEO}?\\b${NOT_OF_ELSE}`,
    ),
    read: ({ length = "" }, end_s) => {
      const { seconds, unit } = durationSeconds(length);
      return around(Math.max(0, end_s - seconds), marginOf(unit));
    },
  },
  {
    words: pattern(
      `(?<rough>\\b(?:about|around|roughly|approximately) )?(?<length>${LENGTH}) (?:into (?:the|this) ${VIDEO}|(?:after|from) the (?:very )?(?:beginning|start)${OF_VIDEO}?\\b${NOT_OF_ELSE}|in\\b(?=\\s*(?:[,.?!;]|$)))`,
    ),
    read: ({ rough, length = "" }) => {
      const { seconds, unit } = durationSeconds(length);
      return around(seconds, rough === undefined ? marginOf(unit) : ROUGHLY);
    },
  },
  {
    words: pattern(
      `(?<side>\\b(?:before|after|until|till|up to|since|from|past|prior to)\\s+)(?:about |around )?(?:the )?(?<point>${POINT})(?:[- ]mark)?(?: ?on(?:wards?)?\\b)?(?! (?:later|earlier|before|after|of)\\b)`,
    ),
    read: ({ side = "", point = "" }, end_s) => {
      const { at_s } = pointOf(point);
      return rangeOnSide(side, { start_s: at_s, end_s: at_s }, end_s);
    },
  },
  {
    words: pattern(
      `(?<how>\\b(?:at|around|about|near|by|in)\\s+)(?:around |about |roughly |exactly |approximately )?(?:the )?(?<point>${CLOCK}|(?:minute|second) \\d{1,4}\\b)(?:[- ]mark)?`,
    ),
    read: ({ how = "", point = "" }) => {
      const { at_s, margin_s } = pointOf(point);
      return around(at_s, /^(around|about|near)/i.test(how) ? ROUGHLY : margin_s);
    },
  },
  {
    words: pattern(
      `(?:\\b(?<how>at|around|about|near)\\s+(?:(?<rough>around|about|roughly|approximately) |exactly )?(?:the )?(?<point>${LENGTH})(?:[- ]mark)?|(?:\\bthe )?(?<marked>${LENGTH})[- ]mark\\b)(?! (?:later|earlier|before|after|of|long|per|each)\\b)`,
    ),
    read: ({ how = "", rough, point, marked }) => {
      const { at_s, margin_s } = pointOf(point ?? marked ?? "");
      const isRough = rough !== undefined || /^(around|about|near)$/i.test(how);
      return around(at_s, isRough ? ROUGHLY : margin_s);
    },
  },
  {
    words: pattern(`(?:\\bthe )?(?<point>${CLOCK})(?:[- ]mark)?`),
    read: ({ point = "" }) => around(clockSeconds(point), TO_THE_SECOND),
  },
  {
    words: pattern(
      `\\b(?:(?:at|in|from|near|towards?|by|right at|since) the (?:very )?(?:beginning|start|outset|opening)|the (?:beginning|start|opening)(?=${OF_VIDEO}))${OF_VIDEO}?\\b${NOT_OF_ELSE}|\\bthe (?:very )?(?:first|opening) (?:scene|shot|frame|moment)s?\\b`,
    ),
    read: (_, end_s) => ({ start_s: 0, end_s: edge(end_s) }),
  },
  {
    words: pattern(
      `\\b(?:(?:at|in|near|towards?|by|until|right before|just before|shortly before|before) the (?:very )?(?:end|close|conclusion|ending)|the (?:end|ending|conclusion)(?=${OF_VIDEO}))${OF_VIDEO}?\\b${NOT_OF_ELSE}|\\bthe (?:very )?(?:last|final|closing) (?:scene|shot|frame|moment)s?\\b`,
    ),
    read: (_, end_s) => ({ start_s: end_s - edge(end_s), end_s }),
  },
  {
    words: pattern(
      `\\b(?:(?:at|in|around|about|near|towards?) the middle${OF_VIDEO}?\\b${NOT_OF_ELSE}|(?:half-?way|mid-?way)(?: (?:through|into)(?: (?:the|this) ${VIDEO})?)?\\b)`,
    ),
    read: (_, end_s) => around(end_s / 2, edge(end_s)),
  },
];

/**
 * Returns the time expressions of an English question as ranges of a video of `duration_s` seconds: "at 1:10", "between
 * 2 and 3 minutes", "in the last half", "around the middle", "after 5 minutes"; and the events that a question refers
 * to: "before she leaves". Any text is valid; never throws.
 */
export function timeExpressions(question: string, duration_s: number): TimeExpressions {
  const end_s = Number.isFinite(duration_s) ? Math.max(0, duration_s) : 0;
  let left = cutText(question, LONGEST).replace(/\s/g, " ");
  const found: TimeRange[] = [];
  for (const { words, read } of PATTERNS)
    left = left.replace(words, (...match: unknown[]) => {
      const whole = String(match[0]);
      const groups = match.at(-1) as Record<string, string | undefined>;
      const index = Number(match.at(-3));
      const part = read(groups, end_s);
      if (part === null || !Number.isFinite(part.start_s + part.end_s)) return whole;
      const skipped = whole.length - whole.trimStart().length;
      found.push({ words: whole.trim(), index: index + skipped, ...part });
      return READ.repeat(whole.length);
    });
  found.sort((a, b) => a.index - b.index);
  return {
    ranges: found
      .map((range) => ({
        ...range,
        start_s: Math.max(0, range.start_s),
        end_s: Math.min(end_s, range.end_s),
      }))
      .filter((range) => range.start_s < range.end_s),
    anchors: eventAnchors(left, READ),
    beyond: found.filter((range) => range.start_s >= end_s),
  };
}

/** Replaces each matched character of a question. */
const READ = "\u0000";

/** Groups are named, and every pattern has at least one group, so that `replace` passes them last. */
function pattern(source: string): RegExp {
  return new RegExp(source.includes("(?<") ? source : `(?<all>${source})`, "gi");
}

/** The position of a `POINT`, and the margin in seconds around it. */
function pointOf(text: string): { at_s: number; margin_s: number } {
  const numbered = /^(minute|second) (\d+)$/i.exec(text.trim());
  if (numbered !== null) {
    const unit = unitSeconds(numbered[1] ?? "");
    return { at_s: Number(numbered[2]) * unit, margin_s: marginOf(unit) };
  }
  if (/^\d+:/.test(text)) return { at_s: clockSeconds(text), margin_s: TO_THE_SECOND };
  const { seconds, unit } = durationSeconds(text);
  return { at_s: seconds, margin_s: marginOf(unit) };
}

function isEdge(text: string): boolean {
  return /^(?:very )?(?:beginning|start|end)/i.test(text);
}

function marginOf(unit: number): number {
  return unit === 1 ? TO_THE_SECOND : TO_THE_MINUTE;
}

/** Seconds of `half`, `10 %`, `minute`, or a `LENGTH`. */
function partLength(text: string, end_s: number): number {
  const share = /^(half|third|quarter)$/i.exec(text)?.[1]?.toLowerCase();
  if (share !== undefined) return end_s / { half: 2, third: 3, quarter: 4 }[share as "half"];
  const percent = /^([\d.]+) ?(?:%|percent)/i.exec(text)?.[1];
  if (percent !== undefined) return (end_s * Number(percent)) / 100;
  if (!/^(minute|second|hour)/i.test(text)) return durationSeconds(text).seconds;
  return unitSeconds(text) * (/and a half$/i.test(text) ? 1.5 : 1);
}

function ordered(a: number, b: number): TimeSpan {
  return { start_s: Math.min(a, b), end_s: Math.max(a, b) };
}

function around(at_s: number, margin_s: number): TimeSpan {
  return { start_s: Math.max(0, at_s - margin_s), end_s: at_s + margin_s };
}

/** The range before or after a range, or the range itself without a side. */
function rangeOnSide(side: string | undefined, part: TimeSpan, end_s: number): TimeSpan {
  const word = side?.trim().toLowerCase();
  if (word === undefined) return part;
  return /^(before|until|till|up to|prior to)$/.test(word)
    ? { start_s: 0, end_s: part.start_s }
    : { start_s: part.end_s, end_s: Math.max(end_s, part.end_s) };
}

function edge(end_s: number): number {
  return Math.min(end_s, Math.max(END_S, end_s * END_SHARE));
}
