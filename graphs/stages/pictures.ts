import { basename } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import type { Video } from "../../tools/video/video.ts";
import type { GraphContext } from "../context.ts";
import { standard } from "../define-strategy.ts";

/** A sentence about a file that holds only sound. */
export function noPictures({ path }: Pick<Video, "path">): string {
  return `${basename(path)} has no pictures.`;
}

/** Throws `Failure` `no-video` if a strategy that shows frames or the video itself is asked about a file without pictures. */
export function requirePictures({ video, settings }: GraphContext): void {
  if (video.probe.video !== null) return;
  throw new Failure(
    "no-video",
    `${noPictures(video)} The strategy ${settings.strategy} shows pictures to the model. Use --strategy ${standard("with-model").name}, which works with what is said.`,
    { path: video.path },
  );
}
