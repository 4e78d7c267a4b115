import { seeded, shuffle } from "../../src/core/random.ts";
import type { Caption, ComposeSpec, PictureSegment, Shape } from "../../src/media/compose.ts";
import {
  between,
  boardShapes,
  COLOURS,
  colourOf,
  drawPlace,
  FIGURES,
  figureShapes,
  HUES,
  oneOf,
  type Place,
  plateShapes,
} from "./looking-scenes.ts";
import { captionsOf, NAMES } from "./looking-words.ts";

/*
 * Films of ten minutes in which little things are seen for a moment, and questions that only they answer. What is
 * asked for, where it stands and which option is right come from the seed; the questions' words tell none of it.
 */

type Random = () => number;

export const CASES = ["glimpse", "speech", "small text", "compare"] as const;
export type Case = (typeof CASES)[number];

export interface LookingQuestion {
  case: Case;
  /** What the glimpse was: told in tables, never to a model. */
  detail: string;
  text: string;
  options: string[];
  /** Letter of the right option. */
  right: string;
  /** Where the evidence stands, seconds. */
  evidence_s: [start_s: number, end_s: number][];
}

export interface LookingFilm {
  spec: ComposeSpec;
  questions: LookingQuestion[];
}

export interface FilmSpec {
  seed: string | number;
  /** A hard cut before and after each thing, to a scene of its own; else it comes and goes in a scene that stays. */
  cut: boolean;
  /** Default 600, at least 120: the two boards are four fifths of it apart. */
  duration_s?: number;
}

const WIDTH = 640;
const HEIGHT = 360;
export const FPS = 4;
const GLIMPSE_S = 2;
/** Share of the height of the small letters: capitals of eight pixels, of which a frame of half the size leaves four. */
const SMALL = 0.032;

/** Something that is seen for a while, in front of the place or in a scene of its own. */
interface Event {
  start_s: number;
  end_s: number;
  ownScene: boolean;
  shapes: (t_s: number) => Shape[];
  still: boolean;
}

export function lookingFilm({ seed, cut, duration_s = 600 }: FilmSpec): LookingFilm {
  const random = seeded("looking film", seed, String(cut));
  const scenes = drawScenes(random, duration_s);
  const events: Event[] = [];
  const settle = settler(random, scenes, events, duration_s);
  const boards = compareBoards(random, cut, duration_s, settle);
  const glimpse = drawGlimpse(random, cut, settle);
  const label = drawLabel(random, cut, settle);
  const speech = captionsOf(random, duration_s);
  for (let pop = 0; pop < 6; pop++) drawDistractor(random, pop % 2 === 0, settle, glimpse.taken);
  for (let plate = 0; plate < 2; plate++) settle(between(random, 5, 25), false, blankPlate(random));
  return {
    spec: {
      width: WIDTH,
      height: HEIGHT,
      fps: FPS,
      silent: true,
      preset: "superfast",
      crf: 30,
      segments: segmentsOf(random, scenes, events, duration_s),
      subtitles: { captions: speech.captions, where: "embedded", language: "eng" },
    },
    questions: [glimpse.question, speech.question, label, boards].map((question) =>
      question(random),
    ),
  };
}

interface Scene {
  start_s: number;
  end_s: number;
  place: Place;
}

/** Places of 10 to 80 s that follow each other by hard cuts. */
function drawScenes(random: Random, duration_s: number): Scene[] {
  const scenes: Scene[] = [];
  for (let at = 0; at < duration_s; ) {
    const place = drawPlace(random);
    const length = Math.round(place.moves ? between(random, 10, 22) : between(random, 25, 80));
    const end_s = duration_s - at - length < 15 ? duration_s : at + length;
    scenes.push({ start_s: at, end_s, place });
    at = end_s;
  }
  return scenes;
}

type Settle = (
  length_s: number,
  ownScene: boolean,
  drawn: { shapes: (t_s: number) => Shape[]; still: boolean },
  from_s?: number,
) => [start_s: number, end_s: number];

const KEEP_AWAY_S = 3;

