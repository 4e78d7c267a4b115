import { barChart, type Picture, type Shape } from "../../../src/media/compose.ts";
import { ball, board, box, draw, label, line, whole } from "./drawing.ts";
import { type LessonKind, upFrom } from "./question-template.ts";

/* Lessons whose evidence is a figure: geometry, charts, topology, graphs. */

const triangle: Shape[] = [
  line(0.52, 0.8, 0.92, 0.8),
  line(0.52, 0.8, 0.66, 0.3),
  line(0.66, 0.3, 0.92, 0.8),
  label("A", 0.49, 0.82),
  label("B", 0.95, 0.82),
  label("C", 0.66, 0.22),
];

export const angle: LessonKind = {
  category: "Geometry Angle",
  make(random) {
    const angles = upFrom(whole(random, 6, 10) * 5, 5);
    const a = whole(random, 40, 60);
    const title = "Angles of a triangle";
    return {
      question: "How many degrees has the angle at corner C of the triangle?",
      options: angles.map((degrees) => `${degrees} degrees`),
      render(right) {
        const c = angles[right] ?? 0;
        const b = 180 - a - c;
        return {
          scenes: [
            {
              seconds: 3,
              picture: board(title, [], triangle),
              said: "Here is a triangle with corners A, B and C.",
            },
            {
              seconds: 4,
              picture: board(title, [`A = ${a}°`], triangle),
              said: "I measure at corner A first.",
              evidence: true,
            },
            {
              seconds: 5,
              picture: board(title, [`A = ${a}°`, `B = ${b}°`], triangle),
              said: "And this is what I find at corner B.",
              evidence: true,
            },
          ],
          result: `The angle at corner C has ${c} degrees.`,
          steps: [
            `Read the angle at A: ${a} degrees.`,
            `Read the angle at B: ${b} degrees.`,
            "Recall that the angles of a triangle add up to 180 degrees.",
            `Add the two angles: ${a} + ${b} = ${a + b}.`,
            `Subtract: 180 - ${a + b} = ${c}.`,
          ],
        };
      },
    };
  },
};

export const area: LessonKind = {
  category: "Geometry Area",
  make(random) {
    const widths = upFrom(whole(random, 6, 11), 1);
    const height = whole(random, 4, 9);
    const title = "Area of a rectangle";
    return {
      question: "What is the area of the rectangle?",
      options: widths.map((width) => `${width * height} square centimetres`),
      render(right) {
        const width = widths[right] ?? 0;
        const rectangle = box(0.5, 0.42, 0.4, 0.34, "#cfe3f5", "#333333");
        const below = label(`${width} cm`, 0.7, 0.85);
        const beside = label(`${height} cm`, 0.4, 0.59);
        return {
          scenes: [
            { seconds: 3, picture: board(title, [], [rectangle]), said: "Look at this rectangle." },
            {
              seconds: 4,
              picture: board(title, [], [rectangle, below]),
              said: "The longer side is measured first.",
              evidence: true,
            },
            {
              seconds: 5,
              picture: board(title, [], [rectangle, below, beside]),
              said: "Then the side at the left.",
              evidence: true,
            },
          ],
          result: `The area of the rectangle is ${width * height} square centimetres.`,
          steps: [
            `Read the lower side: ${width} cm.`,
            `Read the left side: ${height} cm.`,
            "Recall that the area of a rectangle is the product of its sides.",
            `Multiply: ${width} x ${height} = ${width * height}.`,
          ],
        };
      },
    };
  },
};

