import {
  barChart,
  type ComposeSpec,
  type Picture,
  type Shape,
} from "../../../src/media/compose.ts";

/** A question as a person would ask it; `answer` is a letter, or words that a right answer contains. */
export interface DemoQuestion {
  text: string;
  options?: string[];
  answer: string;
  /** Span of the evidence, in seconds. */
  evidence_s: [number, number];
}

const INK = "#1b1b1b";

const written = (text: string, y: number, size = 0.1): Shape => ({
  draw: "text",
  text,
  x: 0.12,
  y,
  size,
  anchor: "left",
  font: "sans",
  colour: INK,
});

const board = (...lines: string[]): Picture => ({
  background: "#f7f5ee",
  shapes: [
    { ...written("Linear equations", 0.12, 0.085), font: "sans-bold" } as Shape,
    ...lines.map((line, index) => written(line, 0.34 + 0.2 * index)),
  ],
});

const chart: Picture = {
  background: "#ffffff",
  shapes: [
    { ...written("Baskets sold", 0.1, 0.085), font: "sans-bold" } as Shape,
    ...barChart(
      [
        { label: "Monday", value: 4 },
        { label: "Tuesday", value: 7 },
        { label: "Wednesday", value: 2 },
      ],
      { x: 0.1, y: 0.22, width: 0.8, height: 0.62 },
    ),
  ],
};

/** 36 s: an equation solved on a board that fills up, then a chart; what is said is in an embedded subtitle stream. */
export const lesson: ComposeSpec = {
  width: 640,
  height: 360,
  fps: 10,
  segments: [
    { kind: "picture", duration_s: 4, picture: board() },
    { kind: "picture", duration_s: 4, picture: board("2x + 3 = 11") },
    { kind: "picture", duration_s: 6, picture: board("2x + 3 = 11", "2x = 8") },
    { kind: "picture", duration_s: 6, picture: board("2x + 3 = 11", "2x = 8", "x = 4") },
    { kind: "picture", duration_s: 16, picture: chart },
  ],
  subtitles: {
    where: "embedded",
    language: "eng",
    captions: [
      { start_s: 0.5, end_s: 4, text: "Welcome. Today we solve an equation on the board." },
      { start_s: 4.5, end_s: 8, text: "Twice a number plus three is eleven." },
      { start_s: 8.5, end_s: 13.5, text: "First we take away three from both sides." },
      {
        start_s: 14.5,
        end_s: 19.5,
        text: "Then we divide both sides by two, and the number is found.",
      },
      {
        start_s: 20.5,
        end_s: 25,
        text: "Here is a chart of the baskets that a farmer sold at the market.",
      },
      {
        start_s: 25.5,
        end_s: 30,
        text: "Tuesday was the best day, because a school class came by.",
      },
      { start_s: 30.5, end_s: 35.5, text: "On Wednesday heavy rain kept the customers away." },
    ],
  },
};

export const lessonQuestions: readonly DemoQuestion[] = [
  {
    text: "Why did the farmer sell so few baskets on Wednesday?",
    options: [
      "The prices had gone up",
      "Heavy rain kept the customers away",
      "The market was closed for a holiday",
      "A school class came by",
    ],
    answer: "B",
    evidence_s: [30.5, 35.5],
  },
  {
    text: "What is done with both sides first?",
    answer: "take away three",
    evidence_s: [8.5, 13.5],
  },
  {
    text: "What is x?",
    options: ["3", "4", "8", "11"],
    answer: "B",
    evidence_s: [4, 20],
  },
];
