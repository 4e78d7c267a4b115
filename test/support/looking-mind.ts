import { createHash } from "node:crypto";
import { lookAtPicture, lookAtSheet, type Place, readPart, type Sight } from "./looking-eyes.ts";
import { COLOURS, FIGURES } from "./looking-scenes.ts";
import type { SeenRequest } from "./model-server.ts";

/*
 * What a looking model makes of a request: its pictures by their labels, its lines of evidence, the question, and the
 * answer that they bear out. It knows what was sent, and nothing else.
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

const WHOLE: Place = { x: 0, y: 0, width: 1, height: 1 };

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

/** What the question is after. */
export type Want =
  | { for: "colour"; figure: string }
  | { for: "figure"; colour: string }
  | { for: "difference" }
  | { for: "written"; small: boolean }
  | { for: "spoken"; about: string[] };

const COMMON = new Set("what does the speaker say about where it go is of a to in that".split(" "));

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

export function wantOf({ question }: Matter): Want {
  const words = wordsIn(question);
  const figure = FIGURES.find((one) => words.includes(one));
  const colour = COLOURS.find((one) => words.includes(one));
  if (words.includes("dots")) return { for: "difference" };
  if (words.includes("colour") && figure !== undefined) return { for: "colour", figure };
  if (words.includes("figure") && colour !== undefined) return { for: "figure", colour };
  if (words.includes("speaker"))
    return { for: "spoken", about: words.filter((word) => !COMMON.has(word)) };
  return { for: "written", small: words.includes("small") };
}

/** An option that was observed, and in what. */
export interface Observation {
  letter: string;
  names: string[];
}

/** What the views and lines settle, or null. */
export async function observe(
  matter: Matter,
  views: readonly View[],
  lines: readonly Line[],
): Promise<Observation | null> {
  const want = wantOf(matter);
  const found = (text: string | number, seen: readonly View[]): Observation | null => {
    const option = matter.options.find(
      (one) => one.text === text || differenceIn(one.text) === text,
    );
    return option === undefined
      ? null
      : { letter: option.letter, names: seen.flatMap(({ name }) => name ?? []) };
  };
  switch (want.for) {
    case "colour":
    case "figure": {
      for (const view of views)
        for (const sight of view.sights) {
          if (sight.what !== "figure" || sight.figure === null) continue;
          const fits =
            want.for === "colour" ? sight.figure === want.figure : sight.colour === want.colour;
          const seen = fits && found(want.for === "colour" ? sight.colour : sight.figure, [view]);
          if (seen) return seen;
        }
      return null;
    }
    case "difference": {
      const boards = boardsIn(views);
      const first = boards[0];
      const last = boards.at(-1);
      if (first === undefined || last === undefined || first.dots === null || last.dots === null)
        return null;
      return last.view.at_s - first.view.at_s < APART_S
        ? null
        : found(last.dots - first.dots, [first.view, last.view]);
    }
    case "written":
      return written(matter, want.small, views, lines);
    case "spoken":
      return spoken(matter, want.about, lines);
  }
}

/** Showings that belong together lie nearer than that. */
const APART_S = 10;

export interface Board {
  view: View;
  dots: number | null;
}

/** Boards by time, of each showing the view that told most. */
export function boardsIn(views: readonly View[]): Board[] {
  const all = views
    .flatMap((view) =>
      view.sights.flatMap((sight) => (sight.what === "board" ? [{ view, dots: sight.dots }] : [])),
    )
    .sort((a, b) => a.view.at_s - b.view.at_s);
  const showings: Board[] = [];
  for (const board of all) {
    const before = showings.at(-1);
    if (before === undefined || board.view.at_s - before.view.at_s > APART_S) showings.push(board);
    else if (before.dots === null) showings[showings.length - 1] = board;
  }
  return showings;
}

function differenceIn(text: string): number | null {
  if (/as many/.test(text)) return 0;
  const [, count, way] = /(\d+) dots? (more|fewer)/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (way === "more" ? 1 : -1);
}

/** Shares of the frame's height: plates below are small, cards are above. */
const CARD_HIGH = 0.13;

export interface Plate {
  view: View;
  /** In shares of the whole frame. */
  place: Place;
  text: string;
}

/** Plates of the size that is asked about, with what can be read on them. */
export async function platesIn(views: readonly View[], small: boolean): Promise<Plate[]> {
  const plates: Plate[] = [];
  for (const view of views)
    for (const sight of view.sights) {
      if (sight.what !== "plate") continue;
      const part = view.part ?? WHOLE;
      const place = {
        x: part.x + sight.place.x * part.width,
        y: part.y + sight.place.y * part.height,
        width: sight.place.width * part.width,
        height: sight.place.height * part.height,
      };
      if (view.part !== null && place.height < CARD_HIGH !== small) continue;
      const text = view.image === null ? "" : await readOnce(view.image, sight.place);
      plates.push({ view, place, text });
    }
  return plates;
}

const read = new Map<string, Promise<string>>();

function readOnce(image: Buffer, place: Place): Promise<string> {
  const key = createHash("sha256").update(image).update(JSON.stringify(place)).digest("hex");
  let text = read.get(key);
  if (text === undefined) {
    text = readPart(image, place);
    read.set(key, text);
  }
  return text;
}

async function written(
  { options }: Matter,
  small: boolean,
  views: readonly View[],
  lines: readonly Line[],
): Promise<Observation | null> {
  for (const { view, text } of await platesIn(views, small))
    for (const { letter, text: word } of options)
      if (alike(text, word) >= SAME_WORD)
        return { letter, names: view.name === null ? [] : [view.name] };
  // What is held up for a moment is not what stands for long, whatever is written on it.
  const fits = (line: Line) => line.end_s - line.start_s > MOMENT_S === small;
  for (const { kind, text, name } of lines.filter(fits))
    for (const { letter, text: word } of options)
      if (kind === "text" && text.toUpperCase().split(/\W+/).includes(word))
        return { letter, names: [name] };
  return null;
}

const SAME_WORD = 0.7;
const MOMENT_S = 5;

/** 0 to 1: how much of the longer word's letters the two share in their order. */
function alike(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const letter of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++)
      next.push(
        letter === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0),
      );
    row = next;
  }
  return (row[b.length] ?? 0) / Math.max(a.length, b.length, 1);
}

/** The option that is named in the line which shares most words with the question. */
function spoken(
  matter: Matter,
  about: readonly string[],
  lines: readonly Line[],
): Observation | null {
  const scored = matter.options.flatMap(({ letter, text: place }) =>
    lines
      .filter(({ kind, text }) => kind === "subtitle" && text.includes(place))
      .map(({ name, text }) => {
        const words = wordsIn(text);
        return { letter, name, score: about.filter((word) => words.includes(word)).length };
      }),
  );
  const [best] = scored.sort((a, b) => b.score - a.score);
  return best === undefined || best.score === 0
    ? null
    : { letter: best.letter, names: [best.name] };
}
