import { Failure } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import type { ChatRequest } from "./chat.ts";

type Limits = Pick<Settings["runtime"], "question_megapixels" | "question_mb">;

const MEGABYTE = 2 ** 20;

/** Frames of one question: how many, and their pixels together. */
export interface FrameTotals {
  frames: number;
  pixels: number;
  /** JPEG quality, if known; used to estimate the bytes of the frames. */
  quality?: number;
}

/**
 * Checks frames against what a question may send: pixels, and about how many bytes.
 * Throws `Failure` `media-limit`, which says what to change.
 */
export function checkFrameTotals({ frames, pixels, quality }: FrameTotals, limits: Limits): void {
  const { question_megapixels, question_mb } = limits;
  const megapixels = Math.ceil(pixels / 1e6);
  const facts = { frames, megapixels };
  if (pixels > question_megapixels * 1e6)
    throw new Failure(
      "media-limit",
      `The question would send ${frames} frames with ${megapixels} megapixels in total, but the limit is ${question_megapixels} (--question-megapixels): use fewer frames (--frames) or smaller ones (--max-side).`,
      { ...facts, question_megapixels },
    );
  if (quality === undefined) return;
  const mb = Math.ceil((pixels * bytesPerPixel(quality)) / MEGABYTE);
  if (mb > question_mb)
    throw new Failure(
      "media-limit",
      `The question would send ${frames} frames with about ${mb} MB in total, but the limit is ${question_mb} (--question-mb): use fewer frames (--frames), smaller ones (--max-side) or a lower --quality.`,
      { ...facts, mb, question_mb },
    );
}

/** Checks the bytes of all media of a request, which are known once it is sent. Throws `Failure` `media-limit`. */
export function checkMediaBytes(bytes: number, { question_mb }: Limits): void {
  if (bytes <= question_mb * MEGABYTE) return;
  const mb = Math.ceil(bytes / MEGABYTE);
  throw new Failure(
    "media-limit",
    `A request would send ${mb} MB of frames and other media, but the limit is ${question_mb} (--question-mb): use fewer frames (--frames), smaller ones (--max-side) or a lower --quality.`,
    { mb, question_mb },
  );
}

/** Frames of a request. */
export function frameTotals({ messages }: ChatRequest): FrameTotals {
  const parts = messages.flatMap((message) => ("parts" in message ? message.parts : []));
  const pictures = parts.flatMap((part) => (part.type === "image" ? [part.frame] : []));
  const pixels = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
  return { frames: pictures.length, pixels };
}

/** A low estimate for camera pictures: 0.1 bytes per pixel up to quality 85, rising to 0.6 at 100. */
function bytesPerPixel(quality: number): number {
  return 0.1 + 0.5 * Math.max(0, (quality - 85) / 15) ** 2;
}
