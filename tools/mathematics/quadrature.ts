/*
 * Double exponential quadrature (Takahasi & Mori 1974): after a change of variable a plain sum converges quickly, even
 * if the integrand is undefined at an end of the range or the range is infinite.
 */

/** Beyond this, the points coincide with the ends of the range in double precision. */
const REACH = 4;
const STEP = 1 / 32;
/** From here on, a point without a value belongs to an end and has no weight. */
const NEAR_END = 2.5;
/** Largest relative difference between two sums, one with half as many points, that counts as converged. */
const CONVERGED = 1e-6;

/**
 * Returns the integral of `f` from `a` to `b`, which may be infinite; null if `f` has no values or the sums do not
 * converge.
 */
export function integralOf(f: (x: number) => number | null, a: number, b: number): number | null {
  if (a > b) {
    const turned = integralOf(f, b, a);
    return turned === null ? null : -turned;
  }
  const point = pointsOf(a, b);
  const sums = { even: 0, odd: 0 };
  const last = Math.round(REACH / STEP);
  for (let k = -last; k <= last; k++) {
    const { x, weight } = point(k * STEP);
    const y = Number.isFinite(x) ? f(x) : null;
    const term = y === null ? Number.NaN : y * weight;
    if (Number.isFinite(term)) sums[k % 2 === 0 ? "even" : "odd"] += term;
    else if (Math.abs(k * STEP) < NEAR_END) return null;
  }
  const fine = (sums.even + sums.odd) * STEP;
  const coarse = sums.even * 2 * STEP;
  return Math.abs(fine - coarse) <= CONVERGED * Math.max(1, Math.abs(fine)) ? fine : null;
}

/** Maps a point of the real line to the range, with its weight. */
function pointsOf(a: number, b: number): (t: number) => { x: number; weight: number } {
  const inner = (t: number) => (Math.PI / 2) * Math.sinh(t);
  const slope = (t: number) => (Math.PI / 2) * Math.cosh(t);
  if (Number.isFinite(a) && Number.isFinite(b)) {
    const half = (b - a) / 2;
    return (t) => {
      // The distance from the nearer end avoids rounding errors close to it.
      const gap = (2 * half) / (1 + Math.exp(2 * Math.abs(inner(t))));
      const x = t < 0 ? a + gap : b - gap;
      return { x, weight: (half * slope(t)) / Math.cosh(inner(t)) ** 2 };
    };
  }
  if (Number.isFinite(a) || Number.isFinite(b))
    return (t) => {
      const gap = Math.exp(inner(t));
      return { x: Number.isFinite(a) ? a + gap : b - gap, weight: gap * slope(t) };
    };
  return (t) => ({ x: Math.sinh(inner(t)), weight: Math.cosh(inner(t)) * slope(t) });
}
