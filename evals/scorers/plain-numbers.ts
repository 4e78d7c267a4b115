import { evaluateConstant } from "../../tools/mathematics/evaluate-constant.ts";

/* Text with LaTeX and Unicode notations as plain text, in which numbers are read. */

/** Stands for an expression whose value cannot be read. */
export const UNREADABLE = "\uFFFD";

/** Braces with others in them, to a depth. */
const braces = (depth: number): string =>
  depth === 1 ? String.raw`\{[^{}]*\}` : String.raw`\{(?:[^{}]|${braces(depth - 1)})*\}`;
const GROUP = braces(4);
const ARGUMENT = String.raw`\s*(?:${GROUP}|\\pi\b|[\da-zA-Z])`;
const FIGURES = String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)`;
const ROOT = String.raw`(?:\\sqrt(?:\s*\[[^\]]*\])?${ARGUMENT}|√\s*(?:${FIGURES}|\([^()]*\)|[a-zA-Z]))`;
const FRACTION = String.raw`\\(?:frac|binom)${ARGUMENT}${ARGUMENT}`;
const BRACKETS = String.raw`\((?:[-+*/^\d.\s{}√π]|\\[a-zA-Z]+)+\)`;
const NAMED = String.raw`\\(?:ln|log|lg|arcsin|arccos|arctan|sin|cos|tan|exp)(?:\s*_${ARGUMENT})?(?:\s*\^${ARGUMENT})?\s*(?:${FRACTION}|${ROOT}|${GROUP}|${BRACKETS}|${FIGURES}°?|\\pi\b|[a-zA-Z])`;
const OPERAND = String.raw`(?:${ROOT}|${FRACTION}|${NAMED}|\\pi\b|π|${FIGURES}|${BRACKETS})(?:\s*\^\s*(?:${GROUP}|[-+]?\d+|[a-zA-Z]))?`;
const OPERATOR = String.raw`(?:\s*(?:[-+*/×·⋅÷−]|\\(?:times|cdot|div)\b)\s*|(?=\()|\s?(?![\d.(]))`;
const EXPRESSION = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}\])}])[-+−])?(?<![\d.,])${OPERAND}(?:${OPERATOR}${OPERAND})*`,
  "gu",
);
/** Numbers, fractions and powers that need no evaluation. */
const PLAIN = new RegExp(
  String.raw`^[-+−]?(?:(?:\d+\s*)?\\frac\s*(?:\d|\{\s*[-+−]?${FIGURES}\s*\})\s*(?:\d|\{\s*${FIGURES}\s*\})|(?:${FIGURES}\s*(?:[*×·⋅]|\\(?:times|cdot)\b)\s*10|${FIGURES})\s*\^\s*(?:\{\s*[-+−]?\d{1,4}\s*\}|[-+−]?\d{1,4}))$`,
);
const NEEDS_VALUE = /[√π^]|\\[a-z]*(?:sqrt|frac|binom|pi|ln|log|lg|sin|cos|tan|exp)(?![a-z])/;
/** A letter next to an expression is a variable, as in `\pi r^2`, if it is none of the units m, g, s, h and l. */
const VARIABLE_BEFORE = /(?<![\p{L}])[a-z]$/iu;
const VARIABLE_AFTER = /^\s?(?![mgshl])[a-z](?![a-zA-Z])/;

/** Powers as `10^6`, fractions as `2/3`, roots and other constant expressions as their values. */
export function plainNumbers(text: string): string {
  const spelt = withoutLatex(withSigns(text).replace(EXPRESSION, evaluated))
    .normalize("NFKC")
    .replace(/[⁄∕]/g, "/")
    .replace(/[‐-―−]/g, "-")
    .replace(/[×·⋅]/g, "*")
    .replace(/(?<=\d)\*\*(?=[-+]?\d)/g, "^")
    .replace(/\\[()[\]]/g, " ")
    .replace(/(?<=[a-z])(?=[$€£¥]\d)/gi, " ")
    .replace(/[$€£¥*_`](?=[-+]?[\d.])/g, (mark) => (mark === "*" ? "*" : ""))
    .replace(/\*{2,}/g, " ")
    .replace(/\$/g, " ")
    .replace(/[ \t\u00a0]{2,}/g, " ");
  return withSpaces(spelt);
}

/** Superscripts as powers, vulgar fractions apart from the number before them, feet and inches in words. */
function withSigns(text: string): string {
  return text
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
    .replace(/(?<=\d)\{,\}(?=\d)/g, ",")
    .replace(
      /\\frac\s*\{\s*([a-z]+(?:\s*\^\s*\{?\d\}?)?)\s*\}\s*\{\s*([a-z]{1,}(?:\s*\^\s*\{?\d\}?)?)\s*\}/gi,
      " $1/$2 ",
    );
}

function evaluated(expression: string, start: number, text: string): string {
  if (!NEEDS_VALUE.test(expression) || PLAIN.test(expression)) return expression;
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
    .replace(/−/g, "-");
  const value = unclear || variable ? null : evaluateConstant(latex);
  return ` ${value ?? UNREADABLE} `;
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
    .replace(/(?<=\d)m(?=\d{1,2}\s?s(?![a-z]))/gi, "m ")
    .replace(/\b(USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|Rs|RM)(?=[-+]?\d)/g, "$1 ");
}
