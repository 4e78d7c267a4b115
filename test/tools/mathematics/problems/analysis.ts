import { given } from "./algebra.ts";
import { around, type Draw, inWords, type Made } from "./problem.ts";

/* Derivatives, integrals, limits. */

export function derivative(draw: Draw): Made {
  const [a, n, b, at] = [draw.whole(2, 9), draw.whole(2, 5), draw.whole(2, 12), draw.whole(1, 4)];
  if (draw.whole(0, 1) === 0) {
    const right = a * n * at ** (n - 1) + b;
    return {
      category: "derivatives",
      question: `What is the derivative of f at the point ${at}?`,
      board: [`f(x) = ${a}x^${n} + ${b}x`],
      said: [
        `Our function f is ${inWords(a)} times x to the power of ${inWords(n)} plus ${inWords(b)} times x.`,
      ],
      options: around(right, [1, -b, a, 2 * b]).map(String),
      plan: ([item = ""]) => ({
        givens: [
          given("a", a, item),
          given("n", n, item),
          given("b", b, item),
          given("k", at, "Q"),
        ],
        steps: [
          {
            do: "calculate",
            name: "s",
            expression: "\\left. \\frac{d}{dx} (a x^n + b x) \\right|_{x=k}",
          },
        ],
        answer: "s",
        checks: ["\\frac{s - b}{n} = a k^{n-1}"],
      }),
    };
  }
  return {
    category: "derivatives",
    question: "Which function is the derivative?",
    board: [`\\frac{d}{dx} \\left( ${a} \\sin(${b}x) \\right)`],
    said: [`Differentiate ${inWords(a)} times the sine of ${inWords(b)} x.`],
    options: [
      `${a * b} \\cos(${b}x)`,
      `-${a * b} \\cos(${b}x)`,
      `${a} \\cos(${b}x)`,
      `${a * b} \\sin(${b}x)`,
    ],
    plan: ([item = ""]) => ({
      givens: [given("a", a, item), given("b", b, item)],
      steps: [{ do: "calculate", name: "g", expression: "\\frac{d}{dx} (a \\sin(b x))" }],
      answer: "g",
      checks: ["\\frac{g}{a b} = \\cos(b x)"],
    }),
  };
}

export function integral(draw: Draw): Made {
  const [p, q, to] = [draw.whole(1, 6) * 3, draw.whole(1, 6) * 2, draw.whole(1, 5)];
  if (draw.whole(0, 1) === 0) {
    const right = (p / 3) * to ** 3 + (q / 2) * to ** 2;
    return {
      category: "integrals",
      question: "What is the value of the integral?",
      board: [`\\int_0^{${to}} (${p}x^2 + ${q}x) \\, dx`],
      said: [`Integrate ${inWords(p)} x squared plus ${inWords(q)} x from zero to ${inWords(to)}.`],
      options: around(right, [1, p, -q / 2, q * 4]).map(String),
      plan: ([item = ""]) => ({
        givens: [given("p", p, item), given("q", q, item), given("b", to, item)],
        steps: [{ do: "calculate", name: "s", expression: "\\int_0^b (p x^2 + q x) \\, dx" }],
        answer: "s",
        checks: ["\\frac{3 (s - \\frac{q b^2}{2})}{b^3} = p"],
      }),
    };
  }
  const n = draw.whole(2, 6);
  const k = n + 1;
  return {
    category: "integrals",
    question: "Which is an antiderivative?",
    board: [`\\int ${k * q} x^${n} \\, dx`],
    said: [
      `We look for an antiderivative of ${inWords(k * q)} times x to the power of ${inWords(n)}.`,
    ],
    options: [
      `${q}x^${k} + C`,
      `${k * q}x^${k} + C`,
      `${k * q * n}x^${n - 1} + C`,
      `${q}x^${n} + C`,
    ],
    plan: ([item = ""]) => ({
      givens: [given("c", k * q, item), given("n", n, item)],
      steps: [{ do: "calculate", name: "F", expression: "\\int c x^n \\, dx" }],
      answer: "F",
      checks: ["F (n + 1) = c x^{n+1}"],
    }),
  };
}

export function limit(draw: Draw): Made {
  const [a, b] = [draw.whole(2, 15), draw.whole(2, 9)];
  const kind = draw.whole(0, 2);
  if (kind === 0)
    return {
      category: "limits",
      question: "What is the limit?",
      board: [`\\lim_{x \\to ${a}} \\frac{x^2 - ${a * a}}{x - ${a}}`],
      said: [
        `What happens to x squared minus ${inWords(a * a)} over x minus ${inWords(a)} as x goes to ${inWords(a)}?`,
      ],
      options: around(2 * a, [-a, 1, a, a * a]).map(String),
      plan: ([item = ""]) => ({
        givens: [given("a", a, item), given("c", a * a, item)],
        steps: [
          { do: "calculate", name: "s", expression: "\\lim_{x \\to a} \\frac{x^2 - c}{x - a}" },
        ],
        answer: "s",
        checks: ["\\frac{s}{2} = \\sqrt{c}"],
      }),
    };
  if (kind === 1)
    return {
      category: "limits",
      question: "What is the limit?",
      board: [`\\lim_{x \\to 0} \\frac{\\sin(${a}x)}{${b}x}`],
      said: [`Take the sine of ${inWords(a)} x divided by ${inWords(b)} x and let x go to zero.`],
      options: [`\\frac{${a}}{${b}}`, `\\frac{${a + 1}}{${b}}`, "0", `\\frac{${a}}{${b + 1}}`],
      plan: ([item = ""]) => ({
        givens: [given("a", a, item), given("b", b, item)],
        steps: [
          { do: "calculate", name: "s", expression: "\\lim_{x \\to 0} \\frac{\\sin(a x)}{b x}" },
        ],
        answer: "s",
        checks: ["s b = a"],
      }),
    };
  return {
    category: "limits",
    question: "What is the limit?",
    board: [`\\lim_{x \\to \\infty} \\frac{${a}x^2 + 1}{${b}x^2 + x}`],
    said: [
      `Divide ${inWords(a)} x squared plus one by ${inWords(b)} x squared plus x, and let x grow without end.`,
    ],
    options: [`\\frac{${a}}{${b}}`, "\\infty", "0", `\\frac{${a + 1}}{${b + 1}}`].filter(
      (text, place) => place !== 3 || a !== b || text === "",
    ),
    plan: ([item = ""]) => ({
      givens: [given("a", a, item), given("b", b, item)],
      steps: [
        {
          do: "calculate",
          name: "s",
          expression: "\\lim_{x \\to \\infty} \\frac{a x^2 + 1}{b x^2 + x}",
        },
      ],
      answer: "s",
      checks: ["\\frac{a}{s} = b"],
    }),
  };
}
