/** An event of the video, by the words of a question, beside which something is asked for. */
export interface TimeAnchor {
  /** As they stand in the question. */
  words: string;
  /** Where in the question they begin. */
  index: number;
  /** What is to be searched for: `she leaves`. */
  phrase: string;
  /** Where, seen from the event, the answer lies. */
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
/** `When did`, `Since when`, `once again`: words that ask or tell of no event. */
const NO_EVENT =
  "(?!\\s+(?:does|do|did|is|was|are|were|will|would|can|could|has|have|had|should|when|again|more|and)\\b)";
const LONGEST_WORDS = 14;

/** The events in what is left of a question, `read` standing for what was read as a time already. */
export function eventWords(text: string, read: string): TimeAnchor[] {
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

/** A phrase ends where the sentence goes on, at a quotation's or bracket's end, and is not endless. */
function trimmed(text: string): string {
  const own =
    text.split(/\s+(?:and |but |or )?(?:then|what|who|which|how|where|why)\b|[)\]"”]/i)[0] ?? "";
  const words = own
    .replace(/\s+(?:and|but|or)\s*$/i, "")
    .trim()
    .split(/\s+/);
  return words.slice(0, LONGEST_WORDS).join(" ");
}
