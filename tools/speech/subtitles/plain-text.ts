/*
 * Converts the markup of a cue to the text that a viewer reads. Only known tags are removed: in a lesson,
 * `3 < 5 and 7 > 2` and `{1, 2}` are text. No pattern scans past the next opening character, so that hostile text
 * costs no more than other text.
 */

const TAG_NAMES = "a|b|c|i|u|s|v|br|em|rt|tt|font|lang|ruby|span|strong|strike";
const TAG = new RegExp(String.raw`</?\s*(?:${TAG_NAMES})(?:[.\s/:][^<>]*)?>|</\s*>`, "gi");
const WORD_TIME = /<\d{1,4}:\d{2}(?::\d{2})?[.,]\d{1,3}>/g;
const VOICE = /<v(?:\.[^\s<>]*)?[ \t]+([^<>]+)>/g;
/** `{\an8}`, `{\pos(400,570)}`, and MicroDVD's `{y:i}`. */
const OVERRIDE = /\{\\[^{}]*\}|\{[a-zA-Z]:[^{}]*\}/g;
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
};
/** Control codes and zero-width marks, which are invisible and would break search. */
const UNREADABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\ufeff]/g;

/** Converts lines with markup to one line of text. A WebVTT voice becomes `Name: words`. */
export function plainText(lines: readonly string[]): string {
  const marked = lines.join("\n");
  const words = marked.includes("<") || marked.includes("{") ? withoutTags(marked) : marked;
  return decodeEntities(words)
    .replace(UNREADABLE, "")
    .replace(/\\h/g, " ")
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