export const fence: LessonKind = {
  category: "Geometry Length",
  make(random) {
    const widths = upFrom(whole(random, 8, 14), 1);
    const depth = whole(random, 5, 9);
    const gate = whole(random, 1, 4);
    const metres = (width: number) => 2 * (width + depth) - gate;
    const title = "A fence around the garden";
    return {
      question: "How many metres of fence does the garden need?",
      options: widths.map((width) => `${metres(width)} metres`),
      render(right) {
        const width = widths[right] ?? 0;
        const garden = box(0.45, 0.35, 0.45, 0.4, "#b7dba5", "#5d3a1a");
        const sides = [label(`${width} m`, 0.675, 0.84), label(`${depth} m`, 0.37, 0.55)];
        return {
          scenes: [
            {
              seconds: 3,
              picture: board(title, [], [garden]),
              said: "A farmer wants to close in the whole garden.",
            },
            {
              seconds: 5,
              picture: board(title, [], [garden, ...sides]),
              said: "Both sides stand at the edge.",
              evidence: true,
            },
            {
              seconds: 5,
              picture: board(title, [], [garden, ...sides, box(0.62, 0.335, 0.1, 0.03, "#f7f5ee")]),
              said: `The gate stays open, it is ${gate} m wide.`,
              evidence: true,
            },
          ],
          result: `The garden needs ${metres(width)} metres of fence.`,
          steps: [
            `Read the sides of the garden: ${width} m and ${depth} m.`,
            `Find the way around it: 2 x (${width} + ${depth}) = ${2 * (width + depth)}.`,
            `Hear that the gate is ${gate} m wide and stays open.`,
            `Subtract the gate: ${2 * (width + depth)} - ${gate} = ${metres(width)}.`,
          ],
        };
      },
    };
  },
};

const chart = (title: string, bars: { label: string; value: number }[]): Picture => ({
  background: "#ffffff",
  shapes: [
    { draw: "text", text: title, x: 0.5, y: 0.09, size: 0.085, font: "sans-bold" },
    ...barChart(bars, { x: 0.08, y: 0.24, width: 0.84, height: 0.6 }),
  ],
});

const FRUITS = ["Apples", "Pears", "Plums", "Figs", "Grapes", "Melons", "Lemons", "Quinces"];

export const mostSold: LessonKind = {
  category: "Chart",
  make(random) {
    const fruits = draw(FRUITS, 5, random);
    const top = whole(random, 9, 14);
    const others = draw([1, 2, 3, 4, 5, 6], 4, random).map((less) => top - less);
    return {
      question: "Which fruit was sold most often at the market?",
      options: fruits,
      render(right) {
        const bars = fruits.map((fruit, place) => ({
          label: fruit,
          value: place === right ? top : (others[place < right ? place : place - 1] ?? 0),
        }));
        return {
          scenes: [
            {
              seconds: 4,
              picture: board("Reading a bar chart"),
              said: "A chart shows more than a list of numbers.",
            },
            {
              seconds: 8,
              picture: chart("Sold at the market", bars),
              said: "Each bar stands for one kind, and its number for baskets.",
              evidence: true,
            },
          ],
          result: `${fruits[right]} were sold most often at the market.`,
          steps: [
            "Read the labels below the bars.",
            `Read the values above the bars: ${bars.map((bar) => `${bar.label} ${bar.value}`).join(", ")}.`,
            `Find the largest value: ${top}.`,
            `Name its bar: ${fruits[right]}.`,
          ],
        };
      },
    };
  },
};

const DAYS = ["Monday", "Tuesday", "Friday", "Saturday", "Sunday"];

export const howManyMore: LessonKind = {
  category: "Chart",
  make(random) {
    const [more, less] = draw(DAYS, 2, random) as [string, string];
    const differences = upFrom(whole(random, 2, 8), 1);
    const low = whole(random, 3, 12);
    const rest = DAYS.map(() => whole(random, 3, 20));
    return {
      question: `How many more visitors came on ${more} than on ${less}?`,
      options: differences.map((difference) => `${difference} visitors`),
      render(right) {
        const difference = differences[right] ?? 0;
        const high = low + difference;
        const bars = DAYS.map((day, place) => ({
          label: day,
          value: day === more ? high : day === less ? low : (rest[place] ?? 0),
        }));
        return {
          scenes: [
            {
              seconds: 4,
              picture: board("Comparing two bars"),
              said: "Somebody counted who came to the museum.",
            },
            {
              seconds: 8,
              picture: chart("Visitors", bars),
              said: "Take your time to read this chart.",
              evidence: true,
            },
          ],
          result: `On ${more} ${difference} more visitors came than on ${less}.`,
          steps: [
            `Find the bars of ${more} and ${less}.`,
            `Read the value of ${more}: ${high}.`,
            `Read the value of ${less}: ${low}.`,
            `Subtract: ${high} - ${low} = ${difference}.`,
          ],
        };
      },
    };
  },
};

