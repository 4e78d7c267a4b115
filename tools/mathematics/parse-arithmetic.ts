/*
 * Parses simple mathematics as written on a board or spoken: numbers, one unknown, + - * / ^ and brackets. Everything
 * else is rejected, so that no input can keep the engine busy, which cannot be interrupted while it calculates.
 */

/** Tokens with all multiplications explicit. `unknown` is one letter, or null for plain arithmetic. */
export interface Expression {
  tokens: readonly string[];
  unknown: string | null;
}

export interface Equation {
  left: Expression;
  right: Expression;
  unknown: string | null;
}

const LONGEST = 80;
/** Powers of powers have too many digits to compute. */
const MOST_POWERS = 3;
const TOKEN = /\d{1,12}(?:\.\d{1,12})?|[A-Za-z](?![A-Za-z])|[-+*/^()]/y;

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SPOKEN: readonly [RegExp, string][] = [
  [/\b(?:is equal to|equals?)\b/g, "="],
  [/\b(?:multiplied by|times)\b/g, "*"],
  [/\bdivided by\b/g, "/"],
  [/\bplus\b/g, "+"],
  [/\bminus\b/g, "-"],
];

/** Normalises `12 x 4`, `three plus four` and `7 − 2` to one notation. */
export function normalise(text: string): string {
  let plain = text.replace(/²/g, "^2").replace(/³/g, "^3").normalize("NFKC");
  plain = plain
    .replace(/[−–—]/g, "-")
    .replace(/[×·∙⋅✕]/g, "*")
    .replace(/÷/g, "/")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replace(/(?<=\d)\s*[xX]\s*(?=\d)/g, "*")
    .replace(/\^\{(\d)\}/g, "^$1");
  for (const [words, sign] of SPOKEN) plain = plain.replace(words, sign);
  return plain.replace(/\b[a-z]+(?:-[a-z]+)?\b/gi, (word) => numberOf(word) ?? word);
}

/** `twelve`, `thirty-one`; undefined for other words. */
function numberOf(word: string): string | undefined {
  const [first = "", second] = word.toLowerCase().split("-");
  const ten = TENS.indexOf(first);
  const small = SMALL.indexOf(second ?? first);
  if (second === undefined) {
    if (small >= 0) return String(small);
    return ten >= 0 ? String((ten + 2) * 10) : undefined;
  }
  return ten >= 0 && small > 0 && small < 10 ? String((ten + 2) * 10 + small) : undefined;
}

/** The letter that replaces a gap on a board: `12 x 4 = ?`. */
export const OPEN = "Q";

/** Parses a whole line as one equation in at most one unknown; null if it is not one. A gap is the unknown `OPEN`. */
export function readEquation(line: string): Equation | null {
  const sides = normalise(line.replace(/(?:\?|□|_{2,}|\.{3}|…)(?=\s*(?:$|[-+*/=)]))/g, ` ${OPEN} `))
    .replace(/(?<=\d)\s*(?:°|º)/g, "")
    .replace(/^[A-Za-z ]{3,}:\s*/, "")
    .replace(/[.,;]\s*$/, "")
    .split("=");
  const [left, right] = sides.map(readExpression);
  if (sides.length !== 2 || left == null || right == null) return null;
  const unknowns = new Set([left.unknown, right.unknown].filter((letter) => letter !== null));
  if (unknowns.size > 1) return null;
  return { left, right, unknown: [...unknowns][0] ?? null };
}

/** Arithmetic in a sentence, and the words after it: `12 x 4` and `eggs a week` in "we buy 12 x 4 eggs a week". */
export interface StatedArithmetic {
  expression: Expression;
  after: string;
}

export function findArithmetic(text: string): StatedArithmetic[] {
  const plain = normalise(text);
  const runs = plain.matchAll(/(?<![\w.])[(\d][\d.+\-*/^() ]*[)\d](?![\w]|\.\d)/g);
  return [...runs].flatMap(({ 0: run, index }) => {
    const expression = /\d\s*[-+*/^]\s*[\d(]/.test(run) ? readExpression(run) : null;
    return expression === null ? [] : [{ expression, after: plain.slice(index + run.length) }];
  });
}

/** Parses numbers, one unknown and operators. Returns null for anything else, or for an ambiguous division. */
export function readExpression(text: string): Expression | null {
  const tokens: string[] = [];
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > LONGEST) return null;
  let at = 0;
  while (at < trimmed.length) {
    if (trimmed[at] === " ") {
      at++;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(trimmed)?.[0];
    if (token === undefined) return null;
    const before = tokens.at(-1) ?? "";
    if (isOperand(before, "end") && isOperand(token, "start")) {
      // Two adjacent numbers are a list or a misread operator. After a division the divisor would be ambiguous.
      if (/^\d/.test(token) || tokens.at(-2) === "/") return null;
      tokens.push("*");
    }
    if (before === "^" && !/^\d$/.test(token)) return null;
    tokens.push(token);
    at += token.length;
  }
  const letters = new Set(tokens.filter((token) => /^[A-Za-z]$/.test(token)));
  if (letters.size > 1 || !isBalanced(tokens)) return null;
  if (tokens.filter((token) => token === "^").length > MOST_POWERS) return null;
  return { tokens, unknown: [...letters][0] ?? null };
}

function isOperand(token: string, side: "start" | "end"): boolean {
  return /^[\dA-Za-z]/.test(token) || token === (side === "start" ? "(" : ")");
}

/** Whether brackets are balanced and each operator has operands. A leading minus is allowed. */
function isBalanced(tokens: readonly string[]): boolean {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1] ?? "(";
    if (token === "(") depth++;
    if (token === ")" && (--depth < 0 || !isOperand(before, "end"))) return false;
    const sign = /^[-+*/^]$/.test(token);
    if (sign && !isOperand(before, "end") && !(token === "-" && before === "(")) return false;
  }
  return depth === 0 && isOperand(tokens.at(-1) ?? "", "end");
}

/** Formats an expression for people: `2x + 3`. */
export function written({ tokens }: Expression): string {
  return tokens
    .map((token, index) => {
      const [before = "", after = ""] = [tokens[index - 1], tokens[index + 1]];
      // `xx` would be another name, and `1/9x` may be read as 1/(9x).
      const joins = /^[a-z]/i.test(before) && /^[a-z]/i.test(after);
      const isDivided = tokens.slice(0, index).includes("/");
      const implied = token === "*" && !/^\d/.test(after) && !joins && !isDivided;
      if (implied) return "";
      return /^[+*/]$/.test(token) || (token === "-" && index > 0) ? ` ${token} ` : token;
    })
    .join("")
    .replaceAll("*", "×");
}
