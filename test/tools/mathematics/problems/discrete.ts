import { given } from "./algebra.ts";
import { around, type Draw, inWords, type Made } from "./problem.ts";

/* Matrices, combinatorics, statistics. */

export function matrix(draw: Draw): Made {
  const [a, b, c, d] = [draw.whole(1, 9), draw.whole(-5, 9), draw.whole(-5, 9), draw.whole(1, 9)];
  const rows = `\\begin{pmatrix} ${a} & ${b} \\\\ ${c} & ${d} \\end{pmatrix}`;
  const said = [
    `The first row of the matrix holds ${inWords(a)} and ${inWords(b)}.`,
    `The second row holds ${inWords(c)} and ${inWords(d)}.`,
  ];
  const givens = ([first = "", second = first]: readonly string[]) => [
    given("a", a, first),
    given("b", b, first),
    given("c", c, second),
    given("d", d, second),
  ];
  const M = "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}";
  if (draw.whole(0, 1) === 0) {
    const right = a * d - b * c;
    return {
      category: "matrices",
      question: "What is the determinant of the matrix?",
      board: [rows],
      said,
      options: around(right, [2 * b * c || 3, 1, -7, 12]).map(String),
      plan: (items) => ({
        givens: givens(items),
        steps: [{ do: "calculate", name: "r_1", expression: `\\det ${M}` }],
        answer: "r_1",
        checks: ["r_1 + b c = a d"],
      }),
    };
  }
  const entry = [a * a + b * c, a * b + b * d, c * a + d * c, c * b + d * d];
  const as = ([p, q, r, s]: number[]) =>
    `\\begin{pmatrix} ${p} & ${q} \\\\ ${r} & ${s} \\end{pmatrix}`;
  return {
    category: "matrices",
    question: "What is the square of the matrix, the matrix times itself?",
    board: [rows],
    said,
    options: [
      as(entry),
      as([a * a, b * b, c * c, d * d + 1000]),
      as([...entry.slice(0, 3), (entry[3] ?? 0) + 1]),
      as([...entry].reverse().map((value) => value + 2)),
    ],
    plan: (items) => ({
      givens: givens(items),
      steps: [
        { do: "calculate", name: "A", expression: `${M} ${M}` },
        { do: "calculate", name: "r_2", expression: `\\det ${M}` },
        { do: "calculate", name: "r_3", expression: "\\det A" },
      ],
      answer: "A",
      checks: ["r_3 = r_2^2"],
    }),
  };
}

export function combinatorics(draw: Draw): Made {
  const n = draw.whole(6, 14);
  const k = draw.whole(2, 5);
  // By Pascal's triangle, and by counting down.
  let row = [1];
  for (let line = 0; line < n; line++)
    row = [1, ...row.slice(1).map((value, place) => value + (row[place] ?? 0)), 1];
  const choose = row[k] ?? 0;
  const arrange = Array.from({ length: k }, (_, place) => n - place).reduce((x, y) => x * y, 1);
  const kinds = [
    {
      question: "In how many ways can the group be chosen?",
      board: [`n = ${n}, \\quad k = ${k}`],
      said: [`From ${inWords(n)} people a group of ${inWords(k)} is chosen.`],
      right: choose,
      expression: "\\binom{n}{k}",
      check: "r_1 k! (n-k)! = n!",
    },
    {
      question: "In how many ways can the places be given away in order?",
      board: [`n = ${n}, \\quad k = ${k}`],
      said: [`${inWords(n)} runners compete for ${inWords(k)} places on the podium.`],
      right: arrange,
      expression: "\\frac{n!}{(n-k)!}",
      check: "\\frac{r_1}{k!} = \\binom{n}{k}",
    },
  ];
  const kind = draw.one(kinds);
  return {
    category: "combinatorics",
    question: kind.question,
    board: kind.board,
    said: kind.said,
    options: [kind.right, kind.right + n, n ** 2 + 3, kind.right * 2, k ** 3 + 1].map(String),
    plan: ([item = ""]) => ({
      givens: [given("n", n, item), given("k", k, item)],
      steps: [{ do: "calculate", name: "r_1", expression: kind.expression }],
      answer: "r_1",
      checks: [kind.check],
    }),
  };
}

export function statistics(draw: Draw): Made {
  const values = Array.from({ length: 5 }, () => draw.whole(3, 60));
  const sorted = [...values].sort((a, b) => a - b);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const names = "abpqs".split("");
  const list = `[${names.join(", ")}]`;
  const kinds = [
    {
      name: "mean",
      right: mean,
      expression: `\\operatorname{Mean}(${list})`,
      check: `5 m = ${names.join(" + ")}`,
    },
    {
      name: "median",
      right: sorted[2] ?? 0,
      expression: `\\operatorname{Median}(${list})`,
      check: `\\operatorname{Median}([${[...names].reverse().join(", ")}]) = m`,
    },
    {
      name: "standard deviation (of the sample)",
      right: Math.sqrt(squares / 4),
      expression: `\\operatorname{StandardDeviation}(${list})`,
      check: "4 m^2 = a^2 + b^2 + p^2 + q^2 + s^2 - \\frac{(a + b + p + q + s)^2}{5}",
    },
  ];
  const kind = draw.one(kinds);
  const written = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
  return {
    category: "statistics",
    question: `What is the ${kind.name} of the five values?`,
    board: [values.join(", \\; ")],
    said: [`We measured ${values.map(inWords).join(", ")}.`],
    options: around(kind.right, [1.5, -2.25, 4, 9]).map(written),
    plan: ([item = ""]) => ({
      givens: values.map((value, place) => given(names[place] ?? "z", value, item)),
      steps: [{ do: "calculate", name: "m", expression: kind.expression }],
      answer: "m",
      checks: [kind.check],
    }),
  };
}
