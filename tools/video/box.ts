import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import type { Box } from "../../src/core/shapes.ts";

/**
 * A part of a picture as a caller names it, origin top left. Four numbers of at most 1 are shares of the upright frame,
 * which whoever has seen a smaller copy of it can tell; others are pixels of the upright frame as the video stores it.
 * (A part of one pixel, which both could mean, is no use to anyone.)
 */
export const BoxInput = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type BoxInput = z.infer<typeof BoxInput>;

export interface PlacedBox {
  /** Whole pixels of the upright frame, within it and at least one. */
  box: Box;
  /** One sentence where that is another part than was asked for; else null. */
  said: string | null;
}

/**
 * The part of a frame that a box names: its shares in pixels, rounded outwards, and cut to the frame.
 * Throws `Failure` `wrong-usage` for a box without an area, or one that lies wholly outside.
 */
export function placeBox(given: BoxInput, frame: { width: number; height: number }): PlacedBox {
  const { x, y, width, height } = given;
  const size = `${frame.width} x ${frame.height} pixels`;
  if (!(width > 0 && height > 0) || ![x, y, width, height].every(Number.isFinite))
    throw new Failure(
      "wrong-usage",
      `Expected a box with a width and a height above 0, got ${JSON.stringify(given)}.`,
      { box: given },
    );
  const shares = [x, y, width, height].every((value) => value <= 1);
  const across = side(x, width, frame.width, shares);
  const down = side(y, height, frame.height, shares);
  if (across.to <= across.from || down.to <= down.from)
    throw new Failure(
      "wrong-usage",
      `Expected a box within the frame of ${size} (or in shares of it, 0 to 1), got ${JSON.stringify(given)}.`,
      { box: given, frame },
    );
  const box = {
    x: across.from,
    y: down.from,
    width: across.to - across.from,
    height: down.to - down.from,
  };
  return {
    box,
    said:
      across.cut || down.cut
        ? `The box reached beyond the frame of ${size} and was cut to x ${box.x}, y ${box.y}, width ${box.width}, height ${box.height}.`
        : null,
  };
}

/** Shares of a side are rounded to this before they are rounded outwards, so that 0.1 of 1920 is 192 and no pixel more. */
const EXACT = 1e-6;

function side(start: number, length: number, whole: number, shares: boolean) {
  const scale = shares ? whole : 1;
  const from = Math.floor(start * scale + EXACT);
  const to = Math.ceil((start + length) * scale - EXACT);
  const cut = start * scale < -0.5 || (start + length) * scale > whole + 0.5;
  return { from: Math.max(0, from), to: Math.min(whole, Math.max(to, from + 1)), cut };
}