export const holes: LessonKind = {
  category: "Topology",
  make(random) {
    const counts = upFrom(whole(random, 2, 4), 1);
    const plugged = whole(random, 1, 2);
    const places = draw(
      Array.from(
        { length: 15 },
        (_, i) => [0.26 + 0.12 * (i % 5), 0.36 + 0.18 * Math.floor(i / 5)] as const,
      ),
      10,
      random,
    );
    return {
      question: "How many holes has the plate at the end?",
      options: counts.map((count) => `${count} holes`),
      render(right) {
        const count = counts[right] ?? 0;
        const drilled = places.slice(0, count + plugged);
        const plate = (open: number, filled: number): Picture =>
          board(
            "Holes in a plate",
            [],
            [
              box(0.18, 0.25, 0.64, 0.58, "#8a8f94"),
              ...drilled
                .slice(0, open)
                .map(([x, y], place) => ball(x, y, 0.055, place < filled ? "#c98b3d" : "#f7f5ee")),
            ],
          );
        return {
          scenes: [
            { seconds: 2, picture: plate(0, 0), said: "Here is a plate of steel." },
            ...drilled.map((_, place) => ({
              seconds: 1.4,
              picture: plate(place + 1, 0),
              evidence: true,
            })),
            ...Array.from({ length: plugged }, (_, place) => ({
              seconds: 3,
              picture: plate(drilled.length, place + 1),
              ...(place === 0 ? { said: "What is filled with wax lets nothing through." } : {}),
              evidence: true,
            })),
          ],
          result: `At the end the plate has ${count} holes.`,
          steps: [
            "Watch the plate from its first hole on.",
            `Count the holes that are drilled: ${drilled.length}.`,
            `Count the holes that are filled again: ${plugged}.`,
            `Subtract: ${drilled.length} - ${plugged} = ${count}.`,
          ],
        };
      },
    };
  },
};

const TOWNS = ["Aldor", "Brema", "Corin", "Delft", "Elsen", "Farun", "Gorla", "Hanov"];
/** Positions of the towns, and of their names outside all roads. */
const AT = [
  { town: [0.5, 0.34], name: [0.5, 0.25] },
  { town: [0.8, 0.5], name: [0.9, 0.5] },
  { town: [0.7, 0.82], name: [0.7, 0.92] },
  { town: [0.3, 0.82], name: [0.3, 0.92] },
  { town: [0.2, 0.5], name: [0.1, 0.5] },
] as const;

export const roads: LessonKind = {
  category: "Graph Theory",
  make(random) {
    const towns = draw(TOWNS, 5, random);
    const order = draw([0, 1, 2, 3, 4, 5], 6, random);
    return {
      question: "From which town do most roads lead away?",
      options: towns,
      render(right) {
        const others = [0, 1, 2, 3, 4].filter((town) => town !== right);
        const [a = 0, b = 0, c = 0] = others;
        const all = [
          ...others.map((town) => [right, town] as const),
          [a, b] as const,
          [b, c] as const,
        ];
        const edges = order.map((place) => all[place] as readonly [number, number]);
        const map = (built: number): Picture =>
          board(
            "Roads between five towns",
            [],
            [
              ...edges.slice(0, built).map(([from, to]) => line(...at(from), ...at(to), "#8d6e4b")),
              ...towns.flatMap((name, place) => [
                ball(...at(place), 0.03, "#2b5fae"),
                label(name, ...at(place, "name"), 0.07),
              ]),
            ],
          );
        return {
          scenes: [
            { seconds: 3, picture: map(0), said: "Five towns begin to build their roads." },
            ...edges.map((_, place) => ({ seconds: 1.6, picture: map(place + 1), evidence: true })),
            {
              seconds: 3,
              picture: map(edges.length),
              said: "Now everything is built.",
              evidence: true,
            },
          ],
          result: `Most roads lead away from ${towns[right]}.`,
          steps: [
            `Read the names of the towns: ${towns.join(", ")}.`,
            `List the roads: ${edges.map(([from, to]) => `${towns[from]}-${towns[to]}`).join(", ")}.`,
            "Count the roads at each town.",
            `Name the town with the most, which has 4: ${towns[right]}.`,
          ],
        };
      },
    };
  },
};

function at(place: number, what: "town" | "name" = "town"): readonly [number, number] {
  return AT[place]?.[what] ?? [0.5, 0.5];
}
