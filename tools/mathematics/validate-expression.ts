import { Failure, oneLine } from "../../src/core/errors.ts";

/*
 * Validates what may be calculated. The size of text is limited before parsing, and parsed expressions may use only the
 * operators named here, so that nothing assigns, draws random numbers, loops, looks up or defines.
 */

export const LONGEST_EXPRESSION = 2000;
export const DEEPEST_BRACKETS = 40;
const MOST_PARTS = 3000;
const DEEPEST_TREE = 80;
const LONGEST_NUMBER = 400;

const ALLOWED = new Set(
  (
    "Add Subtract Negate Multiply Divide Rational Power Root Sqrt Square Cube Abs Sign Floor Ceil Round Truncate Mod " +
    "GCD LCM Max Min Factorial Factorial2 Binomial Choose Permutations Fibonacci Exp Ln Log Lb Lg Sin Cos Tan Cot Sec " +
    "Csc Arcsin Arccos Arctan Arctan2 Arccot Arcsec Arccsc Sinh Cosh Tanh Coth Arsinh Arcosh Artanh Degrees Gamma " +
    "GammaLn Beta Erf Erfc Zeta Sum Product Limits Limit D Derivative Integrate NIntegrate NLimit Function Block " +
    "Complex Real Imaginary Conjugate Argument Norm List Set Tuple Pair Triple Single Sequence Delimiter Range Matrix " +
    "Vector Determinant Transpose Inverse Trace Rank Eigenvalues Eigenvectors Dot Cross MatrixMultiply MatrixPower " +
    "IdentityMatrix ConjugateTranspose Kronecker Mean Median Mode Variance PopulationVariance StandardDeviation " +
    "PopulationStandardDeviation GeometricMean HarmonicMean Quantile Quartiles InterquartileRange Kurtosis Skewness " +
    "Covariance Correlation Length Quantity UnitConvert Measurement Equal NotEqual Less LessEqual Greater " +
    "GreaterEqual And Or Not Simplify Expand ExpandAll Factor Together Apart N Evaluate IsPrime NthPrime Totient " +
    "DivisorSigma Digits Half Hold Parentheses PlusMinus Element Interval Divides LinearRegression Total " +
    "InvisibleOperator FresnelS FresnelC PrimeFactors FactorInteger Quotient Remainder Congruent IdenticallyEqual Open Closed"
  ).split(" "),
);

/** Commands whose arguments are digits without braces: `\frac 1 2`, `\binom 5 2`, and the base of `\log_2 8`. */
const ARGUMENT_DIGITS = /\\(?:[cdt]?frac|[dt]?binom)\s*\d\s*\d|\\log\s*_\s*\d(?!\d)/g;

/** Throws `Failure` `mathematics` for text that is empty, too long, too deeply nested, or assigns a value. */
export function validateText(latex: string): void {
  if (latex.trim() === "") throw refused("an expression", "got nothing");
  if (latex.length > LONGEST_EXPRESSION)
    throw refused(
      `an expression of at most ${LONGEST_EXPRESSION} characters`,
      `got ${latex.length}`,
    );
  let depth = 0;
  for (const character of latex) {
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (depth > DEEPEST_BRACKETS)
      throw refused(`at most ${DEEPEST_BRACKETS} brackets in each other`, "got more");
  }
  if (/:=|\\coloneq|\\gets|\\leftarrow/.test(latex))
    throw refused("an expression to calculate", "got one that gives a name a value");
  const spaced = latex.replace(ARGUMENT_DIGITS, " ");
  if (/\d[ \t]+\d/.test(spaced) && !/\d[ \t]+\d{3}(?!\d)/.test(spaced))
    throw refused("signs between numbers", `got ${quoted(latex)}`);
  const digits = /\d{401,}/.exec(latex);
  if (digits !== null)
    throw refused(`numbers of at most ${LONGEST_NUMBER} digits`, `got one of ${digits[0].length}`);
}

/** Throws `Failure` `mathematics` for MathJSON with too many nodes or with an operator that is not allowed. */
export function validateTree(json: unknown, latex: string): void {
  let parts = 0;
  const visit = (node: unknown, depth: number): void => {
    parts++;
    if (parts > MOST_PARTS || depth > DEEPEST_TREE)
      throw refused(`an expression of at most ${MOST_PARTS} parts`, "got more");
    if (typeof node === "object" && node !== null && !Array.isArray(node)) {
      if (!("num" in node) && !("sym" in node) && !("str" in node))
        throw refused("an expression", `could not read ${quoted(latex)}`);
      return;
    }
    if (!Array.isArray(node)) return;
    const [head, ...operands] = node as unknown[];
    if (head === "Error")
      throw refused("an expression in LaTeX", `could not read ${quoted(latex)}`);
    if (typeof head !== "string" || !ALLOWED.has(head))
      throw refused(
        "operations of calculation alone",
        `got ${quoted(typeof head === "string" ? head : latex)}`,
      );
    validateSize(head, operands);
    for (const operand of operands) visit(operand, depth + 1);
  };
  visit(json, 0);
}

const LARGEST_FACTORIAL = 5000;
const MOST_TERMS = 1e6;

/** Rejects expressions that would certainly run too long. The time limit catches all others. */
function validateSize(head: string, operands: readonly unknown[]): void {
  const [first, from, to] = operands;
  if (head.startsWith("Factorial") && typeof first === "number" && first > LARGEST_FACTORIAL)
    throw refused(`a factorial of at most ${LARGEST_FACTORIAL}`, `got one of ${first}`);
  if (
    head === "Limits" &&
    typeof from === "number" &&
    typeof to === "number" &&
    to - from > MOST_TERMS
  )
    throw refused(`at most ${MOST_TERMS.toLocaleString("en")} terms`, "got more");
}

/** Makes a failure of one sentence: what was expected, and what was given. */
export function refused(expected: string, came: string): Failure {
  return new Failure("mathematics", `Expected ${expected}, ${came}.`);
}

export function quoted(text: string): string {
  return JSON.stringify(oneLine(text, 80));
}
