import { westernDigits } from "../../src/core/western-digits.ts";
import { evaluateConstant } from "../../tools/mathematics/evaluate-constant.ts";

/* Text with LaTeX and Unicode notations as plain text, in which numbers are read. */

/** Stands for an expression whose value cannot be read. */
export const UNREADABLE = "\uFFFD";

/** Braces with others in them, to a depth. */
const braces = (depth: number): string =>
  depth === 1 ? String.raw`\{[^{}]*\}` : String.raw`\{(?:[^{}]|${braces(depth - 1)})*\}`;
const GROUP = braces(4);
const ARGUMENT = String.raw`\s*(?:${GROUP}|\\pi\b|[\da-zA-Z])`;
const FIGURES = String.raw`(?:(?!0)\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)`;
const ROOT = String.raw`(?:\\sqrt(?:\s*\[[^\]]*\])?${ARGUMENT}|√\s*(?:${FIGURES}|\([^()]*\)|[a-zA-Z]))`;
const FRACTION = String.raw`\\(?:frac|binom)${ARGUMENT}${ARGUMENT}`;
const BRACKETS = String.raw`\((?:[-+−*/^\d.\s{}√π°]|e(?![a-z])|\\[a-zA-Z]+)+\)`;
const NAMED = String.raw`\\(?:ln|log|lg|arcsin|arccos|arctan|sin|cos|tan|exp)(?:\s*_${ARGUMENT})?(?:\s*\^${ARGUMENT})?\s*(?:${FRACTION}|${ROOT}|${GROUP}|${BRACKETS}|${FIGURES}°?|\\pi\b|[a-zA-Z])`;
/** The number e counts only as the base of a power: on its own it is a letter. */
const E = String.raw`(?<!\p{L}{2}|\\[a-zA-Z]{0,9})e(?=\s*\^)`;
const EXPONENT = String.raw`\s*\^\s*(?:${GROUP}|\([^()]*\)|[-+−]?(?:\d+(?:\.\d+)?|\.\d+)|\\pi\b|[a-zA-Zπ])`;
const OPERAND = String.raw`(?:${ROOT}|${FRACTION}|${NAMED}|\\pi\b|π|${E}|${FIGURES}|${BRACKETS})(?:${EXPONENT})?`;
const OPERATOR = String.raw`(?:\s*(?:[-+*/×·⋅÷−]|\\(?:times|cdot|div)\b)\s*|(?=\()|\s?(?![\d.(]))`;
const EXPRESSION = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}\])}])[-+−])?(?<![\d.,])${OPERAND}(?:${OPERATOR}${OPERAND})*`,
  "gu",
);
const DIVISOR = String.raw`(?:\d|\{\s*${FIGURES}\s*\})`;
/** Numbers, fractions and powers that need no evaluation. */
const PLAIN = new RegExp(
  String.raw`^(?:\\frac\s*\{\s*[-+−]${FIGURES}\s*\}\s*${DIVISOR}|[-+−]?(?:(?:\d+\s*)?\\frac\s*${DIVISOR}\s*${DIVISOR}|(?:${FIGURES}\s*(?:[*×·⋅]|\\(?:times|cdot)\b)\s*10|${FIGURES})\s*\^\s*(?:\{\s*[-+−]?\d{1,4}\s*\}|[-+−]?\d{1,4})))$`,
);
const NEEDS_VALUE = /[√π^]|\\[a-z]*(?:sqrt|frac|binom|pi|ln|log|lg|sin|cos|tan|exp)(?![a-z])/;
/** A letter next to an expression is a variable, as in `\pi r^2`, if it is none of the units m, g, s, h and l. */
const VARIABLE_BEFORE = /(?<![\p{L}])[a-z]$/iu;
const VARIABLE_AFTER = /^\s?(?![mgshl])[a-z](?![a-zA-Z])/;

/** Of several numbers the last counts: expressions before the last of these are not calculated. */
const EVALUATED = 50;

/**
 * Powers as `10^6`, fractions as `2/3`, roots and other constant expressions as their values, and digits of other scripts
 * as 0 to 9, with the Arabic decimal point `٫` and the groups `٬`.
 */
export function plainNumbers(text: string): string {
  const signs = withSigns(
    westernDigits(text)
      .replace(/(?<=\d)٫(?=\d)/g, ".")
      .replace(/(?<=\d)٬(?=\d{3})/g, ","),
  );
  const first = [...signs.matchAll(EXPRESSION)].at(-EVALUATED)?.index ?? 0;
  const spelt = withoutLatex(
    signs.replace(EXPRESSION, (expression, at) => {
      if (!NEEDS_VALUE.test(expression) || PLAIN.test(expression)) return expression;
      return ` ${(at < first ? null : valueAt(expression, at, signs)) ?? UNREADABLE} `;
    }),
  )
    .normalize("NFKC")
    .replace(/[⁄∕]/g, "/")
    .replace(/[‐-―−]/g, "-")
    .replace(/[×·⋅]/g, "*")
    .replace(/(?<=\d)\*\*(?=[-+]?\d)/g, "^")
    .replace(/\\[()[\]]/g, " ")
    .replace(/(?<=[a-z])(?=\p{Sc}\d)/giu, " ")
    .replace(/[\p{Sc}*_`](?=[-+]?[\d.])/gu, (mark) => (mark === "*" ? "*" : ""))
    .replace(/\*{2,}/g, " ")
    .replace(/\$/g, " ")
    .replace(/[ \t\u00a0]{2,}/g, " ");
  return withSpaces(spelt);
}

