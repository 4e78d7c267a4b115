/** `[E2]`, `[E2, E5]`, `[E2-E5]`. Names in other brackets may come from a text that a prompt quotes. */
const GROUP = /(?<not>\bnot (?:in |from |by )?)?\[(?<words>[^\][]*)\]/gi;
/** The end of a range may lack its `E`; a time after a dash (`E3 - 12 s`) does not end a range. */
const NAME =
  /\bE(\d+)(?:\s*[-–]\s*(?:E(\d+)|(\d+)(?![\d.:]|\s*(?:s|secs?|seconds?|min|minutes?)\b)))?\b/gi;
/** A longer range is none. */
const LONGEST_RANGE = 50;

/** The items a reply names, in order of first mention, without those it sets aside (`not [E2]`); `known` are those that exist. */
export function parseCitations(
  text: string,
  known: { has(name: string): boolean },
): { cited: string[]; unknown: string[] } {
  const names = [...text.matchAll(GROUP)].flatMap(({ groups = {} }) =>
    groups.not === undefined ? namesIn(groups.words ?? "") : [],
  );
  const distinct = [...new Set(names)];
  return {
    cited: distinct.filter((name) => known.has(name)),
    unknown: distinct.filter((name) => !known.has(name)),
  };
}

function namesIn(words: string): string[] {
  return [...words.matchAll(NAME)].flatMap(([, first = "", named, bare]) => {
    const [from, to] = [Number(first), Number(named ?? bare ?? first)];
    const count = to - from + 1;
    return count < 1 || count > LONGEST_RANGE
      ? [from, to].map((number) => `E${number}`)
      : Array.from({ length: count }, (_, place) => `E${from + place}`);
  });
}

/** The words of an answer without the names of what it cites. */
export function withoutCitations(text: string): string {
  return text
    .replace(/(?<!\s)\s*\[\s*E\d+(?:(?:\s*[,;–-])?\s*(?:and\s+)?E?\d+)*\s*\]/gi, "")
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .trim();
}
