import sharp from "sharp";
import { compose } from "../../src/media/compose.ts";
import { madeOnce } from "./made-once.ts";
import type { Script, SeenRequest } from "./model-server.ts";

/*
 * A procedure in shuffled clips with known content: each clip has its own colour, which becomes lighter over time. And a
 * scripted model that describes the frames it receives.
 */

const COLOURS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [1, 0, 1],
  [0, 1, 1],
  [1, 1, 1],
] as const;

export interface ShuffledVideo {
  file: string;
  /** Spans of the clips without their cards, clip 1 first. */
  spans: { start_s: number; end_s: number }[];
}

/** Makes a video of up to 7 clips of 2 s, each after a card of 0.6 s; with `cards` false, without cards. */
export async function makeShuffled(
  file: string,
  clips: number,
  { cards = true } = {},
): Promise<ShuffledVideo> {
  const what = `${clips} shuffled clips ${cards ? "with" : "without"} cards`;
  return { file, spans: await madeOnce(what, file, (made) => drawShuffled(made, clips, cards)) };
}

async function drawShuffled(
  file: string,
  clips: number,
  cards: boolean,
): Promise<ShuffledVideo["spans"]> {
  const { segments } = await compose(
    {
      width: 320,
      height: 240,
      fps: 10,
      silent: true,
      segments: COLOURS.slice(0, clips).flatMap((colour, index) => [
        ...(cards
          ? [{ kind: "card", text: `Clip ${index + 1}`, size: 0.15, duration_s: 0.6 } as const]
          : []),
        {
          kind: "picture",
          duration_s: 2,
          picture: (t_s: number) => ({ background: shade(colour, 90 + 70 * t_s), shapes: [] }),
        } as const,
      ]),
    },
    file,
  );
  return segments.filter(({ kind }) => kind === "picture");
}

function shade(colour: readonly number[], value: number): string {
  const hex = colour.map((part) =>
    Math.round(part * value)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** Which clip a frame shows (0: a card) and how light it is. */
export async function identifyClip(jpeg: Buffer): Promise<{ clip: number; light: number }> {
  // The frames of a clip have one colour, so a few pixels tell it; statistics of all take a hundred times as long.
  const few = await sharp(jpeg)
    .resize(4, 4, { fit: "fill" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  const means = [0, 1, 2].map(
    (channel) => few.filter((_, index) => index % 3 === channel).reduce((a, b) => a + b, 0) / 16,
  );
  const light = Math.max(...means);
  const lit = means.map((mean) => (mean > light / 2 ? 1 : 0)).join();
  const clip = light < 60 ? 0 : COLOURS.findIndex((colour) => colour.join() === lit) + 1;
  return { clip, light };
}

/** Clips in the pictures of a request, in order; consecutive frames of a clip count once. */
export async function clipsSeen(request: SeenRequest): Promise<number[]> {
  const seen = await Promise.all(request.images.map(identifyClip));
  return seen
    .map(({ clip }) => clip)
    .filter((clip, index, all) => clip !== 0 && clip !== all[index - 1]);
}

/** The scripted model's description of a clip that shows step number `place` of the procedure, from 1. */
export function description(place: number): string {
  return `A hand works on the bowl until it is at stage ${place}.`;
}

const placeIn = (text: string) => Number(/stage (\d+)/.exec(text)?.[1] ?? 0);

/** The last text of a request, which is the prompt. */
export function wordsOf(request: SeenRequest): string {
  return request.texts.at(-1) ?? "";
}

export type Step = "count" | "all" | "one" | "clip" | "order" | "compare" | "direct" | "other";

/** The prompt of a request, detected by its wording. */
export function stepOf(request: SeenRequest): Step {
  const words = wordsOf(request);
  if (words.includes("How many clips")) return "count";
  if (words.includes("Look only at Clip")) return "one";
  if (words.includes("Clip 1: <one sentence>")) return "all";
  if (words.includes("show one short clip")) return "clip";
  if (words.includes("Event A:")) return "compare";
  if (words.includes("Below stand its steps") || words.includes("Below stands what is done"))
    return "order";
  if (words.includes("Work out what is done in each clip")) return "direct";
  return "other";
}

/**
 * Answers every prompt of RRD correctly: clip k shows step `places[k - 1]`. If a prompt does not name its clip, the model
 * detects it in the frames.
 */
export function procedureModel(places: readonly number[]): Script {
  return async (request) => {
    const words = wordsOf(request);
    switch (stepOf(request)) {
      case "count":
        return String(places.length);
      case "all":
        return places.map((place, index) => `Clip ${index + 1}: ${description(place)}`).join("\n");
      case "one":
        return description(places[Number(/only at Clip (\d+)/.exec(words)?.[1]) - 1] ?? 0);
      case "clip": {
        const [clip = 0] = await clipsSeen(request);
        return description(places[clip - 1] ?? 0);
      }
      case "order": {
        const lines = [...words.matchAll(/^Clip (\d+): (.*)$/gm)];
        const sorted = lines.sort((a, b) => placeIn(a[2] ?? "") - placeIn(b[2] ?? ""));
        return `Correct order: ${sorted.map((line) => line[1]).join(", ")}`;
      }
      case "compare": {
        const [a = "", b = ""] = words.split("Event B:");
        return placeIn(a) < placeIn(b) ? "A" : "B";
      }
      case "direct":
        return `Correct order: ${rightOrder(places).join(", ")}`;
      case "other":
        return { status: 400, text: `unknown prompt: ${words.slice(0, 80)}` };
    }
  };
}

/** Clip numbers, sorted by the step that each clip shows. */
export function rightOrder(places: readonly number[]): number[] {
  return places
    .map((place, index) => ({ place, clip: index + 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ clip }) => clip);
}
