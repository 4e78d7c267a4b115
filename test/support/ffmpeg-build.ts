import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";

/**
 * Whether the ffmpeg of the tests is a recent one of the system. The ffprobe of the package crashes on every transport
 * stream, and its Matroska has no mark for the hearing impaired.
 */
export const isRecentFfmpeg = (await findFfmpeg()).source !== "package";

/** Those of some films that this ffmpeg can read. */
export function readable<Film extends string | { name: string }>(films: Film[]): Film[] {
  const nameOf = (film: Film) => (typeof film === "string" ? film : film.name);
  return films.filter((film) => isRecentFfmpeg || !nameOf(film).endsWith(".ts"));
}
