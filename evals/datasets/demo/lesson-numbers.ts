import type { Picture } from "../../../src/media/compose.ts";
import { ball, board, box, draw, label, whole } from "./drawing.ts";
import type { Scene } from "./film.ts";
import { type LessonKind, upFrom } from "./question-template.ts";

/* Lessons whose evidence is numbers, written or counted: statistics, arithmetic, counting, puzzles. */

export const mean: LessonKind = {
  category: "Statistics",
  make(random) {
    const means = upFrom(whole(random, 20, 32), 1);
    const [near, far] = draw([2, 3, 4, 5, 6, 7, 8], 2, random) as [number, number];
    const deviations = draw([-far, -near, 0, near, far], 5, random);
    const title = "Five measurements";
    return {
      question: "What is the mean of the five measurements?",
      options: means.map((value) => `${value} cm`),
      render(right) {
        const value = means[right] ?? 0;
        const measured = deviations.map((deviation) => value + deviation);
        const sum = value * 5;
        return {
          scenes: [
            { seconds: 3, picture: board(title), said: "A gardener measures five plants." },
            ...measured.map(
              (cm, place): Scene => ({
                seconds: 2.6,
                picture: board(title, [`Plant ${place + 1}: ${cm} cm`]),
                evidence: true,
              }),
            ),
          ],
          result: `The mean of the five measurements is ${value} cm.`,
          steps: [
            `Read the five heights: ${measured.join(", ")}.`,
            `Add them: ${sum}.`,
            "Recall that the mean is the sum divided by the count.",
            `Divide: ${sum} / 5 = ${value}.`,
          ],
        };
      },
    };
  },
};

export const unknown: LessonKind = {
  category: "Arithmetic",
  make(random) {
    const numbers = upFrom(whole(random, 2, 9), 1);
    const times = whole(random, 2, 9);
    const plus = whole(random, 2, 12);
    const title = "Linear equations";
    return {
      question: "Which number solves the equation on the board?",
      options: numbers.map(String),
      render(right) {
        const x = numbers[right] ?? 0;
        const first = `${times}x + ${plus} = ${times * x + plus}`;
        const second = `${times}x = ${times * x}`;
        return {
          scenes: [
            { seconds: 3, picture: board(title), said: "Today an unknown number has to be found." },
            {
              seconds: 5,
              picture: board(title, [first]),
              said: "This is the equation, please copy it.",
              evidence: true,
            },
            {
              seconds: 5,
              picture: board(title, [first, second]),
              said: "Something is taken away from both sides.",
              evidence: true,
            },
          ],
          result: `The number that solves the equation is ${x}.`,
          steps: [
            `Read the equation: ${first}.`,
            `Subtract ${plus} from both sides: ${second}.`,
            `Divide both sides by ${times}: x = ${x}.`,
            `Check: ${times} x ${x} + ${plus} = ${times * x + plus}.`,
          ],
        };
      },
    };
  },
};

/** What is done in a step, and the side with x before it. */
const OPERATIONS: readonly {
  verb: (k: number) => string;
  before: (k: number) => string;
  value: (v: number, k: number) => number;
}[] = [
  { verb: (k) => `Add ${k} to both sides`, before: (k) => `x - ${k}`, value: (v, k) => v - k },
  {
    verb: (k) => `Subtract ${k} from both sides`,
    before: (k) => `x + ${k}`,
    value: (v, k) => v + k,
  },
  { verb: (k) => `Multiply both sides by ${k}`, before: (k) => `x / ${k}`, value: (v, k) => v / k },
  { verb: (k) => `Divide both sides by ${k}`, before: (k) => `${k}x`, value: (v, k) => v * k },
];

export const operation: LessonKind = {
  category: "Arithmetic",
  make(random) {
    const numbers = draw([2, 3, 4, 5, 6], 2, random);
    const [p = 2, q = 3] = numbers;
    const x = p * q * whole(random, 1, 2);
    const offered = draw(
      numbers.flatMap((k) => OPERATIONS.map((operation) => ({ operation, k }))),
      5,
      random,
    );
    const title = "Step by step";
    return {
      question: "What is done in the second step?",
      options: offered.map(({ operation, k }) => operation.verb(k)),
      render(right) {
        const { operation, k } = offered[right] as (typeof offered)[number];
        const before = `${operation.before(k)} = ${operation.value(x, k)}`;
        const swapped = `${operation.value(x, k)} = ${operation.before(k)}`;
        const done = operation.verb(k);
        return {
          scenes: [
            {
              seconds: 4,
              picture: board(title, [swapped]),
              said: "The unknown stands on the right here.",
            },
            {
              seconds: 4,
              picture: board(title, [swapped, before]),
              said: "In the first step the sides change places.",
              evidence: true,
            },
            {
              seconds: 6,
              picture: board(title, [swapped, before, `x = ${x}`]),
              said: "Now look closely at what has changed.",
              evidence: true,
            },
          ],
          result: `In the second step we ${done.toLowerCase()}.`,
          steps: [
            `Read the first line: ${swapped}.`,
            `Read the second line, its sides swapped: ${before}.`,
            `Read the third line: x = ${x}.`,
            `Find what leads from the second line to the third: ${done.toLowerCase()}.`,
          ],
        };
      },
    };
  },
};

