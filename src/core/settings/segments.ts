import { Failure } from "../errors.ts";
import type { Task } from "../shapes.ts";

/** The settings, as far as they say how a video is divided. */
interface Divided {
  recognition: { segments: string | null };
}

/** Seconds of a window: the shortest, and a day. */
const SHORTEST_S = 0.5;
const LONGEST_S = 86_400;

/** What `recognition.segments` expects, for a message. */
export const SEGMENTS_EXPECTED = `shots, cards, or every:N for windows of N seconds, ${SHORTEST_S} to ${LONGEST_S}, such as every:10`;

export type Segmentation = { by: "shots" } | { by: "cards" } | { by: "windows"; every_s: number };

/** Reads `shots`, `cards` or `every:10`; null for anything else. */
export function parseSegments(given: string): Segmentation | null {
  if (given === "shots" || given === "cards") return { by: given };
  const [, number] = /^every:(\d{1,5}(?:\.\d{1,3})?)$/.exec(given) ?? [];
  const every_s = Number(number ?? Number.NaN);
  return every_s >= SHORTEST_S && every_s <= LONGEST_S ? { by: "windows", every_s } : null;
}

/** How a video is divided for recognition; null if it is not set. */
export function segmentationOf({ recognition }: Divided): Segmentation | null {
  return recognition.segments === null ? null : parseSegments(recognition.segments);
}

/** Seconds of a fixed window; null if the settings ask for none. */
export function windowSeconds(settings: Divided): number | null {
  const segmentation = segmentationOf(settings);
  return segmentation?.by === "windows" ? segmentation.every_s : null;
}

/** Whether a question of this task can be asked with the parts that are set. Shuffled clips are found only by their cards. */
export function fitsTask({ recognition }: Divided, task: Task): boolean {
  return task !== "order" || recognition.segments === null || recognition.segments === "cards";
}

/**
 * Checks settings that depend on the task of a question. Throws `Failure` `wrong-setting` for shuffled clips that are to
 * be divided other than by their cards.
 */
export function checkTaskSettings(settings: Divided, task: Task): void {
  if (fitsTask(settings, task)) return;
  const { segments } = settings.recognition;
  throw new Failure(
    "wrong-setting",
    `Invalid --segments ${JSON.stringify(segments)} (recognition.segments) for a question about the order of clips: the number of a clip is only on its title card. Leave it out, or use cards.`,
    { path: "recognition.segments", flag: "segments", given: segments, task },
  );
}
