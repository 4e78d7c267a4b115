/*
 * Converts LaTeX, and other notations that people and models write, to the form that the engine parses.
 */

const SIGNS: readonly [RegExp, string][] = [
  // In LaTeX, a bare percent sign begins a comment.
  [/(?<!\\)%/g, "\\%"],
  [/²/g, "^2"],
  [/³/g, "^3"],
  [/⁴/g, "^4"],
  [/½/g, "\\frac{1}{2}"],
  [/[−–—]/g, "-"],
  [/[×✕]/g, "\\times "],
  [/[·∙⋅]/g, "\\cdot "],
  [/÷/g, "\\div "],
  [/(?<=\d)\s+[xX]\s+(?=[\d(])/g, "\\times "],
  [/π/g, "\\pi "],
  [/∞/g, "\\infty "],
  [/≤/g, "\\le "],
  [/≥/g, "\\ge "],
  [/≠/g, "\\ne "],
  [/√\s*\(([^()]*)\)/g, "\\sqrt{$1}"],
  [/√\s*(\d+(?:\.\d+)?|[A-Za-z])/g, "\\sqrt{$1}"],
  [/°/g, "^\\circ "],
  [/\\(?:d|t)frac\b/g, "\\frac"],
  [/\\(?:displaystyle|textstyle|limits|nolimits|,\s*$)/g, ""],
  [/\\(?:dfrac|tfrac|cfrac)\b/g, "\\frac"],
  [/\\(?:Big|big|Bigg|bigg)[lrm]?(?=[^a-zA-Z])/g, ""],
  [/\\(?:quad|qquad|!)/g, " "],
  [/~/g, " "],
  [/\^\{\\circ\}/g, "^\\circ "],
];

/** Converts `5 choose 2`, `nCr(5, 2)`, `_5C_2` and `Var(...)` to the engine's names. */
const NAMES: readonly [RegExp, string][] = [
  [/\\(?:operatorname|mathrm|text)\{n?[Cc]r?\}\s*\(([^(),]+),([^(),]+)\)/g, "\\binom{$1}{$2}"],
  [
    /(?:\\(?:operatorname|mathrm|text)\{n?Pr?\}|(?<![A-Za-z\\])n?Pr?)\s*\((\d+),\s*(\d+)\)/g,
    "\\frac{($1)!}{($1-$2)!}",
  ],
  [/(?<![A-Za-z\\])(?:nCr|C)\s*\((\d+),\s*(\d+)\)/g, "\\binom{$1}{$2}"],
  [/\{?\}?[_^]\{?(\d+)\}?\s*C\s*_\{?(\d+)\}?/g, "\\binom{$1}{$2}"],
  [/\{?\}?[_^]\{?(\d+)\}?\s*P\s*_\{?(\d+)\}?/g, "\\frac{($1)!}{($1-$2)!}"],
  ...(
    [
      ["mean|average|avg|Average", "Mean"],
      ["median", "Median"],
      ["mode", "Mode"],
      ["var|Var|variance", "Variance"],
      ["std|sd|stdev|Std|StDev", "StandardDeviation"],
      ["pvar|popvar", "PopulationVariance"],
      ["pstd|popstd", "PopulationStandardDeviation"],
      ["rank|Rank", "Rank"],
      ["eigenvalues", "Eigenvalues"],
      ["inverse|inv", "Inverse"],
      ["dot", "Dot"],
      ["cross", "Cross"],
      ["expand", "Expand"],
      ["factor", "Factor"],
      ["round", "Round"],
      ["convert", "UnitConvert"],
    ] as const
  ).map(([from, to]): [RegExp, string] => [
    new RegExp(`\\\\(?:operatorname|mathrm|text)\\{(?:${from})\\}`, "g"),
    `\\operatorname{${to}}`,
  ]),
];

const UNIT =
  "\\\\(?:mathrm|text|operatorname|rm)\\{\\s*([A-Za-zµ°%]+)\\s*\\}(?:\\^\\{?(-?\\d)\\}?)?";
const GAP = "(?:\\s|\\\\[,;:! ])*";
const PER_UNIT = new RegExp(`(\\d+(?:\\.\\d+)?)${GAP}${UNIT}${GAP}/${GAP}${UNIT}`, "g");
const TIMES_UNIT = new RegExp(`(\\d+(?:\\.\\d+)?)${GAP}${UNIT}(?:${GAP}|\\\\cdot )${UNIT}`, "g");
const RATE =
  /(\d+(?:\.\d+)?)(?:\s|\\[,;:! ])*\\(?:mathrm|text)\{\s*([A-Za-z]+\/[A-Za-z]+(?:\^?\d)?)\s*\}/g;

/** Normalises the notation without checking the meaning. */
export function normaliseLatex(given: string): string {
  let latex = given
    .trim()
    .replace(/^\$+|\$+$/g, "")
    .replace(/^\\[[(]|\\[\])]$/g, "");
  latex = latex.replace(/[.,;]\s*$/, "");
  for (const [sign, put] of [...SIGNS, ...NAMES]) latex = latex.replace(sign, put);
  latex = latex
    .replace(
      PER_UNIT,
      (_, n: string, a: string, i: string, b: string, j: string) =>
        `\\qty{${n}}{${power(a, i)}/${power(b, j)}}`,
    )
    .replace(TIMES_UNIT, (whole, n: string, a: string, i: string, b: string, j?: string) =>
      j?.startsWith("-") ? `\\qty{${n}}{${power(a, i)}/${power(b, j.slice(1))}}` : whole,
    )
    .replace(RATE, "\\qty{$1}{$2}");
  return withoutGrouping(latex).trim();
}

function power(unit: string, exponent: string | undefined): string {
  return exponent === undefined || exponent === "1" ? unit : `${unit}^${exponent}`;
}

/** A brace that holds the argument of a command, an exponent or an index, and not a list. */
const ARGUMENT_BRACE = /(?:\\(?!gcd|lcm|max|min)[A-Za-z]+|[}\]^_])\s*$/;

/** `1,234` is one number outside all brackets in which a list is possible. */
function withoutGrouping(latex: string): string {
  if (!/\d,\d{3}(?!\d)/.test(latex)) return latex;
  /** Whether a list is possible in each open bracket. */
  const open: boolean[] = [];
  let out = "";
  for (const [at, character] of [...latex].entries()) {
    if ("([{".includes(character)) open.push(character !== "{" || !ARGUMENT_BRACE.test(out));
    if (")]}".includes(character)) open.pop();
    const grouping =
      character === "," &&
      !open.includes(true) &&
      /\d$/.test(out) &&
      /^\d{3}(?!\d)/.test(latex.slice(at + 1));
    if (!grouping) out += character;
  }
  return out;
}

/** `\left. f \right|_{x=2}`: the expression to evaluate first, and the values to substitute then. */
export interface EvaluatedAt {
  latex: string;
  at: { name: string; value: string } | null;
}

export function splitEvaluatedAt(latex: string): EvaluatedAt {
  const [, inner, name, value] =
    /^\\left\.(.*)\\right\s*\|_\{\s*([A-Za-z])\s*=\s*([^{}]+(?:\{[^{}]*\}[^{}]*)*)\}$/s.exec(
      latex,
    ) ?? [];
  if (inner === undefined || name === undefined || value === undefined) return { latex, at: null };
  return { latex: inner, at: { name, value } };
}
