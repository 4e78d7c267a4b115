import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import { Failure, toFailure } from "../../src/core/errors.ts";
import type { Role } from "../../src/core/events.ts";
import { hashOf } from "../../src/core/hash.ts";
import { bestAudio } from "../../src/media/container-header.ts";
import { readSound, wavBytes } from "../../src/media/read-sound.ts";
import { soundCut } from "../../src/media/sound-input.ts";
import type { Medium } from "../../src/models/chat.ts";
import { highestKbps, soundClip } from "../../tools/speech/sound-clip.ts";
import type { GraphContext } from "../context.ts";
import { rulesFor } from "./media-target.ts";

/** Up to this many bytes a file is stored and sound is sent as WAV. */
const LARGEST_STORED = 20 * 2 ** 20;

/** By file name extension. The stored copy gets the same extension. */
const MIMES: Readonly<Record<string, string>> = {
  ".3gp": "video/3gpp",
  ".avi": "video/x-msvideo",
  ".flv": "video/x-flv",
  ".mkv": "video/x-matroska",
  ".mov": "video/quicktime",
  ".mpeg": "video/mpeg",
  ".mpg": "video/mpeg",
  ".webm": "video/webm",
  ".wmv": "video/x-ms-wmv",
};
const DEFAULT_MIME = "video/mp4";

/** The video file itself for the model of a role. Throws `Failure` `media-limit` if its server does not accept it. */
export async function wholeFile(context: GraphContext, stage: string, role: Role): Promise<Medium> {
  const { path, hash, probe } = context.video;
  const { size } = await stat(path).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  const { rules, name } = rulesFor(role, context.settings);
  const mime = mimeOf(path);
  const file = basename(path);
  if (rules.types !== null && !rules.types.includes(mime))
    throw new Failure(
      "media-limit",
      `${name} does not accept ${mime} files: convert ${file} to MP4 (\`ffmpeg -i ${file} -c copy ${file}.mp4\`), or use \`--media frames\`.`,
      { path, mime },
    );
  if (size > rules.largest.video)
    throw new Failure(
      "media-limit",
      `${file} has ${megabytes(size)} MB, but ${name} accepts at most ${megabytes(rules.largest.video)} MB: use \`--media frames\`, or make the file smaller.`,
      { path, bytes: size, limit: rules.largest.video },
    );
  const about = { bytes: size, seconds: probe.duration_s };
  if (size > LARGEST_STORED) return { type: "video", hash, mime, ...about };
  return { ...(await wholeVideoFile(context, stage)), ...about };
}

/** The video file, copied to the store. */
export function wholeVideoFile(context: GraphContext, stage: string): Promise<Medium> {
  const { path } = context.video;
  const extension = extname(path).toLowerCase();
  const mime = mimeOf(path);
  const type = mime === DEFAULT_MIME ? "mp4" : extension.slice(1);
  return storedMedium(context, stage, { type: "video", mime, extension: type }, () =>
    readFile(path).catch((error: unknown) => {
      throw toFailure(error, "file-unreadable", `reading ${path}`);
    }),
  );
}

function mimeOf(path: string): string {
  return MIMES[extname(path).toLowerCase()] ?? DEFAULT_MIME;
}

/**
 * The whole sound of the video: WAV if that is small, else MP3 at the best rate that the server of a role's model
 * accepts. Throws `Failure` `no-audio` or `media-limit`.
 */
export async function wholeSound(
  context: GraphContext,
  stage: string,
  role: Role,
): Promise<Medium> {
  const { path, probe } = context.video;
  const { duration_s } = probe;
  const stream = bestAudio(probe.audio)?.index;
  if (stream === undefined)
    throw new Failure("no-audio", `${basename(path)} has no sound: leave out \`--audio\`.`, {
      path,
    });
  const span = { from_s: 0, to_s: duration_s };
  const bytes = wavBytes(duration_s);
  if (bytes <= LARGEST_STORED) {
    const wav = await storedMedium(
      context,
      stage,
      { ...WAV, cut: soundCut(probe, stream) },
      async (signal) => {
        return (await readSound(path, probe, { ...span, stream, signal })).bytes;
      },
    );
    return { ...wav, bytes, seconds: duration_s };
  }
  const { rules, name } = rulesFor(role, context.settings);
  const kbps = highestKbps(duration_s, rules);
  if (kbps === null)
    throw new Failure(
      "media-limit",
      `The sound of ${basename(path)} lasts ${Math.round(duration_s / 60)} minutes, too long for ${name} even as MP3: leave out \`--audio\`, or use subtitles (\`video-rrd subtitles\`).`,
      { path, seconds: duration_s },
    );
  return soundClip(context.video, { ...span, kbps }, context.job(stage));
}

const WAV = { type: "audio", mime: "audio/wav", extension: "wav" } as const;

interface StoredAs extends Pick<Medium, "type" | "mime"> {
  extension: string;
  /** What the bytes depend on apart from the file. */
  cut?: number[];
}

async function storedMedium(
  context: GraphContext,
  stage: string,
  { type, mime, extension, cut = [] }: StoredAs,
  read: (signal: AbortSignal) => Promise<Uint8Array>,
): Promise<Medium> {
  const { store, run, signal } = context.job(stage);
  const video = context.video.hash;
  const step = { key: hashOf(["whole medium", type, video, ...cut]), tags: [video], run, signal };
  const { value } = await store.memo.once(step, async (inner) =>
    store.blobs.put(video, await read(inner), extension),
  );
  return { type, hash: value.hash, mime };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}
