import { Failure } from "../../src/core/errors.ts";
import type { GraphContext } from "../context.ts";
import { standard } from "../define-strategy.ts";

/** Said about a file that holds only sound. A service knows uploads by another name than its callers do. */
export const NO_PICTURES = "This file has no pictures.";

/** Throws `Failure` `no-video` if a strategy that shows frames or the video itself is asked about a file without pictures. */
export function requirePictures({ video, settings }: GraphContext): void {
  if (video.probe.video !== null) return;
  throw new Failure(
    "no-video",
    `${NO_PICTURES} The strategy ${settings.strategy} shows pictures to the model. Use --strategy ${standard("with-model").name}, which works with what is said.`,
    { path: video.path },
  );
}
