import sharp from "sharp";
import { compose } from "../../src/media/compose.ts";
import type { Script, SeenRequest } from "./model-server.ts";

/*
 * A procedure in shuffled clips that a test can see through: each clip has a colour of its own, which grows lighter
 * as it goes on. And a model that says what the frames it got really show.
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

/** `clips` up to 7, each of 2 s behind a card of 0.6 s; `cards` false leaves the cards out. */
export async function makeShuffled(
  file: string,
  clips: number,
  { cards = true } = {},
): Promise<ShuffledVideo> {
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
  return { file, spans: segments.filter(({ kind }) => kind === "picture") };
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
export async function lookAt(jpeg: Buffer): Promise<{ clip: number; light: number }> {
  const { channels } = await sharp(jpeg).stats();
  const means = channels.slice(0, 3).map((channel) => channel.mean);
  const light = Math.max(...means);
  const lit = means.map((mean) => (mean > light / 2 ? 1 : 0)).join();
  const clip = light < 60 ? 0 : COLOURS.findIndex((colour) => colour.join() === lit) + 1;
  return { clip, light };
}

/** Clips shown by the pictures of a request, in order, each run of frames once. */
export async function clipsSeen(request: SeenRequest): Promise<number[]> {
  const seen = await Promise.all(request.images.map(lookAt));
  return seen
    .map(({ clip }) => clip)
    .filter((clip, index, all) => clip !== 0 && clip !== all[index - 1]);
}

/** What the scripted model says of a clip whose step is the `place`th of the procedure (from 1). */
export function description(place: number): string {
  return `A hand works on the bowl until it is at stage ${place}.`;
}

const placeIn = (text: string) => Number(/stage (\d+)/.exec(text)?.[1] ?? 0);

/** The last text of a request: the prompt's. */
export function wordsOf(request: SeenRequest): string {
  return request.texts.at(-1) ?? "";
}

export type Step = "count" | "all" | "one" | "clip" | "order" | "compare" | "direct" | "other";

/** Which of the prompts a request was made from, told by its words. */
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
 * Answers every prompt of RRD as it should be: clip k is the step of place `places[k - 1]`. What a clip shows is read
 * off the frames where the prompt does not name it.
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
        return { status: 400, text: `no such prompt: ${words.slice(0, 80)}` };
    }
  };
}

/** Clip numbers in the order of their places. */
export function rightOrder(places: readonly number[]): number[] {
  return places
    .map((place, index) => ({ place, clip: index + 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ clip }) => clip);
}
