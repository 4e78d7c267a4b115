import { seeded } from "../../src/core/random.ts";
import type { ComposeSpec, PictureSegment, Shape } from "../../src/media/compose.ts";
import {
  blankPlate,
  compareBoards,
  drawDistractor,
  drawGlimpse,
  drawLabel,
  GLIMPSE_S,
  type Schedule,
} from "./looking-cues.ts";
import { between, drawPlace, type Place } from "./looking-scenes.ts";
import { drawCaptions } from "./looking-words.ts";

/*
 * Films of ten minutes with short cues, and questions that only the cues answer. The seed decides what the cues are,
 * when they are seen, and which option is right; the wording of a question does not reveal its answer.
 */

type Random = () => number;

export const CASES = ["glimpse", "speech", "small text", "compare"] as const;
export type Case = (typeof CASES)[number];

export interface LookingQuestion {
  case: Case;
  /** What the cue was. For tables; no model gets it. */
  detail: string;
  text: string;
  options: string[];
  /** Letter of the right option. */
  right: string;
  /** Spans of the evidence, seconds. */
  evidence_s: [start_s: number, end_s: number][];
}

export interface LookingFilm {
  spec: ComposeSpec;
  questions: LookingQuestion[];
}

export interface FilmSpec {
  seed: string | number;
  /** Whether each cue has its own scene, with hard cuts around it; otherwise it appears within a scene that goes on. */
  cut: boolean;
  /** Seconds. Default 600, at least 120: the two boards are 80 % of it apart. */
  duration_s?: number;
}

const WIDTH = 640;
const HEIGHT = 360;
export const FPS = 4;

/** Shapes that are seen for some time, in front of the current place or in their own scene. */
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
  const schedule = createScheduler(random, scenes, events, duration_s);
  const boards = compareBoards(random, cut, duration_s, schedule);
  const glimpse = drawGlimpse(random, cut, schedule);
  const label = drawLabel(random, cut, schedule);
  const speech = drawCaptions(random, duration_s);
  for (let pop = 0; pop < 6; pop++) drawDistractor(random, pop % 2 === 0, schedule, glimpse.taken);
  for (let plate = 0; plate < 2; plate++)
    schedule(between(random, 5, 25), false, blankPlate(random));
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

/** Puts events at random times: inside one scene, at least `KEEP_AWAY_S` from each other. */
function createScheduler(
  random: Random,
  scenes: readonly Scene[],
  events: Event[],
  duration_s: number,
): Schedule {
  const fits = (start_s: number, end_s: number) =>
    start_s >= 1 &&
    end_s <= duration_s - 1 &&
    scenes.some((scene) => start_s >= scene.start_s + 1 && end_s <= scene.end_s - 1) &&
    events.every(
      (event) => end_s + KEEP_AWAY_S <= event.start_s || start_s >= event.end_s + KEEP_AWAY_S,
    );
  return (wanted_length_s, ownScene, drawn, from_s) => {
    for (let tries = 0; tries < 5000; tries++) {
      const length_s = Math.max(GLIMPSE_S, wanted_length_s * (1 - tries / 6000));
      const wanted =
        from_s === undefined ? random() * duration_s : from_s + (random() - 0.5) * tries * 0.05;
      const start_s = Math.round(wanted * FPS) / FPS;
      const end_s = start_s + Math.round(length_s * FPS) / FPS;
      if (!fits(start_s, end_s)) continue;
      events.push({ start_s, end_s, ownScene, ...drawn });
      return [start_s, end_s];
    }
    throw new Error(`no free time for an event of ${wanted_length_s} s`);
  };
}

/** One segment for each span in which the same event is seen. */
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
