import { createHash } from "node:crypto";
import { type Place, readPart } from "./looking-eyes.ts";
import { type Line, type Matter, type View, WHOLE } from "./looking-mind.ts";
import { COLOURS, FIGURES } from "./looking-scenes.ts";

/* What a question is after, and which of its options the views and lines of a request bear out. */

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
