/*
 * Converts the markup of a cue to the text that a viewer reads. Only tags as the formats write them are removed: in a
 * lesson, `3 < 5 and 7 > 2`, `if a < b and c > d`, `{1, 2}` and `{x: x > 3}` are text. No pattern scans past the next
 * opening character, so that hostile text costs no more than other text.
 */

const NAMES = "a|b|c|i|u|s|v|br|em|rt|tt|font|lang|ruby|span|strong|strike";
/** Names that are no variable of a formula, so that anything may follow them. */
const LONG_NAMES = "font|lang|ruby|span|strong|strike";
const ATTRIBUTES = String.raw`[ \t]+[\w-]+[ \t]*=[^<>\n]*`;
const TAG = new RegExp(
  [
    String.raw`</?(?:${NAMES})(?:\.[^<>\n]*|(?:${ATTRIBUTES})?[ \t]*/?)>`,
    String.raw`<(?:${LONG_NAMES})[ \t][^<>\n]*>`,
    String.raw`</[ \t]*(?:${NAMES})?[ \t]*>`,
  ].join("|"),
  "gi",
);
const WORD_TIME = /<\d{1,4}:\d{2}(?::\d{2})?[.,]\d{1,3}>/g;
const VOICE = /<v(?:\.[^\s<>]*)?[ \t]+([^<>]+)>/g;
/** `{\an8}`, `{\pos(400,570)}`, and MicroDVD's `{y:i}`, `{c:$0000ff}`, `{f:Arial}`, `{s:12}`, `{P:1}`, `{o:1,2}`. */
const OVERRIDE =
  /\{\\[^{}]*\}|\{(?:y:[ibus](?:,[ibus])*|c:\$[\da-f]{1,8}|f:[a-z][\w .-]*|[sp]:\d+|o:\d+,\d+)\}/gi;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;
const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  lrm: "",
  rlm: "",
  shy: "",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  bull: "•",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  times: "×",
  divide: "÷",
  plusmn: "±",
  minus: "−",
  middot: "·",
  deg: "°",
  le: "≤",
  ge: "≥",
  ne: "≠",
  pi: "π",
  infin: "∞",
  radic: "√",
  sum: "∑",
  rarr: "→",
};
/**
 * Control codes, soft hyphens and marks without width, which are invisible and would break search. Joiners (U+200C,
 * U+200D) are part of the words of some languages.
 */
const UNREADABLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** A hard space of ASS, which ffmpeg leaves in other formats; no command of LaTeX such as `\hat`. */
const HARD_SPACE =
  /\\h(?!(?:at|bar|box|fill|line|om|phantom|skip|space|ookrightarrow|ookleftarrow|eartsuit)(?![a-z]))/g;

/** A line end in sbv. */
const SBV_BREAK = "[br]";

/** Converts lines with markup to one line of text. A WebVTT voice becomes `Name: words`. */
export function plainText(lines: readonly string[]): string {
  const marked = lines.join("\n");
  const words = marked.includes("<") || marked.includes("{") ? withoutTags(marked) : marked;
  return decodeEntities(words)
    .replace(UNREADABLE, "")
    .replace(HARD_SPACE, " ")
    .replaceAll(SBV_BREAK, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function withoutTags(text: string): string {
  return text
    .replace(VOICE, (_tag, name: string) => ` ${name.trim()}: `)
    .replace(WORD_TIME, "")
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(TAG, "")
    .replace(OVERRIDE, "");
}

/** One pass, so that `&amp;lt;` becomes `&lt;`. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
