import { z } from "zod";
import type { VideoSampling } from "../../../core/settings.ts";
import type { Part } from "../../chat.ts";

/* Gemini's metadata for the videos of a request, which LangChain's client does not support. */

/** Gemini's `videoMetadata`: times in seconds with the suffix `s`, `fps` in (0, 24]. Empty if nothing is set. */
export interface VideoMetadata {
  startOffset?: string;
  endOffset?: string;
  fps?: number;
}

/** Gemini's names of types that others call differently. */
const MIMES: Readonly<Record<string, string>> = {
  "audio/mpeg": "audio/mp3",
  "video/quicktime": "video/mov",
  "video/x-msvideo": "video/avi",
};

export function geminiMime(mime: string): string {
  return MIMES[mime] ?? mime;
}

/** One for each video among the parts, in their order. */
export function videoMetadata(parts: readonly Part[], sampling: VideoSampling = {}) {
  return parts.flatMap((part): VideoMetadata[] => {
    if (part.type !== "video") return [];
    const { span } = part;
    return [
      {
        ...(span === undefined
          ? {}
          : { startOffset: `${span.from_s}s`, endOffset: `${span.to_s}s` }),
        ...(sampling.fps === undefined ? {} : { fps: sampling.fps }),
      },
    ];
  });
}

/** The part of LangChain's request that is completed here. */
const Request = z.looseObject({
  contents: z.array(z.looseObject({ parts: z.array(z.looseObject({})) })),
  generationConfig: z.looseObject({}).optional(),
});
const Video = z.looseObject({ mimeType: z.string().startsWith("video/") });

/** Writes `videoMetadata` after each video of the request, and `mediaResolution` into its configuration. */
export function addSampling(
  request: unknown,
  sampling: VideoSampling | undefined,
  cuts: readonly VideoMetadata[],
): void {
  if (cuts.length === 0 || !Request.safeParse(request).success) return;
  const { contents, generationConfig } = request as z.infer<typeof Request>;
  const videos = contents
    .flatMap(({ parts }) => parts)
    .filter(({ inlineData, fileData }) => Video.safeParse(inlineData ?? fileData).success);
  for (const [index, video] of videos.entries()) {
    const cut = cuts[index] ?? {};
    if (Object.keys(cut).length > 0) video.videoMetadata = cut;
  }
  if (sampling?.resolution !== undefined && generationConfig !== undefined)
    generationConfig.mediaResolution = `MEDIA_RESOLUTION_${sampling.resolution.toUpperCase()}`;
}
