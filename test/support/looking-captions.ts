import { platesIn } from "./looking-answers.ts";
import type { Sight } from "./looking-eyes.ts";
import { type Line, type View, WHOLE } from "./looking-mind.ts";
import type { Colour, Figure } from "./looking-scenes.ts";
import type { SeenRequest } from "./model-server.ts";

/* What a looking model writes when it is asked to describe frames, and what it makes of such descriptions later. */

/** The number of the part that a request asks to describe; null for other requests. */
export function partToDescribe(request: SeenRequest): string | null {
  return /^Describe part (\d+) in at most/m.exec(request.texts.join("\n"))?.[1] ?? null;
}

/** What stands out in all frames, each thing once. */
export async function describeViews(views: readonly View[]): Promise<string> {
  const seen = new Set<string>();
  for (const { sights } of views)
    for (const sight of sights) {
      if (sight.what === "figure" && sight.figure !== null)
        seen.add(`a ${sight.colour} ${sight.figure}`);
      if (sight.what === "board" && sight.dots !== null)
        seen.add(`a board with ${sight.dots} dots`);
    }
  for (const small of [true, false])
    for (const { text } of await platesIn(views, small))
      if (text !== "") seen.add(`a ${small ? "small" : "large"} sign that says ${text}`);
  return `It shows ${seen.size === 0 ? "a place" : [...seen].join("; ")}.`;
}

const CLOCK = /^\[(E\d+)\] (\d+):(\d+) to (\d+):(\d+), (\w+) by \w+: (.*)$/gm;

/** Evidence by clock times, as prompts over evidence list it; descriptions as views of what they say. */
export function readEvidence(words: string): { views: View[]; lines: Line[] } {
  const lines = [...words.matchAll(CLOCK)].map(
    ([, name = "", fromMin, fromS, toMin, toS, kind = "", text = ""]): Line => ({
      ...{ name, kind, text },
      start_s: 60 * Number(fromMin) + Number(fromS),
      end_s: 60 * Number(toMin) + Number(toS),
    }),
  );
  const captions = lines.filter(({ kind }) => kind === "caption");
  const views = captions.map(({ name, start_s, text }) => ({
    ...{ name, at_s: start_s, part: WHOLE, image: null, sights: sightsIn(text) },
  }));
  const signs = captions.flatMap(({ text, ...line }) =>
    [...text.matchAll(/a (small|large) sign that says ([^;.]+)/g)].map(
      ([, size, said = ""]): Line => ({
        ...line,
        kind: "text",
        // A small plate is seen for long, a large card for a moment.
        end_s: line.start_s + (size === "small" ? 60 : 1),
        text: said,
      }),
    ),
  );
  return { views, lines: [...lines.filter(({ kind }) => kind !== "caption"), ...signs] };
}

function sightsIn(text: string): Sight[] {
  const place = { x: 0, y: 0, width: 1, height: 1 };
  const boards = [...text.matchAll(/a board with (\d+) dots/g)].map(
    ([, dots]): Sight => ({ what: "board", dots: Number(dots), place }),
  );
  const figures = [...text.matchAll(/a ([a-z]+) ([a-z]+)(?=[;.])/g)].map(
    ([, colour, figure]): Sight => ({
      ...{ what: "figure", colour: colour as Colour, figure: figure as Figure, place },
    }),
  );
  return [...boards, ...figures];
}
