import { createRequire } from "node:module";
import type { ComputeEngine } from "@cortex-js/compute-engine";

const LONGEST = 200;
const COMMANDS = new Set(
  "sqrt frac binom pi times cdot div ln log lg sin cos tan arcsin arccos arctan exp circ".split(
    " ",
  ),
);

/**
 * The value of a constant in LaTeX: numbers, fractions, roots, powers, π, e, logarithms and angles. It is small enough
 * to be evaluated at once, without a thread. Null for anything else: names, powers of powers, numbers that are too large.
 */
export function evaluateConstant(latex: string): number | null {
  if (latex.length > LONGEST || !isSmall(latex)) return null;
  try {
    const { re, im } = engine().parse(latex).N();
    return Number.isFinite(re) && Math.abs(im) < 1e-12 ? re : null;
  } catch {
    // The engine throws for some malformed expressions, which have no value.
    return null;
  }
}

function isSmall(latex: string): boolean {
  const commands = [...latex.matchAll(/\\([a-zA-Z]+)/g)].map(([, name = ""]) => name);
  const rest = latex.replace(/\\[a-zA-Z]+/g, " ");
  const powers = [...rest.matchAll(/\^\s*(\{[^{}]*\}|\S)/g)].map(([, exponent = ""]) => exponent);
  return (
    commands.every((name) => COMMANDS.has(name)) &&
    !/[^-+*/^_(){}[\]\d.\se]/.test(rest) &&
    // Not the exponent of `2e3`.
    !/e\s*[e\d.]/.test(rest) &&
    !/\d{16,}/.test(rest) &&
    powers.length <= 4 &&
    powers.every((exponent) => !/\^|\d{4,}/.test(exponent)) &&
    !/\^\s*\{[^{}]*\{/.test(rest) &&
    (!commands.includes("binom") || !/\d{4,}/.test(rest))
  );
}

let loaded: ComputeEngine | undefined;

/** Loaded at the first use, because that takes half a second. */
function engine(): ComputeEngine {
  if (loaded !== undefined) return loaded;
  const load = createRequire(import.meta.url);
  const made: ComputeEngine = new (load("@cortex-js/compute-engine").ComputeEngine)();
  made.precision = "machine";
  loaded = made;
  return made;
}
