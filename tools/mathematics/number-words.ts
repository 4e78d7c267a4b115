/*
 * Parses numbers in words and figures: "one hundred and five", "three point two", "half", `1,234.5`, `2/3`.
 */

/** A number and the words that express it. */
export interface SpokenNumber {
  value: number;
  words: string;
}

const SMALL = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value) => [word, value]),
);
const TENS = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety"
    .split(" ")
    .map((word, place) => [word, (place + 2) * 10]),
);
const LARGE = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
]);
/** Other words that express a number. */
const WORDS = new Map([
  ["half", 0.5],
  ["quarter", 0.25],
  ["quarters", 0.25],
  ["once", 1],
  ["twice", 2],
  ["double", 2],
  ["doubled", 2],
  ["pair", 2],
  ["squared", 2],
  ["square", 2],
  ["cubed", 3],
  ["cube", 3],
  ["thrice", 3],
  ["triple", 3],
  ["dozen", 12],
]);
const ORDINALS = new Map(
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
    .split(" ")
    .map((word, place) => [word, place + 1]),
);
const ORDINAL_TENS = new Map(
  [...TENS].map(([word, value]) => [word.replace(/y$/, "ieth"), value] as const),
);

/** Returns every number of a text, in order. A fraction also returns its parts. */
export function numbersSaid(text: string): SpokenNumber[] {
  const found: SpokenNumber[] = [];
  const tokens = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replace(/([a-z])-([a-z])/g, "$1 $2")
    .match(/\d+(?:\.\d+)?|\.\d+|[a-z]+|[^\sa-z\d]/g);
  const words = tokens ?? [];
  for (let at = 0; at < words.length; ) {
    const { value, length } = numberAt(words, at);
    if (value !== null) found.push({ value, words: words.slice(at, at + length).join(" ") });
    at += Math.max(1, length);
  }
  return found;
}

function numberAt(words: readonly string[], at: number): { value: number | null; length: number } {
  const word = words[at] ?? "";
  const number = ordinalAt(words, at) ?? cardinalAt(words, at);
  if (number !== null) return number;
  const other = WORDS.get(word) ?? ORDINALS.get(word.replace(/s$/, ""));
  return { value: other ?? null, length: 1 };
}

/** A number and how many words express it. */
interface NumberSpan {
  value: number;
  length: number;
}

/**
 * The cardinal number that begins at a word: `12`, `two hundred and five`, `8 hundred`, `2.5 million`, `a thousand`,
 * `three point two`; null for all else. Words are in lower case, without hyphens.
 */
export function cardinalAt(words: readonly string[], at: number): NumberSpan | null {
  const word = words[at] ?? "";
  const figures = /^[\d.]*\d$/.test(word);
  if (figures && !LARGE.has(words[at + 1] ?? "")) return { value: Number(word), length: 1 };
  const spelt = speltAt(words, at);
  return spelt.length > 0 ? withDecimals(words, at, spelt) : null;
}

/** The ordinal number that begins at a word: `third`, `twenty first`, `21st`, `hundredth`; null for all else. */
export function ordinalAt(words: readonly string[], at: number): NumberSpan | null {
  const word = words[at] ?? "";
  const figures = /^(\d+)(?:st|nd|rd|th)$/.exec(word)?.[1];
  if (figures !== undefined) return { value: Number(figures), length: 1 };
  const ten = TENS.get(word);
  const after = ORDINALS.get(words[at + 1] ?? "");
  if (ten !== undefined && after !== undefined && after < 10)
    return { value: ten + after, length: 2 };
  const value =
    ORDINALS.get(word) ?? ORDINAL_TENS.get(word) ?? (word === "hundredth" ? 100 : undefined);
  return value === undefined ? null : { value, length: 1 };
}

/** Parses `two hundred and five`. The length is 0 without a number in words. */
function speltAt(words: readonly string[], start: number): NumberSpan {
  let [sum, group, at, ended] = [0, 0, start, start];
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    const before = at === start ? undefined : words[at - 1];
    const [small, ten, large] = [smallAt(words, at, start), TENS.get(word), LARGE.get(word)];
    if (small !== undefined) {
      const follows =
        before === undefined ||
        before === "and" ||
        LARGE.has(before) ||
        (TENS.has(before) && small > 0 && small < 10);
      if (!follows || (before !== undefined && group % 10 > 0)) break;
      group += small;
    } else if (ten !== undefined) {
      if (before !== undefined && before !== "and" && !LARGE.has(before)) break;
      group += ten;
    } else if (large !== undefined && (group > 0 || before === undefined)) {
      if (before === undefined) break;
      if (large === 100) group *= 100;
      else [sum, group] = [sum + group * large, 0];
    } else if (word === "and" && before !== undefined && LARGE.has(before)) continue;
    else break;
    ended = at + 1;
  }
  return { value: sum + group, length: ended - start };
}

/** A number below 20 in words; a number in figures, or `a`, before `hundred`, `thousand` ...; the 40 of `2 thousand 40`. */
function smallAt(words: readonly string[], at: number, start: number): number | undefined {
  const word = words[at] ?? "";
  const figures = /^[\d.]*\d$/.test(word) ? Number(word) : undefined;
  if (!LARGE.has(words[at + 1] ?? "")) {
    if (figures === undefined) return SMALL.get(word);
    const above = LARGE.get(
      words[at - 1] === "and" ? (words[at - 2] ?? "") : (words[at - 1] ?? ""),
    );
    return at > start && above !== undefined && figures < above ? figures : undefined;
  }
  if (figures !== undefined) return figures;
  return SMALL.get(word) ?? (word === "a" && at === start ? 1 : undefined);
}

/** `three point one four`. */
function withDecimals(
  words: readonly string[],
  at: number,
  { value, length }: NumberSpan,
): NumberSpan {
  if (words[at + length] !== "point") return { value, length };
  let digits = "";
  let end = at + length + 1;
  for (; end < words.length; end++) {
    const digit = SMALL.get(words[end] ?? "");
    if (digit === undefined || digit > 9) break;
    digits += digit;
  }
  return digits === ""
    ? { value, length }
    : { value: Number(`${value}.${digits}`), length: end - at };
}

/** The numbers of an expression in LaTeX, without those in names and commands. */
export function figuresOf(latex: string): number[] {
  const bare = latex
    .replace(/_(?:\{[^}]*\}|\w)/g, " ")
    .replace(/(\d)(?:\{,\}|,)(?=\d{3}(?!\d))/g, "$1")
    .replace(/\\[A-Za-z]+/g, " ");
  return (bare.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}
