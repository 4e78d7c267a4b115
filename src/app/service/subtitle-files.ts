import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { readSubtitleFile } from "../../../tools/speech/subtitles/read-source.ts";
import { findSidecars, SUBTITLE_ENDINGS } from "../../../tools/speech/subtitles/sidecars.ts";
import { writeAtomically } from "../../core/atomic-file.ts";
import { isFailure } from "../../core/errors.ts";
import type { SubtitlesView } from "./api.ts";
import { httpProblem } from "./problems.ts";

/*
 * Subtitle files of uploaded videos. They lie next to the video with its name, so that every strategy finds them as
 * sidecar files, before the streams in the video.
 */

/** Three hours of captions have half a megabyte. */
export const SUBTITLE_BYTES = 5 * 2 ** 20;

/**
 * Stores a subtitle file of a video instead of the one before. Throws a 415 problem (not a name of a subtitle file) and
 * a 422 problem (no cue can be read); then the file before stays.
 */
export async function putSubtitles(
  video: string,
  name: string,
  bytes: Uint8Array,
): Promise<SubtitlesView> {
  const ending = extname(name).toLowerCase();
  if (!(SUBTITLE_ENDINGS as readonly string[]).includes(ending))
    throw httpProblem(
      415,
      "wrong-type",
      `Cannot store ${JSON.stringify(name)} as subtitles: use a file that ends in ${SUBTITLE_ENDINGS.join(", ")}.`,
    );
  const draft = join(dirname(video), `draft-${randomBytes(6).toString("hex")}${ending}`);
  try {
    await writeAtomically(draft, [bytes]);
    const { cues, skipped } = await readSubtitleFile(draft);
    await dropSubtitles(video);
    await rename(draft, `${video}${ending}`);
    return { uploaded: true, cues: cues.length, skipped };
  } catch (error) {
    if (!isFailure(error, "no-subtitles")) throw error;
    throw httpProblem(422, error.kind, error.message.replaceAll(draft, JSON.stringify(name)));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns whether there was an uploaded file. */
export async function dropSubtitles(video: string): Promise<boolean> {
  const files = await findSidecars(video);
  for (const { path } of files) await rm(path, { force: true });
  return files.length > 0;
}

/** The uploaded subtitles of a video. */
export async function subtitlesOf(video: string): Promise<SubtitlesView> {
  const [file] = await findSidecars(video);
  if (file === undefined) return { uploaded: false, cues: 0, skipped: 0 };
  const { cues, skipped } = await readSubtitleFile(file.path);
  return { uploaded: true, cues: cues.length, skipped };
}
