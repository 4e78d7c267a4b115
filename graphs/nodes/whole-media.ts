import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { Failure, toFailure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import { readSound } from "../../src/media/sound.ts";
import type { GraphContext } from "../context.ts";

/** A blob that goes along with a question as a whole. */
export interface WholeMedium {
  type: "video" | "audio";
  hash: string;
  mime: string;
}

/** What providers take inside one request. */
const LARGEST = 20 * 2 ** 20;

const MIMES: Readonly<Record<string, string>> = {
  ".avi": "video/x-msvideo",
  ".mkv": "video/x-matroska",
  ".mov": "video/quicktime",
  ".mpeg": "video/mpeg",
  ".mpg": "video/mpeg",
  ".webm": "video/webm",
};

/** The video file itself. Throws `Failure` `media-limit` for one that no request can hold. */
export function wholeVideoFile(context: GraphContext, stage: string): Promise<WholeMedium> {
  const { path } = context.video;
  const mime = MIMES[extname(path).toLowerCase()] ?? "video/mp4";
  return kept(context, stage, "video", mime, async () => {
    try {
      checkSize((await stat(path)).size, path);
      return await readFile(path);
    } catch (error) {
      throw toFailure(error, "file-unreadable", `reading ${path}`);
    }
  });
}

/** The sound of the video as a WAV file. Throws `Failure` `no-audio` or `media-limit`. */
export function wholeSound(context: GraphContext, stage: string): Promise<WholeMedium> {
  const { path, probe } = context.video;
  const stream = probe.audio[0]?.index;
  if (stream === undefined)
    throw new Failure("no-audio", `Expected sound in ${path}, but it has none.`, { path });
  return kept(context, stage, "audio", "audio/wav", async (signal) => {
    const span = { from_s: 0, to_s: probe.duration_s };
    const { bytes } = await readSound(path, { ...span, stream, signal });
    checkSize(bytes.byteLength, `the sound of ${path}`);
    return bytes;
  });
}

async function kept(
  context: GraphContext,
  stage: string,
  type: WholeMedium["type"],
  mime: string,
  read: (signal: AbortSignal) => Promise<Uint8Array>,
): Promise<WholeMedium> {
  const { store, run, signal } = context.work(stage);
  const video = context.video.hash;
  const step = { key: hashOf(["whole medium", type, video]), tags: [video], run, signal };
  const { value } = await store.memo.once(step, async (inner) =>
    store.blobs.put(video, await read(inner), mime.slice(mime.indexOf("/") + 1)),
  );
  return { type, hash: value.hash, mime };
}

function checkSize(bytes: number, what: string): void {
  if (bytes <= LARGEST) return;
  const mb = Math.ceil(bytes / 2 ** 20);
  throw new Failure(
    "media-limit",
    `Expected ${what} to have at most ${LARGEST >> 20} MB, since it is sent inside one request, but it has ${mb} MB: send frames instead.`,
    { bytes },
  );
}
