import { z } from "zod";
import { cutText } from "../../src/core/cut-text.ts";
import { withSpeaker } from "../../src/core/evidence.ts";
import type { Box, Evidence } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { Part } from "../../src/models/chat.ts";
import { onOneLine } from "../replies/reply-text.ts";

/* Evidence as it is shown to a model, by the name (`E7`) that the model cites. */

/** Most characters of an item on its line. */
const LONGEST_LINE = 400;

/** A picture, preceded by its name and time. */
export function pictureOf(name: string, item: Evidence): Part[] {
  if (item.frame === undefined) return [];
  return [{ type: "image", frame: item.frame, label: `[${name}] ${what(item)}:` }];
}

function what({ start_s, box, data }: Evidence): string {
  const time = secondsAndClock(start_s);
  if (box === undefined) return `frame at ${time}`;
  const part = Shares.safeParse(data?.shares);
  return `part of the frame at ${time}${part.success ? `, box ${shareWords(part.data)}` : ""}`;
}

/** A box as a model states it: shares of the frame, to a thousandth, because a model does not know the video's size. */
const Shares = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export function sharesOf({ x, y, width, height }: Box, whole: { width: number; height: number }) {
  const share = (part: number, of: number) => Math.round((1000 * part) / of) / 1000;
  return {
    x: share(x, whole.width),
    y: share(y, whole.height),
    width: share(width, whole.width),
    height: share(height, whole.height),
  };
}

function shareWords({ x, y, width, height }: z.infer<typeof Shares>): string {
  return `x ${x} y ${y} width ${width} height ${height}`;
}

/**
 * `[E7] subtitle 70.5 s (01:10) to 73 s (01:13): the words`, always on one line. `isShown`: whether the model is sent the
 * picture of an item without words.
 */
export function lineOf(name: string, item: Evidence, isShown = true): string {
  const { kind, start_s, end_s } = item;
  const time =
    end_s > start_s
      ? `${secondsAndClock(start_s)} to ${secondsAndClock(end_s)}`
      : secondsAndClock(start_s);
  const words = onOneLine(withSpeaker(item));
  const said =
    words.length > LONGEST_LINE
      ? `${cutText(words, LONGEST_LINE)}…`
      : words || (isShown ? "(see the picture)" : "(its picture is not shown)");
  return `[${name}] ${kind} ${time}: ${said}`;
}
