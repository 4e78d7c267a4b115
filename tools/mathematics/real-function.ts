/*
 * Evaluates MathJSON of real functions with plain arithmetic: fast enough for thousands of points, and independent of
 * the engine. Returns no function for unknown operations.
 */

export type At = Readonly<Record<string, number>>;
export type RealFunction = (at: At) => number;

const CONSTANTS: Readonly<Record<string, number>> = {
  Pi: Math.PI,
  ExponentialE: Math.E,
  Half: 0.5,
  GoldenRatio: (1 + Math.sqrt(5)) / 2,
};

const OF_ONE: Readonly<Record<string, (x: number) => number>> = {
  Negate: (x) => -x,
  Sqrt: Math.sqrt,
  Square: (x) => x * x,
  Cube: (x) => x ** 3,
  Abs: Math.abs,
  Exp: Math.exp,
  Ln: (x) => (x > 0 ? Math.log(x) : Number.NaN),
  Sin: Math.sin,
  Cos: Math.cos,
  Tan: Math.tan,
  Cot: (x) => 1 / Math.tan(x),
  Sec: (x) => 1 / Math.cos(x),
  Csc: (x) => 1 / Math.sin(x),
  Arcsin: Math.asin,
  Arccos: Math.acos,
  Arctan: Math.atan,
  Sinh: Math.sinh,
  Cosh: Math.cosh,
  Tanh: Math.tanh,
  Floor: Math.floor,
  Ceil: Math.ceil,
};

const OF_TWO: Readonly<Record<string, (x: number, y: number) => number>> = {
  Subtract: (x, y) => x - y,
  Divide: (x, y) => x / y,
  Rational: (x, y) => x / y,
  Power: power,
  Root: (x, n) => power(x, 1 / n, n),
};

/** Odd roots of negative numbers are real. */
function power(x: number, exponent: number, root = 1 / exponent): number {
  const odd = Math.abs(Math.round(root) - root) < 1e-12 && Math.abs(Math.round(root)) % 2 === 1;
  return x < 0 && odd && Math.abs(exponent) < 1 ? -((-x) ** exponent) : x ** exponent;
}

/** Returns null for MathJSON with other operations than these, numbers and names. */
export function realFunction(json: unknown): RealFunction | null {
  if (typeof json === "number") return () => json;
  if (typeof json === "string") return ofName(json);
  if (!Array.isArray(json)) return ofNumber(json);
  const [head, ...operands] = json as unknown[];
  const parts = operands.map(realFunction);
  if (typeof head !== "string" || parts.includes(null)) return null;
  const [first, second] = parts as RealFunction[];
  if (head === "Add")
    return (at) => (parts as RealFunction[]).reduce((sum, part) => sum + part(at), 0);
  if (head === "Multiply")
    return (at) => (parts as RealFunction[]).reduce((product, part) => product * part(at), 1);
  if (head === "Log" && first !== undefined)
    return (at) => Math.log(first(at)) / Math.log(second?.(at) ?? 10);
  const one = OF_ONE[head];
  if (one !== undefined && first !== undefined && parts.length === 1) return (at) => one(first(at));
  const two = OF_TWO[head];
  if (two === undefined || first === undefined || second === undefined || parts.length !== 2)
    return null;
  return (at) => two(first(at), second(at));
}

function ofName(name: string): RealFunction | null {
  const constant = CONSTANTS[name];
  if (constant !== undefined) return () => constant;
  if (
    name.startsWith("'") ||
    /^(?:NaN|Nothing|PositiveInfinity|NegativeInfinity|ComplexInfinity|True|False|ImaginaryUnit)$/.test(
      name,
    )
  )
    return null;
  return (at) => at[name] ?? Number.NaN;
}

function ofNumber(json: unknown): RealFunction | null {
  if (typeof json !== "object" || json === null || !("num" in json)) return null;
  const value = Number(json.num);
  return Number.isFinite(value) ? () => value : null;
}