/** Puts an event at a place drawn evenly over the film, away from other events and inside of one scene. */
function settler(
  random: Random,
  scenes: readonly Scene[],
  events: Event[],
  duration_s: number,
): Settle {
  const fits = (start_s: number, end_s: number) =>
    start_s >= 1 &&
    end_s <= duration_s - 1 &&
    scenes.some((scene) => start_s >= scene.start_s + 1 && end_s <= scene.end_s - 1) &&
    events.every(
      (event) => end_s + KEEP_AWAY_S <= event.start_s || start_s >= event.end_s + KEEP_AWAY_S,
    );
  return (asked_s, ownScene, drawn, from_s) => {
    for (let tries = 0; tries < 5000; tries++) {
      const length_s = Math.max(GLIMPSE_S, asked_s * (1 - tries / 6000));
      const wanted =
        from_s === undefined ? random() * duration_s : from_s + (random() - 0.5) * tries * 0.05;
      const start_s = Math.round(wanted * FPS) / FPS;
      const end_s = start_s + Math.round(length_s * FPS) / FPS;
      if (!fits(start_s, end_s)) continue;
      events.push({ start_s, end_s, ownScene, ...drawn });
      return [start_s, end_s];
    }
    throw new Error(`no room for ${asked_s} s`);
  };
}

type AskedBy = (random: Random) => LookingQuestion;

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

/** For two seconds: a figure whose colour or form is asked for, or a card with a word. */
function drawGlimpse(
  random: Random,
  cut: boolean,
  settle: Settle,
): { question: AskedBy; taken: { figure: string; colour: string } } {
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
    })) satisfies AskedBy;
  if (kind === "card") {
    const [word = "", ...others] = shuffle(NAMES, random);
    const drawn = appearing(random, (at) =>
      plateShapes(word, { ...at, x: 0.5, size: 0.09 + at.size / 8 }),
    );
    const span = settle(GLIMPSE_S, cut, drawn);
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
  const span = settle(GLIMPSE_S, cut, drawn);
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

/** A plate that stands for a while, with letters that only a closer look can read. */
function drawLabel(random: Random, cut: boolean, settle: Settle): AskedBy {
  const [word = "", ...others] = shuffle(NAMES, random);
  const at = { x: between(random, 0.15, 0.85), y: between(random, 0.1, 0.9), size: SMALL };
  const span = settle(between(random, 8, 20), cut, {
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

/** Two boards with dots, four fifths of the film apart. */
function compareBoards(random: Random, cut: boolean, duration_s: number, settle: Settle): AskedBy {
  const counts = [1 + Math.floor(random() * 6), 1 + Math.floor(random() * 6)] as const;
  const first_s = between(random, 2, duration_s * 0.18);
  const spans = counts.map((dots, place) => {
    const at = {
      x: between(random, 0.15, 0.85),
      y: between(random, 0.22, 0.78),
      size: between(random, 0.2, 0.4),
    };
    const from_s = first_s + place * duration_s * 0.8;
    return settle(GLIMPSE_S, cut, { shapes: () => boardShapes(dots, at), still: true }, from_s);
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

/** Another figure in another colour than what is asked for, or something grey. */
function drawDistractor(
  random: Random,
  ownScene: boolean,
  settle: Settle,
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
  settle(
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

function blankPlate(random: Random) {
  const at = { x: between(random, 0.15, 0.85), y: between(random, 0.1, 0.9), size: SMALL };
  return { shapes: () => plateShapes("", at), still: true };
}

/** One segment for each stretch in which the same things are seen; nothing tells them apart in the film. */
function segmentsOf(
  random: Random,
  scenes: readonly Scene[],
  events: readonly Event[],
  duration_s: number,
): PictureSegment[] {
  const edges = [
    ...new Set([
      ...scenes.map((scene) => scene.start_s),
      ...events.flatMap((event) => [event.start_s, event.end_s]),
      duration_s,
    ]),
  ].sort((a, b) => a - b);
  const closeUps = new Map(events.map((event) => [event, drawPlace(random)]));
  return edges.slice(0, -1).map((start_s, index) => {
    const end_s = edges[index + 1] as number;
    const scene = scenes.find((one) => one.start_s <= start_s && start_s < one.end_s) as Scene;
    const event = events.find((one) => one.start_s <= start_s && start_s < one.end_s);
    const place = event?.ownScene ? (closeUps.get(event) as Place) : scene.place;
    const picture = (t_s: number) => {
      const ground = place.picture(start_s + t_s - scene.start_s);
      const seen = event?.shapes(start_s + t_s - event.start_s) ?? [];
      return { ...ground, shapes: [...ground.shapes, ...seen] };
    };
    const moves = place.moves || event?.still === false;
    return {
      kind: "picture",
      duration_s: end_s - start_s,
      picture: moves ? picture : picture(0),
      noise: place.noise,
    };
  });
}

export type { Caption };
