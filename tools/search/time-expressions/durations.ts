/*
 * English expressions of times and durations, as sources of regular expressions and in seconds. All of them match
 * case-insensitively.
 */

const WORDS = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
  ...["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"],
  "nineteen",
];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS = [
  ...["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"],
  "tenth",
];

const SPOKEN = `(?:(?:${TENS.join("|")})(?:[- ](?:${WORDS.slice(1, 10).join("|")}))?|${[...WORDS].reverse().join("|")})`;

/** `75`, `1.5`, `seventy-five`, `two and a half`, `a couple of`, `a few`, `half a`, `half`, `a`. */
export const NUMBER = `(?:(?:\\d{1,6}|${SPOKEN})[- ]and[- ]a[- ]half|\\d{1,6}(?:\\.\\d{1,3})?|half(?: an?)?|(?:a )?couple of|(?:a )?few|${SPOKEN}|an?)`;

/** `m` also means metres, so minutes need more letters, unless seconds follow. */
export const UNIT = "(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|s)(?![a-z])";

/** `1:10`, `01:02:03.5`; not `1:10 pm` or `1:10 in the afternoon`, which a clock in the picture shows. */
export const CLOCK =
  "(?<![\\d:.])\\d{1,2}:[0-5]\\d(?::[0-5]\\d)?(?:\\.\\d{1,3})?(?![\\d:])(?!\\s*[ap]\\.?m\\b)(?! (?:in the (?:early |late )?(?:morning|afternoon|evening)|at night)\\b)";

/** `a second person` counts persons. Words after `a second` that continue a question about its time are listed. */
const NOT_ORDINAL =
  "(?!a second[- ](?!(?:after|and|are|at|before|did|do|does|earlier|from|he|in|into|is|it|later|mark|of|on|or|she|the|then|they|till|to|until|was|were|what|when|where|which|while|who|why)\\b)[a-z])";

/** `75 seconds`, `2 minutes and 5 seconds`, `a minute and a half`, `1m10s`. */
export const LENGTH = `(?:\\b\\d{1,3} ?m ?\\d{1,2} ?s\\b|\\b${NOT_ORDINAL}${NUMBER}[- ]?${UNIT}(?: and a half\\b|(?:,| and|, and)? ?\\b(?!an?\\b)${NUMBER}[- ]?${UNIT})?)`;

/** `third`, `3rd`. */
export const ORDINAL = `(?:${ORDINALS.join("|")}|\\d{1,3}(?:st|nd|rd|th))`;

/** Seconds of a `CLOCK`. */
export function clockSeconds(text: string): number {
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Seconds of a `LENGTH`, and those of its smallest unit, which is its precision. */
export function durationSeconds(text: string): { seconds: number; unit: number } {
  const short = /^(\d+) ?m ?(\d+) ?s$/i.exec(text.trim());
  if (short !== null) return { seconds: Number(short[1]) * 60 + Number(short[2]), unit: 1 };
  let seconds = 0;
  let unit = 3600;
  for (const [, number = "", name = ""] of text.matchAll(
    new RegExp(`(${NUMBER})[- ]?(${UNIT})`, "gi"),
  )) {
    unit = unitSeconds(name);
    seconds += numberOf(number) * unit;
  }
  return { seconds: /and a half$/i.test(text) ? seconds + unit / 2 : seconds, unit };
}

export function unitSeconds(name: string): number {
  return /^h/i.test(name) ? 3600 : /^m/i.test(name) ? 60 : 1;
}

/** The value of a `NUMBER`. "A few" is five. */
export function numberOf(text: string): number {
  const words = text.toLowerCase().trim();
  const whole = /^(.+?)[- ]and[- ]a[- ]half$/.exec(words)?.[1];
  if (whole !== undefined) return numberOf(whole) + 0.5;
  if (/^\d/.test(words)) return Number(words);
  if (words.startsWith("half")) return 0.5;
  if (words.endsWith("couple of")) return 2;
  if (words.endsWith("few")) return 5;
  if (words === "a" || words === "an") return 1;
  return words
    .split(/[- ]/)
    .reduce(
      (sum, word) =>
        sum +
        Math.max(
          WORDS.indexOf(word),
          (TENS.indexOf(word) + 2) * 10 * Number(TENS.includes(word)),
          0,
        ),
      0,
    );
}

/** Counts from 1. */
export function ordinalOf(text: string): number {
  const place = ORDINALS.indexOf(text.toLowerCase());
  return place >= 0 ? place + 1 : Number.parseInt(text, 10);
}