const MULTIPLES: Readonly<Record<string, string>> = {
  k: "thousand",
  m: "million",
  b: "billion",
  t: "trillion",
};
/** The `m` of `$5m` after a currency sign is no unit; that of the formula `$5m$` is one. */
const MULTIPLE =
  /(\p{Sc}\s?[\d.,]*\d)(?:(?<letter>[kKmMbB]|[mbt]n)|\s(?<apart>[KMB]|[mbt]n))(?![\p{L}\d^*/·⋅×])(?![^\n$]*\$(?!\d))/gu;

/**
 * Superscripts as powers, vulgar fractions apart from the number before them, feet and inches in words, and multiples of
 * amounts.
 */
function withSigns(text: string): string {
  return text
    .replace(MULTIPLE, (_, amount: string, letter?: string, apart?: string) => {
      return `${amount} ${MULTIPLES[(letter ?? apart ?? "").charAt(0).toLowerCase()]}`;
    })
    .replace(/[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (sign) => `^{${sign.normalize("NFKC").replace("−", "-")}}`)
    .replace(/(?<=\d)\s?(?=[¼-¾⅐-⅞])/g, " ")
    .replace(/([¼-¾⅐-⅞])(?=\d)/g, "$1 ")
    .replace(/(\d)\s?['′’]\s?(\d{1,2}(?:\.\d+)?)\s?(?:["″”]|'')/g, "$1 ft $2 in ")
    .replace(/\\[dtc]frac\b/g, "\\frac")
    .replace(/\\[dt]binom\b/g, "\\binom")
    .replace(/\\(?:left|right|displaystyle)(?![a-zA-Z])/g, "")
    .replace(/\^\s*(?:\\circ\b|\{\s*\\circ\s*\})/g, "°")
    .replace(/\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}/g, " $1 ")
    .replace(/(?<=\d)\s?\^\s*\{?\s*(st|nd|rd|th)\s*\}?/g, "$1")
    .replace(/\\(?:[,;!: ]|q?quad)/g, " ")
    .replace(/\\mu(?![a-zA-Z])\s*/g, "μ")
    .replace(/(?<=\d)\{,\}(?=\d)/g, ",")
    .replace(
      /\\frac\s*\{\s*([a-z]+(?:\s*\^\s*\{?\d\}?)?)\s*\}\s*\{\s*([a-z]{1,}(?:\s*\^\s*\{?\d\}?)?)\s*\}/gi,
      " $1/$2 ",
    );
}

/** The value of an expression at its place in a text, or null. */
function valueAt(expression: string, start: number, text: string): number | null {
  // Whether the root of `1/2√3` belongs to the divisor is not clear.
  const divided = expression.replace(/\\(?:times|cdot|div)\b/g, "*");
  const unclear = /\/\s*[\d.]+\s?(?:√|π|\\|\()/.test(divided);
  const variable =
    VARIABLE_BEFORE.test(text.slice(Math.max(0, start - 2), start)) ||
    VARIABLE_AFTER.test(text.slice(start + expression.length, start + expression.length + 3));
  const latex = expression
    .replace(/(?<=\d),(?=\d{3})/g, "")
    .replace(
      /√\s*(?:\(([^()]*)\)|([\d.]+|[a-zA-Z]))/g,
      (_, inner, one) => `\\sqrt{${inner ?? one}}`,
    )
    .replace(/π/g, "\\pi ")
    .replace(/°/g, "^{\\circ}")
    .replace(/[×*·⋅]/g, "\\times ")
    .replace(/÷/g, "\\div ")
    .replace(/−/g, "-")
    .replace(/\^\s*\(([^()]*)\)/g, "^{$1}")
    .replace(/\^\s*([-+]?[\d.]+)/g, "^{$1}");
  const value = unclear || variable ? null : evaluateConstant(latex);
  return value === null ? null : withoutNoise(value, latex);
}

/** The last bits of a cosine are noise: that of 90° is 0. */
function withoutNoise(value: number, latex: string): number {
  const isZero = /\\(?:sin|cos|tan)(?![a-z])/.test(latex) && Math.abs(value) < 1e-12;
  return isZero ? 0 : Number(value.toPrecision(15));
}

function withoutLatex(text: string): string {
  return text
    .replace(
      /\\frac\s*(?:\{\s*([^{}]*?)\s*\}|(\d))\s*(?:\{\s*([^{}]*?)\s*\}|(\d))/g,
      (_, a, b, c, d) => ` ${a ?? b}/${c ?? d} `,
    )
    .replace(
      /\\(?:sqrt|frac|binom|ln|log|lg|sin|cos|tan|exp|pi)(?![a-zA-Z])(?:\s*\{.*|\S*)/g,
      UNREADABLE,
    )
    .replace(/\\(?:times|cdot)(?![a-zA-Z])/g, "*")
    .replace(/_\s*\{[^{}]*\}/g, " ")
    .replace(
      /\^\s*\{\s*([^{}]*?)\s*\}(?=(\d)?)/g,
      (_, power, digit) => `^${power}${digit ? " " : ""}`,
    )
    .replace(/\\([%$])/g, "$1");
}

/** Spaces where a letter before figures is not the end of a name such as `CO2`: `1h30min`, `3x4`, `USD5`. */
function withSpaces(text: string): string {
  return text
    .replace(/(?<=\d)\s?x\s?(?=\d)/gi, " x ")
    .replace(/(\d)\s?h\s?([0-5]\d)(?![\d.,:]|\s?[a-z])/gi, "$1 h $2 min")
    .replace(/(?<=\d)(d|h|hrs?|min|ft)(?=\d+\s?[a-z])/gi, "$1 ")
    .replace(
      /(?<![\d.,])(\d{1,2})\s?m\s?(?=[0-5]?\d(?:\.\d+)?\s?s(?:ecs?|econds?)?(?![a-z]))/gi,
      "$1 min ",
    )
    .replace(/(?<=\dh\s?\d{1,2}\s?|\d h \d{1,2}\s?)m(?![a-z])/gi, "min")
    .replace(/\b(USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|Rs|RM)(?=[-+]?\d)/g, "$1 ");
}
