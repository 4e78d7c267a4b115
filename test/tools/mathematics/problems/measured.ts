import { given } from "./algebra.ts";
import { around, type Draw, inWords, type Made } from "./problem.ts";

/* Units, geometry, word problems. */

export function units(draw: Draw): Made {
  const kind = draw.whole(0, 2);
  if (kind === 0) {
    const speed = draw.whole(2, 40) * 18;
    return {
      category: "units",
      question: "What is the speed in metres per second?",
      board: [`v = ${speed}\\,\\mathrm{km}/\\mathrm{h}`],
      said: [`The car drives ${inWords(speed)} kilometres an hour.`],
      options: around(speed / 3.6, [5, -2, 10, 36]).map((value) => `${Math.round(value)} m/s`),
      plan: ([item = ""]) => ({
        givens: [{ name: "v", latex: `${speed}\\,\\mathrm{km}/\\mathrm{h}`, item }],
        steps: [
          {
            do: "calculate",
            name: "w",
            expression: "\\operatorname{UnitConvert}(v, \\frac{\\mathrm{m}}{\\mathrm{s}})",
          },
        ],
        answer: "w",
        checks: ["w = v"],
      }),
    };
  }
  const [km, m] = [draw.whole(2, 30), draw.whole(1, 9) * 100];
  if (kind === 1)
    return {
      category: "units",
      question: "How many metres is the whole way?",
      board: [`s_1 = ${km}\\,\\mathrm{km}`, `s_2 = ${m}\\,\\mathrm{m}`],
      said: [`First we walk ${inWords(km)} kilometres.`, `Then another ${inWords(m)} metres.`],
      options: around(km * 1000 + m, [100, -900, 1000, m]).map((value) => `${value} m`),
      plan: ([first = "", second = ""]) => ({
        givens: [
          { name: "s_1", latex: `${km}\\,\\mathrm{km}`, item: first },
          { name: "s_2", latex: `${m}\\,\\mathrm{m}`, item: second },
        ],
        steps: [
          {
            do: "calculate",
            name: "s",
            expression: "\\operatorname{UnitConvert}(s_1 + s_2, \\mathrm{m})",
          },
        ],
        answer: "s",
        checks: ["s - s_2 = s_1"],
      }),
    };
  const minutes = draw.whole(2, 9) * 15;
  return {
    category: "units",
    question: "How many seconds does it take?",
    board: [`t = ${minutes}\\,\\mathrm{min}`],
    said: [`The whole trip takes ${inWords(minutes)} minutes.`],
    options: around(minutes * 60, [60, -300, 900, 3600]).map((value) => `${value} seconds`),
    plan: ([item = ""]) => ({
      givens: [{ name: "t", latex: `${minutes}\\,\\mathrm{min}`, item }],
      steps: [
        { do: "calculate", name: "r_1", expression: "\\operatorname{UnitConvert}(t, \\mathrm{s})" },
      ],
      answer: "r_1",
      checks: ["r_1 = t"],
    }),
  };
}

export function geometry(draw: Draw): Made {
  const kind = draw.whole(0, 2);
  if (kind === 0) {
    const [a, b] = [draw.whole(31, 75), draw.whole(31, 75)];
    return {
      category: "geometry",
      question: "How many degrees has the third angle of the triangle?",
      board: [`\\alpha = ${a}^\\circ`, `\\beta = ${b}^\\circ`],
      said: [
        `This angle is ${inWords(a)} degrees.`,
        `And the one over here is ${inWords(b)} degrees.`,
      ],
      options: around(180 - a - b, [10, -5, 90, 1]).map((value) => `${value}°`),
      plan: ([first = "", second = ""]) => ({
        givens: [given("a", a, first), given("b", b, second)],
        facts: ["The angles of a triangle add up to 180 degrees."],
        steps: [{ do: "calculate", name: "c", expression: "180 - a - b" }],
        answer: "c",
        checks: ["a + b + c = 180"],
      }),
    };
  }
  const [m, n, k] = [draw.whole(2, 5), draw.whole(1, 1), draw.whole(1, 4)];
  // Sides of a right triangle by Euclid's formula.
  const [x, y, z] = [k * (m * m - n * n), k * 2 * m * n, k * (m * m + n * n)];
  if (kind === 1)
    return {
      category: "geometry",
      question: "How long is the hypotenuse?",
      board: [`a = ${x}`, `b = ${y}`],
      said: [`This side is ${inWords(x)}.`, `That side is ${inWords(y)}.`],
      options: around(z, [1, -1, x, 7]).map((value) => `${value} cm`),
      plan: ([first = "", second = ""]) => ({
        givens: [given("a", x, first), given("b", y, second)],
        steps: [{ do: "solve", equations: ["a^2 + b^2 = h^2"], for: ["h"] }],
        answer: "h",
        checks: ["h > 0"],
      }),
    };
  const r = draw.whole(2, 25);
  const area = Math.PI * r * r;
  return {
    category: "geometry",
    question: "What is the area of the circle, to two decimals?",
    board: [`r = ${r}\\,\\mathrm{cm}`],
    said: [`The radius of the circle is ${inWords(r)} centimetres.`],
    options: [area, 2 * Math.PI * r + 100, area * 1.5, area * 2, area - 5].map(
      (value) => `${value.toFixed(2)} cm²`,
    ),
    plan: ([item = ""]) => ({
      givens: [given("r", r, item)],
      steps: [{ do: "calculate", name: "A", expression: "\\pi r^2" }],
      answer: "A",
      checks: ["\\sqrt{\\frac{A}{\\pi}} = r"],
    }),
  };
}

export function word(draw: Draw): Made {
  const kind = draw.whole(0, 1);
  if (kind === 0) {
    const [price, percent] = [draw.whole(2, 30) * 20, draw.whole(1, 9) * 5];
    return {
      category: "word",
      question: "What does the coat cost after the discount?",
      board: [`p = ${price}, \\quad ${percent}\\%`],
      said: [
        `A coat costs ${inWords(price)} dollars, and today there is ${inWords(percent)} percent off.`,
      ],
      options: around(price - (price * percent) / 100, [5, -3, 17, 40]).map((value) => `$${value}`),
      plan: ([item = ""]) => ({
        givens: [given("p", price, item), given("q", percent, item)],
        steps: [{ do: "calculate", name: "r_1", expression: "p \\cdot (1 - \\frac{q}{100})" }],
        answer: "r_1",
        checks: ["\\frac{p - r_1}{p} = \\frac{q}{100}"],
      }),
    };
  }
  const [adult, child, adults, children] = [
    draw.whole(8, 20),
    draw.whole(3, 7),
    draw.whole(5, 40),
    draw.whole(5, 60),
  ];
  const [all, paid] = [adults + children, adult * adults + child * children];
  return {
    category: "word",
    question: "How many children came?",
    board: [`x + y = ${all}`, `${adult}x + ${child}y = ${paid}`],
    said: [
      `Altogether ${inWords(all)} tickets were sold, to adults and to children.`,
      `Adults paid ${inWords(adult)}, children ${inWords(child)}, and ${inWords(paid)} came in.`,
    ],
    options: around(children, [adults === 1 ? 9 : 1, -2, 6, 11]).map(String),
    plan: ([first = "", second = ""]) => ({
      givens: [
        given("n", all, first),
        given("a", adult, second),
        given("b", child, second),
        given("s", paid, second),
      ],
      steps: [{ do: "solve", equations: ["x + y = n", "a x + b y = s"], for: ["x", "y"] }],
      answer: "y",
      checks: ["x + y = n"],
    }),
  };
}
