import { z } from "zod";
import { makeEvidence } from "../../src/core/evidence.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Box, Evidence } from "../../src/core/shapes.ts";
import { videoOf } from "../../src/media/frame-stream.ts";
import { latexOfLine } from "../mathematics/board.ts";
import { parseRequest } from "../parse-request.ts";
import { BoxInput } from "../video/box.ts";
import type { Video } from "../video/video.ts";
import { zoomCrop } from "../video/zoom.ts";
import { dataInKey } from "./ocr/language-data.ts";
import { MIN_CONFIDENCE, type ReadLine, readImage } from "./read-image.ts";
import { READ_IMAGE_VERSION } from "./read-text.ts";

/** Which frame is read. Seconds from the start of the container; the box in pixels or shares. */
export const ReadTextAtSpec = z.strictObject({
  at_s: z.number().min(0),
  /** Default: the whole frame. */
  box: BoxInput.optional(),
  /** Lines with a lower confidence are omitted, 0 to 1. */
  min_confidence: z.number().min(0).max(1).default(MIN_CONFIDENCE),
  /** Codes of tesseract whose data are in `data` or in installed packages. */
  languages: z.array(z.string()).min(1).default(["eng"]),
  /** Folder with tesseract data. Results are stored by the content of its files. */
  data: z.string().optional(),
});
export type ReadTextAtSpec = z.input<typeof ReadTextAtSpec>;

/** Longest side of the picture that is read, in pixels. A small box is enlarged, which makes small letters legible. */
const MOST_SIDE = 1920;
const QUALITY = 95;

/**
 * Returns the text and equations of one frame, or of a box in it, line by line, read at the stored resolution.
 * `start_s` and `end_s` are both the time of the frame; `frame` is the picture that was read; `box` is in pixels of the
 * upright frame. The `data` of an equation contain its LaTeX. An equation that could not be read has an empty text and
 * `data: { unread: true }`. The result is stored by content.
 * Throws `Failure`: `wrong-usage`, `wrong-setting` (no folder `data`), `no-video`, `damaged`, `media-limit`, `ocr`,
 * `cancelled`, `disk-full`.
 */
export async function readTextAt(
  video: Video,
  spec: ReadTextAtSpec,
  job: JobContext,
): Promise<Evidence[]> {
  const { at_s, box, data, ...reading } = parseRequest(ReadTextAtSpec, spec, "text at a time");
  const own = await dataInKey({ languages: reading.languages, data });
  const { width, height } = videoOf(video.probe);
  const whole = { x: 0, y: 0, width, height };
  const look = { at_s, box: box ?? whole, max_side: MOST_SIDE, quality: QUALITY };
  const zoomed = await zoomCrop(video, look, job);
  const { frame } = zoomed;
  const { value: lines } = await job.store.memo.once<ReadLine[]>(
    {
      key: hashOf(["read-text-at", READ_IMAGE_VERSION, frame.hash, reading, ...own]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    async (signal) =>
      readImage(await job.store.blobs.read(frame.hash), { ...reading, data, signal }),
  );
  return lines.map((line) =>
    makeEvidence({
      video: video.hash,
      kind: line.kind,
      start_s: zoomed.at_s,
      end_s: zoomed.at_s,
      text: line.text,
      frame,
      box: inVideo(line.box, zoomed),
      ...dataOf(line),
      by: { who: "tool", name: "tesseract" },
      confidence: line.unread ? null : line.confidence,
      from: [],
    }),
  );
}

function dataOf({ kind, text, unread }: ReadLine): Pick<Evidence, "data"> {
  if (unread) return { data: { unread: true } };
  return kind === "equation" ? { data: { latex: latexOfLine(text) } } : {};
}

/** Converts a box of the picture that was read to pixels of the frame. */
function inVideo(line: Box, { box, scale }: { box: Box; scale: number }): Box {
  return {
    x: box.x + Math.round(line.x / scale),
    y: box.y + Math.round(line.y / scale),
    width: Math.round(line.width / scale),
    height: Math.round(line.height / scale),
  };
}
