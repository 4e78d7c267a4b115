import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import { type Settings, videoSampling } from "../core/settings.ts";
import type { ChatRequest, Medium, Part } from "./chat.ts";
import { providers } from "./define-provider.ts";
import { encoded, type MediaRules } from "./media-support.ts";
import { modelOf } from "./name.ts";
import { findAddress, type Target } from "./target.ts";

export type { MediaRules } from "./media-support.ts";

export function mediaRules(target: Pick<Target, "provider" | "baseUrl">): MediaRules {
  return providers.get(target.provider).media(target);
}

/** Bytes per pixel of a JPEG: above what camera pictures need, so that a request never exceeds its limit. */
const BYTES_PER_PIXEL = 0.4;

/**
 * The media of a request that have to be uploaded before it, since it would be too large with all of them inside: the
 * largest first, each file once. Empty if everything fits, or nothing can be uploaded.
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
    return encoded(part.frame.width * part.frame.height * BYTES_PER_PIXEL) + 200;
  return encoded(part.bytes ?? 0) + 200;
}

/** Whether a file of this size does not fit into a request even without other media, so that it is uploaded. */
export function isUploaded(bytes: number, { uploads, request }: MediaRules): boolean {
  return uploads && request !== null && encoded(bytes) > request;
}

/**
 * Checks, before any work on the video, that the models of these roles accept the media of the settings. Throws
 * `Failure` `wrong-setting`. A server of one's own shows only by its reply what it accepts.
 */
export function checkMedia(settings: Settings, roles: Iterable<Role>): void {
  const { recognition } = settings;
  if (recognition.media !== "video") return;
  for (const role of roles) {
    const name = modelOf(settings, role);
    const address = findAddress(name, settings.runtime.base_url);
    const { title, samplingProblem } = providers.get(address.provider);
    if (!mediaRules(address).video)
      throw new Failure(
        "wrong-setting",
        `\`--media video\` cannot be used with ${name}: ${title}'s API takes no video. Use \`--media frames\`, a model that takes video, or a server that takes \`video_url\` such as vLLM (\`--base-url\`).`,
        { model: name, path: "recognition.media" },
      );
    const problem = samplingProblem?.(videoSampling(recognition) ?? {}) ?? null;
    if (problem !== null)
      throw new Failure("wrong-setting", `${name} cannot be used with ${problem}.`, {
        model: name,
      });
  }
}
