import { type FrameTable, frameAt } from "./frame-table.ts";

/** Seconds after which the first picture of a part is late. */
const LATE_S = 1;
/** Seconds by which rounding may move a frame's time across a boundary. */
export const ROUNDING_S = 0.0005;

/**
 * Returns the time, in seconds, of the picture that is on screen at the start of a part in which no picture begins, or the
 * first only after more than a second, as in a video of slides; null for other parts, and if the video begins in the part.
 * Before the start of the video it is the first picture.
 */
export function heldPicture(
  table: Pick<FrameTable, "pts_s">,
  { from_s, to_s }: { from_s: number; to_s: number },
): number | null {
  const t_s = table.pts_s[frameAt(table, from_s)];
  const first = table.pts_s.find((at_s) => at_s >= from_s - ROUNDING_S);
  if (t_s === undefined) return null;
  const isOwn = first !== undefined && first < to_s - ROUNDING_S;
  if (isOwn && (first - from_s <= LATE_S || first === t_s)) return null;
  return t_s;
}
