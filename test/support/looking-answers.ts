import { createHash } from "node:crypto";
import { type Place, readPart } from "./looking-detector.ts";
import { type AskedQuestion, type Line, type View, WHOLE_FRAME } from "./looking-request.ts";
import { COLOURS, FIGURES } from "./looking-scenes.ts";

/* What a question asks for, and which of its options the views and lines of a request support. */

/** What the question asks for. */
export type Target =
  | { kind: "colour"; figure: string }
  | { kind: "figure"; colour: string }
  | { kind: "difference" }
  | { kind: "written"; small: boolean }
  | { kind: "spoken"; about: string[] };

const COMMON = new Set("what does the speaker say about where it go is of a to in that".split(" "));

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

export function targetOf({ question }: AskedQuestion): Target {
  const words = wordsIn(question);
  const figure = FIGURES.find((one) => words.includes(one));
  const colour = COLOURS.find((one) => words.includes(one));
  if (words.includes("dots")) return { kind: "difference" };
  if (words.includes("colour") && figure !== undefined) return { kind: "colour", figure };
  if (words.includes("figure") && colour !== undefined) return { kind: "figure", colour };
  if (words.includes("speaker"))
    return { kind: "spoken", about: words.filter((word) => !COMMON.has(word)) };
  return { kind: "written", small: words.includes("small") };
}

/** An option that the request supports, and the names of the evidence that shows it. */
export interface Observation {
  letter: string;
  names: string[];
}

/** The option that the views and lines support; null if none. */
export async function observe(
  asked: AskedQuestion,
  views: readonly View[],
  lines: readonly Line[],
): Promise<Observation | null> {
  const target = targetOf(asked);
  const found = (text: string | number, seen: readonly View[]): Observation | null => {
    const option = asked.options.find(
      (one) => one.text === text || differenceIn(one.text) === text,
    );
    return option === undefined
      ? null
      : { letter: option.letter, names: seen.flatMap(({ name }) => name ?? []) };
  };
  switch (target.kind) {
    case "colour":
    case "figure": {
      for (const view of views)
        for (const detection of view.detections) {
          if (detection.what !== "figure" || detection.figure === null) continue;
          const fits =
            target.kind === "colour"
              ? detection.figure === target.figure
              : detection.colour === target.colour;
          const seen =
            fits && found(target.kind === "colour" ? detection.colour : detection.figure, [view]);
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
      return readFromPlates(asked, target.small, views, lines);
    case "spoken":
      return readFromSubtitles(asked, target.about, lines);
  }
}

/** Views of a board that are closer than this, in seconds, show it at one time. */
const APART_S = 10;

export interface Board {
  view: View;
  dots: number | null;
}

/** Boards in order of time; for each showing, the first view whose dots can be counted. */
export function boardsIn(views: readonly View[]): Board[] {
  const all = views
    .flatMap((view) =>
      view.detections.flatMap((detection) =>
        detection.what === "board" ? [{ view, dots: detection.dots }] : [],
      ),
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

/** Share of the frame's height: lower plates are small, higher ones are cards. */
const CARD_HIGH = 0.13;

export interface Plate {
  view: View;
  /** In shares of the whole frame. */
  place: Place;
  text: string;
}

/** Plates of the size that the question asks about, with the text that can be read on them. */
export async function platesIn(views: readonly View[], small: boolean): Promise<Plate[]> {
  const plates: Plate[] = [];
  for (const view of views)
    for (const detection of view.detections) {
      if (detection.what !== "plate") continue;
      const part = view.part ?? WHOLE_FRAME;
      const place = {
        x: part.x + detection.place.x * part.width,
        y: part.y + detection.place.y * part.height,
        width: detection.place.width * part.width,
        height: detection.place.height * part.height,
      };
      if (view.part !== null && place.height < CARD_HIGH !== small) continue;
      const text = view.image === null ? "" : await readOnce(view.image, detection.place);
      plates.push({ view, place, text });
    }
  return plates;
}

const textCache = new Map<string, Promise<string>>();

function readOnce(image: Buffer, place: Place): Promise<string> {
  const key = createHash("sha256").update(image).update(JSON.stringify(place)).digest("hex");
  let text = textCache.get(key);
  if (text === undefined) {
    text = readPart(image, place);
    textCache.set(key, text);
  }
  return text;
}

async function readFromPlates(
  { options }: AskedQuestion,
  small: boolean,
  views: readonly View[],
  lines: readonly Line[],
): Promise<Observation | null> {
  for (const { view, text } of await platesIn(views, small))
    for (const { letter, text: word } of options)
      if (similarity(text, word) >= SAME_WORD)
        return { letter, names: view.name === null ? [] : [view.name] };
  // Cards are seen for a moment, small plates for long.
  const fits = (line: Line) => line.end_s - line.start_s > MOMENT_S === small;
  for (const { kind, text, name } of lines.filter(fits))
    for (const { letter, text: word } of options)
      if (kind === "text" && text.toUpperCase().split(/\W+/).includes(word))
        return { letter, names: [name] };
  return null;
}

const SAME_WORD = 0.7;
const MOMENT_S = 5;

/** Longest common subsequence of two words as a share of the longer one, 0 to 1. */
function similarity(a: string, b: string): number {
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

/** The option named in the subtitle that shares most words with the question. */
function readFromSubtitles(
  asked: AskedQuestion,
  about: readonly string[],
  lines: readonly Line[],
): Observation | null {
  const scored = asked.options.flatMap(({ letter, text: place }) =>
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
