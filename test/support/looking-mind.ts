import { createHash } from "node:crypto";
import { lookAtPicture, lookAtSheet, type Place, type Sight } from "./looking-eyes.ts";
import type { SeenRequest } from "./model-server.ts";

/*
 * What a looking model makes of a request: its pictures by their labels, its lines of evidence and the question. It knows what was sent, and nothing else.
 */

/** A picture, or a tile of a sheet, with what stands out in it. */
export interface View {
  /** `E7`; null where the request gives pictures no names. */
  name: string | null;
  /** Seconds; where no times are given, the picture's number. */
  at_s: number;
  /** The part of the frame that is shown, in shares of it; null for one that nobody tells. */
  part: Place | null;
  /** Null for a tile: its pixels are too few to read from. */
  image: Buffer | null;
  sights: Sight[];
}

/** `[E7] subtitle 70.5 s (01:10) to 73.0 s (01:13): The words themselves` */
export interface Line {
  name: string;
  kind: string;
  start_s: number;
  end_s: number;
  text: string;
}

export interface Matter {
  question: string;
  options: { letter: string; text: string }[];
}

export const WHOLE: Place = { x: 0, y: 0, width: 1, height: 1 };

export function matterOf(request: SeenRequest): Matter {
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

export function linesOf(request: SeenRequest): Line[] {
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

const looked = new Map<string, Promise<Sight[] | Sight[][]>>();

/** Looks at a picture once, however often it is sent again. */
function once<T extends Sight[] | Sight[][]>(
  image: Buffer,
  how: string,
  look: (image: Buffer) => Promise<T>,
): Promise<T> {
  const key = how + createHash("sha256").update(image).digest("hex");
  let seen = looked.get(key) as Promise<T> | undefined;
  if (seen === undefined) {
    seen = look(image);
    looked.set(key, seen);
  }
  return seen;
}

/** Every picture of the request by the label before it. */
export async function viewsOf(request: SeenRequest): Promise<View[]> {
  const views: View[] = [];
  let label = "";
  for (const part of request.parts) {
    if (part.type === "text") label = part.text;
    else if (part.type === "image") {
      views.push(...(await viewsBehind(label, part.bytes, views.length)));
      label = "";
    }
  }
  return views;
}

async function viewsBehind(label: string, image: Buffer, number: number): Promise<View[]> {
  const last = label.trim().split("\n").at(-1) ?? "";
  const named = [...last.matchAll(/\[(E\d+)\][^[\d]*([\d.]+) s/g)];
  if (/^Sheet of \d+ frames/.test(last)) {
    const tiles = await once(image, "sheet", lookAtSheet);
    return named.map(([, name = "", at_s], index) => ({
      name,
      at_s: Number(at_s),
      part: WHOLE,
      image: null,
      sights: tiles[index] ?? [],
    }));
  }
  const [, name = null, at_s = number] = named[0] ?? [];
  return [
    {
      name,
      at_s: Number(at_s),
      part: partIn(last),
      image,
      sights: await once(image, "picture", lookAtPicture),
    },
  ];
}

/** The part that a zoom showed; null where nobody tells. */
function partIn(label: string): Place | null {
  if (!/^\[E\d+\] part of/.test(label)) return WHOLE;
  const [x, y, width, height] =
    /box x ([\d.]+) y ([\d.]+) width ([\d.]+) height ([\d.]+)/.exec(label)?.slice(1).map(Number) ??
    [];
  return x === undefined || y === undefined || width === undefined || height === undefined
    ? null
    : { x, y, width, height };
}
