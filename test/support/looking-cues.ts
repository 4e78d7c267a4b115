import { shuffle } from "../../src/core/random.ts";
import type { Shape } from "../../src/media/compose.ts";
import type { LookingQuestion } from "./looking-films.ts";
import {
  between,
  boardShapes,
  COLOURS,
  colourOf,
  FIGURES,
  figureShapes,
  HUES,
  oneOf,
  plateShapes,
} from "./looking-scenes.ts";
import { NAMES } from "./looking-words.ts";

/* Cues and distractors in films for looking, and the questions about the cues. */

type Random = () => number;

/** How long a cue is seen, seconds. */
export const GLIMPSE_S = 2;
/** Height of small letters as a share of the frame's: capitals of 8 pixels, 4 in a frame of half the size. */
const SMALL = 0.032;

/** Finds a free time for an event of this length and adds it to the film; returns the time in seconds. */
export type Schedule = (
  length_s: number,
  ownScene: boolean,
  drawn: { shapes: (t_s: number) => Shape[]; still: boolean },
  from_s?: number,
) => [start_s: number, end_s: number];

type QuestionMaker = (random: Random) => LookingQuestion;

function choice(
  random: Random,
  right: string,
  wrong: readonly string[],
): { options: string[]; right: string } {
  const options = shuffle([right, ...wrong], random);
  return { options, right: String.fromCharCode(65 + options.indexOf(right)) };
}

const without = <T>(items: readonly T[], item: T) => items.filter((other) => other !== item);

/** Pops up, fades in and out, or passes through the picture. */
function appearing(
  random: Random,
  draw: (at: { x: number; y: number; size: number }, alpha: number) => Shape[],
) {
  const size = between(random, 0.1, 0.35);
  const x = between(random, 0.12, 0.88);
  const y = between(random, size / 2 + 0.02, 0.98 - size / 2);
  const manner = oneOf(random, ["pops", "pops", "fades", "passes"] as const);
  return {
    manner,
    size,
    still: manner === "pops",
    shapes: (t_s: number) => {
      const alpha =
        manner === "fades" ? Math.min(1, (t_s + 0.1) / 0.5, (GLIMPSE_S - t_s) / 0.5) : 1;
      const moved = manner === "passes" ? (t_s - GLIMPSE_S / 2) * 0.06 : 0;
      return draw({ x: x + moved, y, size }, alpha);
    },
  };
}

function strong(random: Random, colour: keyof typeof HUES): (alpha: number) => string {
  const value = between(random, 0.6, 1);
  const hue = HUES[colour] + between(random, -6, 6) + 360;
  return (alpha) => colourOf(hue % 360, 0.92, value, alpha);
}

/** A figure whose colour or form the question asks for, or a card with a word; seen for `GLIMPSE_S`. */
export function drawGlimpse(
  random: Random,
  cut: boolean,
  schedule: Schedule,
): { question: QuestionMaker; taken: { figure: string; colour: string } } {
  const kind = oneOf(random, ["colour", "form", "card"] as const);
  const figure = oneOf(random, FIGURES);
  const colour = oneOf(random, COLOURS);
  const asked = (
    detail: string,
    text: string,
    right: string,
    wrong: readonly string[],
    span: [number, number],
  ) =>
    ((draw) => ({
      case: "glimpse",
      detail,
      text,
      ...choice(draw, right, wrong),
      evidence_s: [span],
    })) satisfies QuestionMaker;
  if (kind === "card") {
    const [word = "", ...others] = shuffle(NAMES, random);
    const drawn = appearing(random, (at) =>
      plateShapes(word, { ...at, x: 0.5, size: 0.09 + at.size / 8 }),
    );
    const span = schedule(GLIMPSE_S, cut, drawn);
    return {
      taken: { figure: "", colour: "" },
      question: asked(
        "card",
        "Which name stands on the card that is held up for a moment?",
        word,
        others.slice(0, 3),
        span,
      ),
    };
  }
  const paint = strong(random, colour);
  const drawn = appearing(random, (at, alpha) =>
    figureShapes(figure, paint(alpha), colourOf(0, 0, 0.5, alpha), at),
  );
  const span = schedule(GLIMPSE_S, cut, drawn);
  const detail = `${kind} ${drawn.manner} ${Math.round(drawn.size * 100)} %`;
  return {
    taken: { figure, colour },
    question:
      kind === "colour"
        ? asked(
            detail,
            `What colour is the ${figure} that is seen for a moment?`,
            colour,
            shuffle(without(COLOURS, colour), random).slice(0, 3),
            span,
          )
        : asked(
            detail,
            `Which figure in ${colour} is seen for a moment?`,
            figure,
            shuffle(without(FIGURES, figure), random).slice(0, 3),
            span,
          ),
  };
}

