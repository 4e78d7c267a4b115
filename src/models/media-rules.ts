import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import { type Settings, videoSampling } from "../core/settings.ts";
import type { ChatRequest, Medium, Part } from "./chat.ts";
import { modelOf, type Provider } from "./name.ts";
import { findAddress, isOwnServer, type Target } from "./target.ts";

const MB = 2 ** 20;

/** What a server takes of video and sound. Sizes in bytes. */
export interface MediaRules {
  /** Whether it takes video at all. */
  video: boolean;
  /** Largest request that may carry media inside; null: any. */
  request: number | null;
  /** Largest file. */
  largest: Record<Medium["type"], number>;
  /** Whether larger files may be uploaded before the request. */
  uploads: boolean;
  /** Types of video it takes; null: not known. */
  types: readonly string[] | null;
}

/** Gemini's "Video understanding" and "Files API": 20 MB inside a request, 2 GB a file. */
const GEMINI: MediaRules = {
  video: true,
  request: 20 * MB,
  largest: { video: 2048 * MB, audio: 2048 * MB },
  uploads: true,
  types: [
    "video/mp4",
    "video/mpeg",
    "video/quicktime",
    "video/x-msvideo",
    "video/x-flv",
    "video/webm",
    "video/x-ms-wmv",
    "video/3gpp",
  ],
};

/** OpenAI's chat completions hold no video; sound is wav or mp3 inside the request. */
const OPENAI: MediaRules = {
  video: false,
  request: null,
  largest: { video: 0, audio: 20 * MB },
  uploads: false,
  types: null,
};

/** vLLM and its like: `video_url` as a data URL, whose size is limited by the length of a string. */
const OWN_SERVER: MediaRules = {
  video: true,
  request: null,
  largest: { video: 256 * MB, audio: 20 * MB },
  uploads: false,
  types: null,
};

export function mediaRules(target: Pick<Target, "provider" | "baseUrl">): MediaRules {
  if (target.provider === "google-genai") return GEMINI;
  return isOwnServer(target) ? OWN_SERVER : OPENAI;
}

/** Base64 of so many bytes. */
export function encoded(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Bytes of a JPEG a pixel: above what camera pictures need, so that a request never exceeds its limit. */
const BYTES_A_PIXEL = 0.4;

/**
 * The media of a request that have to be uploaded before it, since it would be too large with all of them inside: the
 * largest first, each file once. Empty where everything fits, or nothing can be uploaded.
 */
export function uploadsOf(request: ChatRequest, target: Target): Medium[] {
  const rules = mediaRules(target);
  if (!rules.uploads || rules.request === null) return [];
  const parts = request.messages.flatMap((message) => ("parts" in message ? message.parts : []));
  const files = new Map<string, Medium>();
  for (const part of parts)
    if (part.type === "video" || part.type === "audio") files.set(part.hash, part);
  let total = parts.reduce((sum, part) => sum + bytesInside(part), 0);
  const uploads: Medium[] = [];
  const largestFirst = [...files.values()].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0));
  for (const file of largestFirst) {
    if (total <= rules.request) break;
    const times = parts.filter((part) => "hash" in part && part.hash === file.hash).length;
    total -= times * bytesInside(file);
    uploads.push(file);
  }
  return uploads;
}

function bytesInside(part: Part): number {
  if (part.type === "text") return part.text.length;
  if (part.type === "image")
    return encoded(part.frame.width * part.frame.height * BYTES_A_PIXEL) + 200;
  return encoded(part.bytes ?? 0) + 200;
}

/** Whether a file of this size does not fit into a request even without other media, so that it is uploaded. */
export function isUploaded(bytes: number, { uploads, request }: MediaRules): boolean {
  return uploads && request !== null && encoded(bytes) > request;
}

/**
 * Checks, before a video is looked at, that the models of these roles can be sent what the settings say.
 * Throws `Failure` `wrong-setting`. A server of one's own is only known to refuse once it is asked.
 */
export function checkMedia(settings: Settings, roles: Iterable<Role>): void {
  const { recognition } = settings;
  if (recognition.media !== "video") return;
  for (const role of roles) {
    const name = modelOf(settings, role);
    const address = findAddress(name, settings.runtime.base_url);
    if (!mediaRules(address).video)
      throw new Failure(
        "wrong-setting",
        `\`--media video\` cannot be used with ${name}: OpenAI's API takes no video. Use \`--media frames\`, a google-genai model, or a server that takes \`video_url\` such as vLLM (\`--base-url\`).`,
        { model: name, path: "recognition.media" },
      );
    checkSampling(settings, address.provider, name);
  }
}

/** Each provider has its own words for how a video is sampled. */
function checkSampling({ recognition }: Settings, provider: Provider, name: string): void {
  const given = videoSampling(recognition) ?? {};
  const wrong =
    provider === "google-genai"
      ? given.frames !== undefined
        ? "`--video-frames`: Gemini samples by rate. Use `--video-fps`"
        : given.max_pixels !== undefined
          ? "`--video-max-pixels`: Gemini has no such limit. Use `--video-resolution`"
          : null
      : given.resolution !== undefined
        ? "`--video-resolution`, which only Gemini has. Use `--video-max-pixels`"
        : null;
  if (wrong === null) return;
  throw new Failure("wrong-setting", `${name} cannot be used with ${wrong}.`, { model: name });
}
