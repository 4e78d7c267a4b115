import { z } from "zod";

/* Parses ffprobe's output on a file's header into the types of a `Probe`. */

const Rational = z.string().transform((text) => {
  const [over = 0, under = 1] = text.split(/[/:]/).map(Number);
  return under > 0 && over > 0 ? over / under : null;
});
const Seconds = z
  .string()
  .transform(Number)
  .transform((value) => (Number.isFinite(value) ? value : null));

const Stream = z.object({
  index: z.int(),
  codec_type: z.string().optional(),
  codec_name: z.string().default("unknown"),
  width: z.number().default(0),
  height: z.number().default(0),
  sample_aspect_ratio: Rational.nullable().default(null),
  avg_frame_rate: Rational.nullable().default(null),
  time_base: Rational.nullable().default(null),
  channels: z.number().default(0),
  sample_rate: z.coerce.number().default(0),
  disposition: z.record(z.string(), z.number()).default({}),
  tags: z.record(z.string(), z.string()).default({}),
  side_data_list: z.array(z.object({ rotation: z.coerce.number().optional() })).default([]),
});
export type Stream = z.infer<typeof Stream>;

export const Header = z.object({
  streams: z.array(Stream).default([]),
  format: z.object({
    format_name: z.string(),
    start_time: Seconds.nullable().default(null),
    duration: Seconds.nullable().default(null),
  }),
});
export type Header = z.infer<typeof Header>;

/** A sound stream of a file. */
export interface AudioStream {
  index: number;
  codec: string;
  channels: number;
  /** Hertz. */
  sample_rate: number;
  /** ISO 639 code in the file; null if missing. */
  language: string | null;
  start_s: number;
  /** Whether the file marks it as the one to be heard. */
  default: boolean;
}

/** A subtitle stream of a file. */
export interface SubtitleStream {
  index: number;
  codec: string;
  /** Whether cues hold text, pictures of text, or teletext pages, which need their own decoder. */
  kind: "text" | "image" | "teletext";
  language: string | null;
  title: string | null;
  /** How the file marks it: to be shown, with only some of the speech, with sounds for the hard of hearing. */
  default: boolean;
  forced: boolean;
  hearing_impaired: boolean;
}

const IMAGE_SUBTITLES = new Set(["dvd_subtitle", "dvb_subtitle", "hdmv_pgs_subtitle", "xsub"]);

/** Whether the stream is cover art or thumbnails, which are listed as video but are still pictures. */
export function isCover(stream: Stream): boolean {
  const { attached_pic = 0, timed_thumbnails = 0, still_image = 0 } = stream.disposition;
  return stream.codec_type === "video" && (attached_pic || timed_thumbnails || still_image) !== 0;
}

/**
 * Selects the video stream: one marked as default first, then the largest picture, then the first.
 * ffmpeg uses the same order by default (`choose_video` in its `ffmpeg_mux_init.c`).
 */
export function bestVideo(streams: Stream[]): Stream | undefined {
  const area = (stream: Stream) => stream.width * stream.height;
  return streams
    .filter((stream) => stream.codec_type === "video" && !isCover(stream) && area(stream) > 0)
    .sort(
      (a, b) =>
        (b.disposition.default ?? 0) - (a.disposition.default ?? 0) ||
        area(b) - area(a) ||
        a.index - b.index,
    )[0];
}

/** Selects the sound stream: the first one marked as default, else the first. */
export function bestAudio(
  streams: readonly Pick<AudioStream, "index" | "default">[],
): Pick<AudioStream, "index"> | undefined {
  return streams.find((stream) => stream.default) ?? streams[0];
}

/** Degrees clockwise, 0 to 359, by which the stored picture is turned upright. */
export function rotationOf(stream: Stream): number {
  const matrix = stream.side_data_list.find((item) => item.rotation !== undefined)?.rotation;
  const clockwise = matrix === undefined ? Number(stream.tags.rotate ?? 0) : -matrix;
  return Number.isFinite(clockwise) ? ((Math.round(clockwise) % 360) + 360) % 360 : 0;
}

export function languageOf(stream: Stream): string | null {
  const language = stream.tags.language ?? stream.tags.LANGUAGE;
  return language === undefined || language === "und" ? null : language;
}

export function isMarked(stream: Stream, disposition: string): boolean {
  return (stream.disposition[disposition] ?? 0) !== 0;
}

export function subtitleStream(stream: Stream): SubtitleStream {
  const codec = stream.codec_name;
  return {
    index: stream.index,
    codec,
    kind: codec === "dvb_teletext" ? "teletext" : IMAGE_SUBTITLES.has(codec) ? "image" : "text",
    language: languageOf(stream),
    title: stream.tags.title ?? stream.tags.TITLE ?? null,
    default: isMarked(stream, "default"),
    forced: isMarked(stream, "forced"),
    hearing_impaired: isMarked(stream, "hearing_impaired"),
  };
}
