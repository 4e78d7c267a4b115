import { seeded } from "../../src/core/random.ts";
import type { ComposeSpec, PictureSegment, Shape } from "../../src/media/compose.ts";
import {
  blankPlate,
  compareBoards,
  drawDistractor,
  drawGlimpse,
  drawLabel,
  GLIMPSE_S,
  type Settle,
} from "./looking-cues.ts";
import { between, drawPlace, type Place } from "./looking-scenes.ts";
import { captionsOf } from "./looking-words.ts";

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