const COLOURS = { red: "#c62828", blue: "#2b5fae", green: "#2e8b47", yellow: "#f2cf1d" };

/** Balls that cross the floor one by one. */
const balls: LessonKind["make"] = (random) => {
  const counts = upFrom(whole(random, 2, 4), 1);
  const [wanted, other] = draw(Object.entries(COLOURS), 2, random) as [
    [string, string],
    [string, string],
  ];
  const others = whole(random, 3, 5);
  return {
    question: `How many ${wanted[0]} balls roll across the floor?`,
    options: counts.map((count) => `${count} balls`),
    render(right) {
      const count = counts[right] ?? 0;
      const all = [...Array(count).fill(wanted[1]), ...Array(others).fill(other[1])] as string[];
      const fills = draw(all, all.length, random);
      const floor =
        (fill: string) =>
        (t_s: number): Picture =>
          board(
            "Keep count",
            [],
            [box(0, 0.85, 1, 0.15, "#a9845b"), ball(-0.1 + t_s * 0.75, 0.77, 0.08, fill)],
          );
      return {
        scenes: [
          { seconds: 3, picture: board("Keep count"), said: "Some balls are about to roll by." },
          ...fills.map(
            (fill): Scene => ({ seconds: 1.6, picture: floor(fill), evidence: fill === wanted[1] }),
          ),
        ],
        result: `${count} ${wanted[0]} balls roll across the floor.`,
        steps: [
          "Watch all balls until the last one has passed.",
          `Leave out the ${other[0]} ones, which are ${others}.`,
          `Count the ${wanted[0]} ones as they come.`,
          `State the count: ${count}.`,
        ],
      };
    },
  };
};

/** Rings that can only be heard. */
const bells: LessonKind["make"] = (random) => {
  const counts = upFrom(whole(random, 2, 5), 1);
  const frequency = whole(random, 600, 900);
  return {
    question: "How many times does the bell ring?",
    options: counts.map((count) => `${count} times`),
    render(right) {
      const count = counts[right] ?? 0;
      const picture = board("Listen", [], [label("♪", 0.5, 0.55, 0.4)]);
      return {
        scenes: [
          { seconds: 3, picture: board("Listen"), said: "Close your eyes for a moment." },
          { seconds: 1, picture },
          ...Array.from({ length: count }, (): Scene[] => [
            { seconds: 0.6, picture, tone: { frequency }, evidence: true },
            { seconds: 1, picture },
          ]).flat(),
          { seconds: 4, picture, said: "Now you may open them again." },
        ],
        result: `The bell rings ${count} times.`,
        steps: [
          "Listen to the sound from the beginning.",
          "Tell the rings apart by the silence between them.",
          `Count the rings: ${count}.`,
          "Make sure that none follows.",
        ],
      };
    },
  };
};

/** Something is seen or something is heard. */
export const counting: LessonKind = {
  category: "Counting",
  make: (random) => (random() < 0.5 ? balls(random) : bells(random)),
};

export const sequence: LessonKind = {
  category: "Puzzle",
  make(random) {
    const first = whole(random, 40, 70);
    const by = whole(random, 4, 9);
    const numbers = upFrom(first, 1);
    const title = "What comes next?";
    return {
      question: "Which number belongs in place of the question mark?",
      options: numbers.map(String),
      render(right) {
        const last = numbers[right] ?? 0;
        const shown = [4, 3, 2, 1].map((back) => last - back * by);
        return {
          scenes: [
            { seconds: 3, picture: board(title), said: "Here comes a row of numbers." },
            {
              seconds: 6,
              picture: board(title, [shown.join("   ")]),
              said: `Each is ${by} more than the one before.`,
              evidence: true,
            },
            {
              seconds: 4,
              picture: board(title, [`${shown.join("   ")}   ?`]),
              said: "One of them is hidden.",
              evidence: true,
            },
          ],
          result: `The number in place of the question mark is ${last}.`,
          steps: [
            `Read the row: ${shown.join(", ")}.`,
            `Hear the rule: each is ${by} more than the one before.`,
            `Check it: ${shown[0]} + ${by} = ${shown[1]}.`,
            `Apply it to the last: ${shown[3]} + ${by} = ${last}.`,
          ],
        };
      },
    };
  },
};
