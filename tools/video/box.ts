import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import type { Box } from "../../src/core/shapes.ts";

/**
 * A box as a caller gives it; the origin is the top left. If all four numbers are at most 1, they are shares of the
 * upright frame, which also fit a smaller copy of it. Otherwise they are pixels of the upright frame at the stored
 * resolution. (A box of one pixel, which could mean both, has no use.)
 */
export const BoxInput = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type BoxInput = z.infer<typeof BoxInput>;

export interface BoxInPixels {
  /** In whole pixels of the upright frame; inside the frame, at least 1 x 1. */
  box: Box;
  /** A sentence for the caller if the box was cut to the frame; else null. */
  note: string | null;
}

/**
 * Converts a box to pixels: rounds shares outwards and cuts the box to the frame.
 * Throws `Failure` `wrong-usage` for a box without an area, or a box that lies outside the frame.
 */
export function placeBox(given: BoxInput, frame: { width: number; height: number }): BoxInPixels {
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
    note:
      across.cut || down.cut
        ? `The box reached beyond the frame of ${size} and was cut to x ${box.x}, y ${box.y}, width ${box.width}, height ${box.height}.`
        : null,
  };
}

/** Tolerance before rounding outwards, so that 0.1 of 1920 is 192 and not 193. */
const EXACT = 1e-6;

function side(start: number, length: number, whole: number, shares: boolean) {
  const scale = shares ? whole : 1;
  const from = Math.floor(start * scale + EXACT);
  const to = Math.ceil((start + length) * scale - EXACT);
  const cut = start * scale < -0.5 || (start + length) * scale > whole + 0.5;
  return { from: Math.max(0, from), to: Math.min(whole, Math.max(to, from + 1)), cut };
}
