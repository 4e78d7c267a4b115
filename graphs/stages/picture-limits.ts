/** The fewest frames that show an action. */
export const LEAST_FRAMES = 4;

/** Pictures that a model reads of one video: those that are on screen longest. */
export const MOST_PICTURES = 32;

/** Parts that can have `LEAST_FRAMES` of all frames each. */
export function mostParts(frames: number): number {
  return Math.max(1, Math.floor(frames / LEAST_FRAMES));
}
