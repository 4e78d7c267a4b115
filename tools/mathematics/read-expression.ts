import { type ComputeEngine, type Expression, isFunction } from "@cortex-js/compute-engine";
import { type Bindings, renameTaken, symbolOf, type Value } from "./engine-tasks.ts";
import { normaliseLatex, splitEvaluatedAt } from "./normalise-latex.ts";
import { quoted, refused, validateText, validateTree } from "./validate-expression.ts";

/** Points at which expressions with names are compared. None of them is a special value. */
export const POINTS: readonly number[] = [0.7318, 1.9142, 2.6571, -0.5813, 0.2937];

/** Parses a valid expression for the engine and substitutes the values of names. Throws `Failure` `mathematics`. */
export function readExpression(
  ce: ComputeEngine,
  given: string,
  bindings: Bindings = {},
): Expression {
  validateText(given);
  const names = Object.keys(bindings);
  const { latex, at } = splitEvaluatedAt(renameTaken(withProducts(normaliseLatex(given)), names));
  const read = bind(ce, parse(ce, latex, given), bindings);
  if (at === null) return read;
  const put = bind(ce, parse(ce, at.value, given), bindings);
  return ce.expr(read.evaluate().subs({ [at.name]: put }).json);
}

function parse(ce: ComputeEngine, latex: string, given: string): Expression {
  const read = ce.parse(latex);
  validateTree(read.json, given);
  if (!read.isValid) throw refused("an expression in LaTeX", `could not read ${quoted(given)}`);
  return read;
}

/** A letter before a bracket is a factor, except for the names of functions. */
function withProducts(latex: string): string {
  return latex.replace(
    /(?<![A-Za-z\\{^_])([A-Za-z](?:_(?:\d|\{\w+\}))?)\s*(\\left\s*)?\(/g,
    (_, letter: string, left: string | undefined) => `${letter}\\cdot ${left ?? ""}(`,
  );
}

function bind(ce: ComputeEngine, read: Expression, bindings: Bindings): Expression {
  const values = Object.entries(bindings).map(([name, json]) => {
    validateTree(json, name);
    return [symbolOf(name), ce.expr(json as Parameters<ComputeEngine["expr"]>[0])] as const;
  });
  if (values.length === 0) return read;
  return ce.expr(read.subs(Object.fromEntries(values)).json);
}

/** The result of the engine. Throws `Failure` `mathematics` if it is not a value. */
export function resultOf(result: Expression, given: string): Value {
  const { json } = result;
  const [head] = Array.isArray(json) ? json : [json];
  if (!result.isValid || head === "Error")
    throw refused("an expression with a value", `${quoted(given)} has none`);
  if (json === "NaN" || json === "ComplexInfinity")
    throw refused(
      "an expression with a value",
      `${quoted(given)} has none, as where something is divided by zero`,
    );
  if (typeof json === "string" && json.startsWith("'"))
    throw refused("an expression", `got the words ${quoted(given)}`);
  if (typeof head === "string" && UNDONE.has(head))
    throw refused(
      "an expression that comes to a value",
      `the engine left ${quoted(given)} as it is`,
    );
  const exact = writeLatex(result);
  if (exact.length > LONGEST_RESULT)
    throw refused(`a result of at most ${LONGEST_RESULT} characters`, `got ${exact.length}`);
  if (head === "Quantity" && Array.isArray(json)) {
    const number = realOf(operandsOf(result)[0]);
    return { exact, json, value: number, unit: writeUnit(operandsOf(result)[1]?.json) };
  }
  if (isLeftOver(result))
    throw refused(
      "an expression that comes to a value",
      `the engine left ${quoted(given)} as it is`,
    );
  if (isTooLarge(result))
    throw refused("a number that can be written out", `${quoted(given)} is larger`);
  return { exact, json, value: realOf(result), unit: null };
}

/** Results that are valid although they are not numbers. */
const WHOLE = new Set(
  "List Tuple Pair Triple Set Matrix Range Interval And Or Not Equal NotEqual Less LessEqual Greater GreaterEqual".split(
    " ",
  ),
);

/** Whether an operation without unknowns was evaluated neither to a number nor to a list of numbers. */
function isLeftOver(result: Expression): boolean {
  if (!Array.isArray(result.json) || result.unknowns.length > 0) return false;
  return !WHOLE.has(result.operator) && !isTooLarge(result) && Number.isNaN(result.N().re);
}

/** Whether a number is too large to write out. */
function isTooLarge(result: Expression): boolean {
  if (
    result.unknowns.length > 0 ||
    !["Power", "Factorial", "Multiply", "Add", "Binomial"].includes(result.operator)
  )
    return false;
  const { re } = result.N();
  return !Number.isFinite(re);
}

/** `m/s`, `cm^2`, `kg·m`. */
function writeUnit(json: unknown): string {
  if (!Array.isArray(json)) return String(json);
  const [head, ...parts] = json as unknown[];
  const [first, second] = parts;
  if (head === "Divide") return `${writeUnit(first)}/${writeUnit(second)}`;
  if (head === "Power") return `${writeUnit(first)}^${String(second)}`;
  const units = parts.map(writeUnit);
  return [...new Set(units)]
    .map((unit) => {
      const times = units.filter((one) => one === unit).length;
      return times > 1 ? `${unit}^${times}` : unit;
    })
    .join("·");
}

const LONGEST_RESULT = 1200;
/** Operations that the engine returns unchanged if it cannot evaluate them. */
const UNDONE = new Set(
  "Integrate D Limit Sum Product UnitConvert Determinant Inverse Mean Median".split(" "),
);

/** The operands of an operation; empty for a number or a name. */
export function operandsOf(of: Expression | undefined): Expression[] {
  return of !== undefined && isFunction(of) ? [...of.ops] : [];
}

/** Returns a real number, or null. */
export function realOf(found: Expression | undefined): number | null {
  if (found === undefined) return null;
  const { re, im } = found.N();
  return Number.isFinite(re) && Math.abs(im) <= 1e-12 * Math.max(1, Math.abs(re)) ? re : null;
}

/** LaTeX without digit grouping, with nested lists as matrices. */
function writeLatex(result: Expression): string {
  const { json } = result;
  if (
    Array.isArray(json) &&
    json[0] === "List" &&
    operandsOf(result).every((row) => row.operator === "List")
  ) {
    const rows = operandsOf(result).map((row) =>
      operandsOf(row)
        .map((cell) => writeLatex(cell))
        .join("&"),
    );
    return `\\begin{pmatrix}${rows.join("\\\\")}\\end{pmatrix}`;
  }
  return result
    .toLatex({ digitGroupSeparator: "" })
    .replaceAll("\\exponentialE", "e")
    .replaceAll("\\imaginaryI", "i");
}
