import { createHash } from "node:crypto";
import { type Detection, detectInPicture, detectInTiles, type Place } from "./looking-detector.ts";
import type { SeenRequest } from "./model-server.ts";

/* Reads a request as a looking model sees it: its pictures with their labels, its lines of evidence and its question. */

/** A picture, or a tile of a sheet, with what was detected in it. */
export interface View {
  /** `E7`; null if the request does not name its pictures. */
  name: string | null;
  /** Seconds; the picture's number if the request has no times. */
  at_s: number;
  /** The shown part of the frame, in shares of it; null if the label does not say which. */
  part: Place | null;
  /** Null for a tile: its pixels are too few to read from. */
  image: Buffer | null;
  detections: Detection[];
}

/** `[E7] subtitle 70.5 s (01:10) to 73.0 s (01:13): The words themselves` */
export interface Line {
  name: string;
  kind: string;
  start_s: number;
  end_s: number;
  text: string;
}

export interface AskedQuestion {
  question: string;
  options: { letter: string; text: string }[];
}

export const WHOLE_FRAME: Place = { x: 0, y: 0, width: 1, height: 1 };

export function readQuestion(request: SeenRequest): AskedQuestion {
  const text = request.texts.find((words) => /^Question: /m.test(words)) ?? "";
  return {
    question: /^Question: (.*)$/m.exec(text)?.[1] ?? "",
    options: [...text.matchAll(/^\(([A-Z])\) (.*)$/gm)].map(([, letter = "", words = ""]) => ({
      letter,
      text: words.trim(),
    })),
  };
}

const LINE =
  /^\[(E\d+)\] (\w+) ([\d.]+) s(?: \([\d:.]+\))?(?: to ([\d.]+) s(?: \([\d:.]+\))?)?: (.*)$/gm;

export function readLines(request: SeenRequest): Line[] {
  const found = new Map<string, Line>();
  for (const text of request.texts)
    for (const [, name = "", kind = "", start = "0", end, words = ""] of text.matchAll(LINE))
      found.set(name, {
        name,
        kind,
        start_s: Number(start),
        end_s: Number(end ?? start),
        text: words,
      });
  return [...found.values()];
}

const detectionCache = new Map<string, Promise<Detection[] | Detection[][]>>();

/** Runs the detector once per picture, even if later requests repeat it. */
function detectOnce<T extends Detection[] | Detection[][]>(
  image: Buffer,
  kind: string,
  detect: (image: Buffer) => Promise<T>,
): Promise<T> {
  const key = kind + createHash("sha256").update(image).digest("hex");
  let seen = detectionCache.get(key) as Promise<T> | undefined;
  if (seen === undefined) {
    seen = detect(image);
    detectionCache.set(key, seen);
  }
  return seen;
}

/** Every picture of the request, with the label before it. */
export async function readViews(request: SeenRequest): Promise<View[]> {
  const views: View[] = [];
  let label = "";
  for (const part of request.parts) {
    if (part.type === "text") label = part.text;
    else if (part.type === "image") {
      views.push(...(await viewsAfter(label, part.bytes, views.length)));
      label = "";
    }
  }
  return views;
}

async function viewsAfter(label: string, image: Buffer, number: number): Promise<View[]> {
  const last = label.trim().split("\n").at(-1) ?? "";
  const named = [...last.matchAll(/\[(E\d+)\][^[\d]*([\d.]+) s/g)];
  if (/^Sheet of \d+ frames/.test(last)) {
    const tiles = await detectOnce(image, "sheet", detectInTiles);
    return named.map(([, name = "", at_s], index) => ({
      name,
      at_s: Number(at_s),
      part: WHOLE_FRAME,
      image: null,
      detections: tiles[index] ?? [],
    }));
  }
  const [, name = null, at_s = number] = named[0] ?? [];
  return [
    {
      name,
      at_s: Number(at_s),
      part: zoomedPart(last),
      image,
      detections: await detectOnce(image, "picture", detectInPicture),
    },
  ];
}

/** The part of a frame that a zoom shows; null if its label does not say. */
function zoomedPart(label: string): Place | null {
  if (!/^\[E\d+\] part of/.test(label)) return WHOLE_FRAME;
  const [x, y, width, height] =
    /box x ([\d.]+) y ([\d.]+) width ([\d.]+) height ([\d.]+)/.exec(label)?.slice(1).map(Number) ??
    [];
  return x === undefined || y === undefined || width === undefined || height === undefined
    ? null
    : { x, y, width, height };
}
