/*
 * Finds roots numerically if the engine's algebra finds none.
 */

export type Residuals = (at: readonly number[]) => (number | null)[];

/** The range of the search. */
const SPAN = 100;
const CELLS = 800;
const SMALL = 1e-10;

/** Zeros of one function between -100 and 100, by sign changes and bisection; those near zero first. */
export function rootsOf(f: (x: number) => number | null): number[] {
  const found: number[] = [];
  let [before, at] = [f(-SPAN), -SPAN];
  for (let cell = 1; cell <= CELLS; cell++) {
    const x = -SPAN + (2 * SPAN * cell) / CELLS + 1e-7 * Math.PI;
    const y = f(x);
    if (y !== null && before !== null && before * y <= 0) {
      const root = halved(f, at, x);
      if (root !== null) found.push(root);
    }
    [before, at] = [y, x];
  }
  return found.sort((a, b) => Math.abs(a) - Math.abs(b));
}

function halved(f: (x: number) => number | null, a: number, b: number): number | null {
  let [low, high] = [a, b];
  const sign = Math.sign(f(low) ?? 0);
  for (let turn = 0; turn < 100 && high - low > 0; turn++) {
    const middle = (low + high) / 2;
    const y = f(middle);
    if (y === null) return null;
    if (y === 0 || middle === low || middle === high) break;
    if (Math.sign(y) === sign) low = middle;
    else high = middle;
  }
  const root = (low + high) / 2;
  // A jump through zero, as of 1/x, is not a root.
  return Math.abs(f(root) ?? 1) < 1e-6 ? root : null;
}

const STARTS = [0.5, 1, 2, 5, -1, -3, 10];

/** Zeros of a system with as many functions as unknowns, by Newton's method from fixed starting points. */
export function rootsOfSystem(residuals: Residuals, unknowns: number): number[][] {
  const found: number[][] = [];
  for (const [turn] of STARTS.entries())
    for (const stride of [1, 2, 3]) {
      const start = Array.from(
        { length: unknowns },
        (_, place) => STARTS[(turn + place * stride) % STARTS.length] ?? 1,
      );
      const root = newton(residuals, start);
      const known =
        root && found.some((one) => one.every((x, k) => Math.abs(x - (root[k] ?? 0)) < 1e-6));
      if (root !== null && !known) found.push(root);
    }
  return found.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

function newton(residuals: Residuals, start: readonly number[]): number[] | null {
  let at = [...start];
  for (let turn = 0; turn < 60; turn++) {
    const now = whole(residuals(at));
    if (now === null) return null;
    if (Math.max(...now.map(Math.abs)) < SMALL) return at;
    const slopes = at.map((x, place) => {
      const step = 1e-6 * Math.max(1, Math.abs(x));
      const moved = whole(residuals(at.map((value, k) => (k === place ? value + step : value))));
      return moved?.map((value, row) => (value - (now[row] ?? 0)) / step) ?? null;
    });
    if (slopes.includes(null)) return null;
    const move = linear(
      now.map((_, row) => (slopes as number[][]).map((column) => column[row] ?? 0)),
      now.map((value) => -value),
    );
    if (move === null) return null;
    at = at.map((x, k) => x + (move[k] ?? 0));
  }
  return null;
}

function whole(values: (number | null)[]): number[] | null {
  return values.every((value) => value !== null && Number.isFinite(value))
    ? (values as number[])
    : null;
}

/** Gaussian elimination with partial pivoting. */
function linear(rows: number[][], right: number[]): number[] | null {
  const table = rows.map((row, k) => [...row, right[k] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const rest = table.slice(column);
    const pivot = rest.reduce((best, row) =>
      Math.abs(row[column] ?? 0) > Math.abs(best[column] ?? 0) ? row : best,
    );
    const lead = pivot[column] ?? 0;
    if (Math.abs(lead) < 1e-14) return null;
    const from = table.indexOf(pivot);
    [table[column], table[from]] = [pivot, table[column] as number[]];
    for (const row of table) {
      if (row === pivot) continue;
      const times = (row[column] ?? 0) / lead;
      for (let k = column; k <= size; k++) row[k] = (row[k] ?? 0) - times * (pivot[k] ?? 0);
    }
  }
  return table.map((row, k) => (row[size] ?? 0) / (row[k] ?? 1));
}