/** A plate for 8 to 20 s with letters that can only be read in a zoom. */
export function drawLabel(random: Random, cut: boolean, schedule: Schedule): QuestionMaker {
  const [word = "", ...others] = shuffle(NAMES, random);
  const at = { x: between(random, 0.15, 0.85), y: between(random, 0.1, 0.9), size: SMALL };
  const span = schedule(between(random, 8, 20), cut, {
    shapes: () => plateShapes(word, at),
    still: true,
  });
  return (draw) => ({
    case: "small text",
    detail: "plate",
    text: "Which name is written in small letters on the plate?",
    ...choice(draw, word, others.slice(0, 3)),
    evidence_s: [span],
  });
}

/** Two boards with dots, 80 % of the film's length apart. */
export function compareBoards(
  random: Random,
  cut: boolean,
  duration_s: number,
  schedule: Schedule,
): QuestionMaker {
  const counts = [1 + Math.floor(random() * 6), 1 + Math.floor(random() * 6)] as const;
  const first_s = between(random, 2, duration_s * 0.18);
  const spans = counts.map((dots, place) => {
    const at = {
      x: between(random, 0.15, 0.85),
      y: between(random, 0.22, 0.78),
      size: between(random, 0.2, 0.4),
    };
    const from_s = first_s + place * duration_s * 0.8;
    return schedule(GLIMPSE_S, cut, { shapes: () => boardShapes(dots, at), still: true }, from_s);
  });
  const difference = counts[1] - counts[0];
  const wrong = shuffle(without([-4, -3, -2, -1, 0, 1, 2, 3, 4], difference), random).slice(0, 3);
  return (draw) => ({
    case: "compare",
    detail: `${counts[0]} and ${counts[1]}`,
    text: "A board with dots is shown twice. How does the second showing differ from the first?",
    ...choice(draw, differs(difference), wrong.map(differs)),
    evidence_s: spans,
  });
}

function differs(by: number): string {
  if (by === 0) return "it has as many dots";
  return `it has ${Math.abs(by)} ${Math.abs(by) === 1 ? "dot" : "dots"} ${by > 0 ? "more" : "fewer"}`;
}

/** A figure of another form and another colour than the cue, or a grey one. */
export function drawDistractor(
  random: Random,
  ownScene: boolean,
  schedule: Schedule,
  taken: { figure: string; colour: string },
): void {
  const figure = oneOf(
    random,
    FIGURES.filter((other) => other !== taken.figure),
  );
  const colour = oneOf(
    random,
    COLOURS.filter((other) => other !== taken.colour),
  );
  const grey = random() < 0.3;
  const paint = strong(random, colour);
  schedule(
    GLIMPSE_S,
    ownScene,
    appearing(random, (at, alpha) =>
      figureShapes(
        figure,
        grey ? colourOf(0, 0, 0.3, alpha) : paint(alpha),
        colourOf(0, 0, 0.5, alpha),
        at,
      ),
    ),
  );
}

export function blankPlate(random: Random) {
  const at = { x: between(random, 0.15, 0.85), y: between(random, 0.1, 0.9), size: SMALL };
  return { shapes: () => plateShapes("", at), still: true };
}
