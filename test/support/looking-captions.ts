import { platesIn } from "./looking-answers.ts";
import type { Detection } from "./looking-detector.ts";
import { type Line, type View, WHOLE_FRAME } from "./looking-request.ts";
import type { Colour, Figure } from "./looking-scenes.ts";
import type { SeenRequest } from "./model-server.ts";

/* The captions of a looking model, and how it reads captions in the evidence of later requests. */

/** The number of the part that a request asks to describe; null for other requests. */
export function partToDescribe(request: SeenRequest): string | null {
  return /^Describe part (\d+) in at most/m.exec(request.texts.join("\n"))?.[1] ?? null;
}

/** A caption of everything detected in the frames, each thing once. */
export async function describeViews(views: readonly View[]): Promise<string> {
  const seen = new Set<string>();
  for (const { detections } of views)
    for (const detection of detections) {
      if (detection.what === "figure" && detection.figure !== null)
        seen.add(`a ${detection.colour} ${detection.figure}`);
      if (detection.what === "board" && detection.dots !== null)
        seen.add(`a board with ${detection.dots} dots`);
    }
  for (const small of [true, false])
    for (const { text } of await platesIn(views, small))
      if (text !== "") seen.add(`a ${small ? "small" : "large"} sign that says ${text}`);
  return `It shows ${seen.size === 0 ? "a place" : [...seen].join("; ")}.`;
}

const CLOCK = /^\[(E\d+)\] (\d+):(\d+) to (\d+):(\d+), (\w+) by \w+: (.*)$/gm;

/** Evidence with clock times, as prompts list it; captions become views of the things that they name. */
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
    ...{ name, at_s: start_s, part: WHOLE_FRAME, image: null, detections: detectionsIn(text) },
  }));
  const signs = captions.flatMap(({ text, ...line }) =>
    [...text.matchAll(/a (small|large) sign that says ([^;.]+)/g)].map(
      ([, size, said = ""]): Line => ({
        ...line,
        kind: "text",
        // Small plates are seen for long, cards for a moment.
        end_s: line.start_s + (size === "small" ? 60 : 1),
        text: said,
      }),
    ),
  );
  return { views, lines: [...lines.filter(({ kind }) => kind !== "caption"), ...signs] };
}

function detectionsIn(text: string): Detection[] {
  const place = { x: 0, y: 0, width: 1, height: 1 };
  const boards = [...text.matchAll(/a board with (\d+) dots/g)].map(
    ([, dots]): Detection => ({ what: "board", dots: Number(dots), place }),
  );
  const figures = [...text.matchAll(/a ([a-z]+) ([a-z]+)(?=[;.])/g)].map(
    ([, colour, figure]): Detection => ({
      ...{ what: "figure", colour: colour as Colour, figure: figure as Figure, place },
    }),
  );
  return [...boards, ...figures];
}
