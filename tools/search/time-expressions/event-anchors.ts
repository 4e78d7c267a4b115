/** An event of the video that a question refers to. */
export interface TimeAnchor {
  /** The words of the question. */
  words: string;
  /** Index in the question at which they begin. */
  index: number;
  /** The search query: `she leaves`. */
  phrase: string;
  /** Position of the answer relative to the event. */
  direction: "before" | "after" | "at";
}

const DIRECTIONS: Record<string, TimeAnchor["direction"]> = {
  before: "before",
  until: "before",
  till: "before",
  "prior to": "before",
  after: "after",
  once: "after",
  "as soon as": "after",
  since: "after",
  when: "at",
  while: "at",
  whilst: "at",
  during: "at",
};

const LINK = `(?:${Object.keys(DIRECTIONS).join("|")})`;
/** `When did`, `Since when`, `once again`: expressions without an event. */
const NO_EVENT =
  "(?!\\s+(?:does|do|did|is|was|are|were|will|would|can|could|has|have|had|should|when|again|more|and)\\b)";
const LONGEST_WORDS = 14;

/** Returns the events in the rest of a question. `read` replaces text that was already matched as a time. */
export function eventAnchors(text: string, read: string): TimeAnchor[] {
  const links = new RegExp(
    `\\b(${LINK})\\b${NO_EVENT}\\s+((?:(?!\\s+${LINK}\\b)[^?.!,;:${read}])+)`,
    "gi",
  );
  return [...text.matchAll(links)].flatMap((match) => {
    const [whole, link = "", rest = ""] = match;
    const phrase = trimmed(rest);
    if (!/\p{L}{2}/u.test(phrase)) return [];
    const length = whole.length - rest.length + phrase.length;
    const direction = DIRECTIONS[link.toLowerCase()] ?? "at";
    return [{ words: whole.slice(0, length), index: match.index, phrase, direction }];
  });
}

/** A phrase ends where the sentence continues, at the end of a quotation or bracket, and at a maximum length. */
function trimmed(text: string): string {
  const own =
    text.split(/\s+(?:and |but |or )?(?:then|what|who|which|how|where|why)\b|[)\]"”]/i)[0] ?? "";
  const words = own
    .replace(/\s+(?:and|but|or)\s*$/i, "")
    .trim()
    .split(/\s+/);
  return words.slice(0, LONGEST_WORDS).join(" ");
}
