/** The fewest frames that show an action. */
export const LEAST_FRAMES = 4;

/** Most pictures of one video in which a model reads text: those that are on screen longest. */
export const MOST_PICTURES = 32;

/** The number of parts that can each have `LEAST_FRAMES` of all frames. */
export function mostParts(frames: number): number {
  return Math.max(1, Math.floor(frames / LEAST_FRAMES));
}
