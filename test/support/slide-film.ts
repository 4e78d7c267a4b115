import { type Caption, compose } from "../../src/media/compose.ts";

/** Lines of text on one slide, and how long it is shown. */
export interface FilmSlide {
  lines: readonly string[];
  seconds: number;
}

/** Writes a film of slides without sound, with subtitles in it or both in it and next to it. */
export async function slideFilm(
  file: string,
  slides: readonly FilmSlide[],
  subtitles?: { captions: Caption[]; where: "embedded" | "both" },
): Promise<void> {
  const segments = slides.map(({ lines, seconds }) => ({
    kind: "picture" as const,
    duration_s: seconds,
    picture: {
      background: "#f8f8f4",
      shapes: lines.map((text, place) => ({
        draw: "text" as const,
        text,
        x: 0.08,
        y: lines.length > 2 ? 0.2 + 0.22 * place : 0.28 + 0.3 * place,
        size: lines.length > 2 ? 0.1 : 0.12,
        anchor: "left" as const,
        font: "sans" as const,
        colour: "black",
      })),
    },
  }));
  const size = { width: 640, height: 360, fps: 5, silent: true };
  await compose({ ...size, segments, ...(subtitles === undefined ? {} : { subtitles }) }, file);
}
