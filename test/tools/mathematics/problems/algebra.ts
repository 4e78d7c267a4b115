import { around, type Draw, inWords, type Made } from "./problem.ts";

/* Arithmetic, equations, systems. */

export function arithmetic(draw: Draw): Made {
  const [a, b, c] = [draw.whole(12, 49), draw.whole(3, 19), draw.whole(5, 90)];
  if (draw.whole(0, 1) === 0) {
    const right = a * b + c;
    return {
      category: "arithmetic",
      question: "What is the result of the calculation?",
      board: [`${a} \\times ${b} + ${c} = ?`],
      said: [`Multiply ${inWords(a)} by ${inWords(b)}, then add ${inWords(c)}. What do you get?`],
      options: around(right, [1, -10, 10, b]).map(String),
      plan: ([item = ""]) => ({
        givens: [given("a", a, item), given("b", b, item), given("c", c, item)],
        steps: [{ do: "calculate", name: "r_1", expression: "a \\cdot b + c" }],
        answer: "r_1",
        checks: ["\\frac{r_1 - c}{a} = b"],
      }),
    };
  }
  const [p, q, r] = [draw.whole(1, 9), draw.whole(2, 9), draw.whole(2, 9)];
  const [top, below] = lowest(p * r + q, q * r);
  return {
    category: "arithmetic",
    question: "What is the sum of the two fractions?",
    board: [`\\frac{${p}}{${q}} + \\frac{1}{${r}}`],
    said: [`Take ${inWords(p)} divided by ${inWords(q)} and add one divided by ${inWords(r)}.`],
    options: [
      [top, below],
      [top + 1, below],
      [top + below, below],
      [top + 2, below + 1],
    ].map(([x = 1, y = 1]) => (y === 1 ? String(x) : `\\frac{${x}}{${y}}`)),
    plan: ([item = ""]) => ({
      givens: [given("p", p, item), given("q", q, item), given("r", r, item)],
      steps: [{ do: "calculate", name: "s", expression: "\\frac{p}{q} + \\frac{1}{r}" }],
      answer: "s",
      checks: ["(s - \\frac{1}{r}) q = p"],
    }),
  };
}

export function equation(draw: Draw): Made {
  const [a, x, b] = [draw.whole(2, 12), draw.whole(2, 30), draw.whole(1, 40)];
  if (draw.whole(0, 1) === 0) {
    const c = a * x + b;
    return {
      category: "equations",
      question: "What is the value of x?",
      board: [`${a}x + ${b} = ${c}`],
      said: [
        `${inWords(a)} times an unknown number plus ${inWords(b)} equals ${inWords(c)}. Find it.`,
      ],
      options: around(x).map((value) => `x = ${value}`),
      plan: ([item = ""]) => ({
        givens: [given("a", a, item), given("b", b, item), given("c", c, item)],
        steps: [{ do: "solve", equations: ["a x + b = c"], for: ["x"] }],
        answer: "x",
        checks: ["\\frac{c - b}{a} = x"],
      }),
    };
  }
  const other = draw.whole(1, 9);
  // (t - x)(t + other) = 0
  const [p, q] = [other - x, x * other];
  return {
    category: "equations",
    question: "What is the positive solution of the equation?",
    board: [`t^2 ${p < 0 ? "-" : "+"} ${Math.abs(p)}t = ${q}`],
    said: [
      `A number squared ${p < 0 ? "minus" : "plus"} ${inWords(Math.abs(p))} times that number equals ${inWords(q)}. The number is positive.`,
    ],
    options: around(x, [1, -1, other + 40, 3]).map(String),
    plan: ([item = ""]) => ({
      givens: [given("p", Math.abs(p), item), given("q", q, item)],
      steps: [{ do: "solve", equations: [`t^2 ${p < 0 ? "-" : "+"} p t = q`], for: ["t"] }],
      answer: "t",
      checks: ["t > 0"],
    }),
  };
}

export function system(draw: Draw): Made {
  const [x, y] = [draw.whole(2, 20), draw.whole(-9, 15)];
  const [a, b, c, d] = [draw.whole(1, 5), draw.whole(1, 5), draw.whole(1, 5), -draw.whole(1, 5)];
  const [m, n] = [a * x + b * y, c * x + d * y];
  // By Cramer's rule, from the coefficients only.
  const det = a * d - b * c;
  const [u, v] = [(m * d - b * n) / det, (a * n - m * c) / det];
  return {
    category: "systems",
    question: "Which pair (u, v) solves both equations?",
    board: [`${a}u + ${b}v = ${m}`, `${c}u - ${-d}v = ${n}`],
    said: [
      `${inWords(a)} times u plus ${inWords(b)} times v is ${inWords(m)}.`,
      `And ${inWords(c)} times u minus ${inWords(-d)} times v is ${inWords(n)}.`,
    ],
    options: [
      [u, v],
      [v, u],
      [u + 1, v],
      [u, v - 1],
      [u + 2, v + 3],
    ].map(([p, q]) => `(${p}, ${q})`),
    plan: ([first = "", second = ""]) => ({
      givens: [
        given("a", a, first),
        given("b", b, first),
        { ...given("m", Math.abs(m), first), latex: String(m) },
        given("c", c, second),
        given("d", -d, second),
        given("n", n, second),
      ],
      steps: [{ do: "solve", equations: ["a u + b v = m", "c u - d v = n"], for: ["u", "v"] }],
      answer: "(u, v)",
      checks: ["a u + b v = m"],
    }),
  };
}

export function given(name: string, value: number, item: string) {
  return { name, latex: String(value), item };
}

function lowest(top: number, below: number): [number, number] {
  const divide = (a: number, b: number): number => (b === 0 ? a : divide(b, a % b));
  const by = divide(top, below);
  return [top / by, below / by];
}
