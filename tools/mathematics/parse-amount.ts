import { numbersSaid } from "./number-words.ts";
import { unitNamed } from "./units.ts";

/** A number, with or without a unit: `5 million dollars`, `-1 1/2`, `9.8 m/s^2`, `16 \pi cm`. */
export interface Amount {
  /** The number without its unit, as LaTeX. */
  latex: string;
  /** Whether the unit could also be a product of variables, as in `5 mg`. */
  isAmbiguous: boolean;
}

const NUMBER = /^-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s*\/\s*\d+)?/;
const MIXED = /^(-?)(\d+)\s+(\d+)\s*\/\s*(\d+)/;
const SCALES: Readonly<Record<string, string>> = {
  dozen: "12",
  hundred: "100",
  thousand: "1000",
  million: "1000000",
  billion: "1000000000",
  trillion: "1000000000000",
};
const SCALE = new RegExp(`^\\s*(${Object.keys(SCALES).join("|")})s?\\b`, "i");
const PI = /^\s*\\pi(?![A-Za-z])/;

/** Letters that are units. All others are variables. */
const UNIT_LETTERS = new Set("msghlLJNVAWCFKΩ");
/** Units and other words of two letters after a number that `unitNamed` does not know. */
const SHORT_UNITS = new Set(["in", "mi", "pt", "qt", "ev", "db", "wb", "nm", "am", "pm"]);
/** Words between units and before them. */
const LINKS = new Set("a an as at by of on us sq cu square cubic".split(" "));
/** Words that name a function, a variable, an operation or a fraction, and not what is counted. */
const SYMBOLS = new Set(
  (
    "sin cos tan cot sec csc log exp sqrt root arcsin arccos arctan sinh cosh tanh lim mod alpha beta gamma delta " +
    "epsilon theta lambda sigma phi omega rho tau and plus minus over halves hundredths thousandth thousandths"
  ).split(" "),
);

/** Returns the amount that a text consists of; null if anything but a unit follows the number, such as a variable. */
export function parseAmount(text: string): Amount | null {
  const mixed = MIXED.exec(text);
  const [number] = mixed ?? NUMBER.exec(text) ?? [];
  if (number === undefined) return null;
  const factors: string[] = [];
  let rest = text.slice(number.length).replace(/^(?:st|nd|rd|th)\b/, "");
  for (let scale = SCALE.exec(rest); scale !== null; scale = SCALE.exec(rest)) {
    factors.push(SCALES[(scale[1] ?? "").toLowerCase()] ?? "1");
    rest = rest.slice(scale[0].length);
  }
  if (PI.test(rest)) factors.push("\\pi");
  const words = unitWords(rest.replace(PI, ""));
  if (words === null) return null;
  const [, sign = "", whole, top, below] = mixed ?? [];
  const latex =
    mixed === null
      ? number.replace(/,(?=\d{3})/g, "")
      : `${sign}${whole}${sign || "+"}\\frac{${top}}{${below}}`;
  return {
    latex: factors.length === 0 ? latex : [`(${latex})`, ...factors].join("\\cdot "),
    isAmbiguous: words.length > 0 && words.every((word) => /^[A-Za-z]{1,2}$/.test(word)),
  };
}

/** The words of the unit that a text consists of, empty for an empty text; null if it is not a unit. */
function unitWords(text: string): string[] | null {
  // `5m` is a product, but `5 m` may be a length.
  if (/^[a-z]$/.test(text)) return null;
  const plain = text
    .replace(/\^\{?\\circ\}?\s*/g, "°")
    .replace(/(?<=[A-Za-z])\./g, "")
    .replace(/^\s*\/\s*(?=[A-Za-z]{3})/, " ")
    .trimEnd();
  if (plain === "") return [];
  const words: string[] = [];
  let units = 0;
  for (const token of plain.trimStart().split(/\s*[/·]\s*|\s+/)) {
    const [, word = "", power] =
      /^(°?[A-Za-zµΩ]*|[€£$¢])(\^?\{?-?[123]\}?|[²³])?$/.exec(token) ?? [];
    const isLink = power === undefined && LINKS.has(word.toLowerCase());
    const isUnit = !isLink && isUnitWord(word, words.length > 0 || /^\s/.test(plain));
    if (!isLink && !isUnit) return null;
    if (isUnit) units++;
    words.push(word);
  }
  return units > 0 ? words : null;
}

/** `isApart`: whether the word does not follow the number directly, as `abc` does in the product `3abc`. */
function isUnitWord(word: string, isApart: boolean): boolean {
  if (/^[A-Za-zΩ]$/.test(word)) return UNIT_LETTERS.has(word);
  const name = word.toLowerCase();
  if (unitNamed(name) !== null) return true;
  if (!isApart || !/^[a-z]{2,}$/.test(name)) return false;
  return name.length > 2
    ? !SYMBOLS.has(name) && numbersSaid(name).length === 0
    : SHORT_UNITS.has(name);
}
