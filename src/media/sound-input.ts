import { INDEXED } from "./packets.ts";
import type { Probe } from "./probe.ts";
import { inputArgs, runFfmpeg } from "./run-ffmpeg.ts";

/** A range of a sound stream. Seconds count from the start of the container. */
export interface SoundPiece {
  /** Index of the audio stream among all streams of the file. */
  stream: number;
  from_s: number;
  to_s: number;
  signal?: AbortSignal;
}

/** What is known of the file whose sound is read. */
export type SoundSource = Pick<Probe, "audio" | "origin_s">;

/**
 * Seconds before the range to which a seek goes. ffmpeg seeks to a key frame of the video, and in formats without an
 * exact index to the next one: most groups of pictures are shorter than the first, nearly all are shorter than the second.
 */
export const SEEK_EARLY_S: readonly number[] = [3, 15];

/** A picture that begins later than this after the start of the file, in seconds, made a seek skip sound. */
const LATE_S = 0.1;

/**
 * What identifies how a sound stream is cut, for memo keys: empty for the first stream of a file in which any seek finds
 * all sound, since such files have always been cut alike and what was made from them is not made again.
 */
export function soundCut(
  { container, video, audio }: Pick<Probe, "container" | "video" | "audio">,
  stream: number,
): number[] {
  const isExact = INDEXED.test(container) && (video === null || video.start_s <= LATE_S);
  return isExact && stream === audio[0]?.index ? [] : [CUT_VERSION, stream];
}

/** Increase it whenever the same sound would be cut differently. */
const CUT_VERSION = 2;

/** Fills a late start and gaps with silence, so that positions in the sound equal times in the range. */
const FILL_GAPS = "aresample=async=1:first_pts=0";

/** Seconds read beyond the end, since `-t` of an input counts from the first frame, not from the seek position. */
const PAST_END_S = 1;

/** Filters that cut a range exactly from sound with the times of the container (`-copyts`). */
export function soundFilters(
  { from_s, to_s }: Pick<SoundPiece, "from_s" | "to_s">,
  origin_s: number,
): string[] {
  const start_s = (from_s + origin_s).toFixed(6);
  const end_s = (to_s + origin_s).toFixed(6);
  return [
    `atrim=start=${start_s}:end=${end_s}`,
    `asetpts=PTS-${start_s}/TB`,
    FILL_GAPS,
    `atrim=end=${(to_s - from_s).toFixed(6)}`,
  ];
}

/**
 * Arguments of ffmpeg that read a range of a sound stream, with its start at 0. They seek only to a position from which
 * the file has all sound of the range, else they read from the start of the file.
 * Throws `Failure`: `damaged`, `media-limit`, `cancelled`.
 */
export async function soundInput(
  path: string,
  source: SoundSource,
  piece: SoundPiece,
): Promise<string[]> {
  const seek_s = await findSeek(path, source, piece);
  const length_s = piece.to_s - (seek_s ?? 0) + PAST_END_S;
  return [
    ...(seek_s === null ? [] : ["-ss", seek_s.toFixed(6)]),
    ...["-t", length_s.toFixed(6), "-copyts", ...inputArgs(path)],
    ...["-map", `0:${piece.stream}`, "-af", soundFilters(piece, source.origin_s).join(",")],
  ];
}

/** The latest position to seek to whose first packet is not after the start of the range; null: the start of the file. */
async function findSeek(
  path: string,
  { audio, origin_s }: SoundSource,
  { stream, from_s, signal }: SoundPiece,
): Promise<number | null> {
  const start_s = audio.find(({ index }) => index === stream)?.start_s ?? 0;
  const latest_s = Math.max(from_s, start_s) + origin_s;
  for (const early_s of SEEK_EARLY_S) {
    const seek_s = from_s - early_s;
    if (seek_s <= 0) return null;
    if ((await firstPacketAfter(path, stream, seek_s, signal)) <= latest_s) return seek_s;
  }
  return null;
}

/** Time on the container's clock of the first packet after a seek; Infinity if there is none. Decodes nothing. */
async function firstPacketAfter(
  path: string,
  stream: number,
  seek_s: number,
  signal?: AbortSignal,
): Promise<number> {
  const { stdout } = await runFfmpeg(
    [
      ...["-ss", seek_s.toFixed(6), "-copyts", ...inputArgs(path), "-map", `0:${stream}`],
      ...["-c", "copy", "-frames:a", "1", "-f", "framecrc", "pipe:1"],
    ],
    { signal, anyExit: true },
  );
  const lines = stdout.toString("latin1");
  const [, over, under] = /^#tb 0: (\d+)\/(\d+)$/m.exec(lines) ?? [];
  const [, ticks] = /^0, *-?\d+, *(-?\d+),/m.exec(lines) ?? [];
  if (ticks === undefined) return Infinity;
  return (Number(ticks) * Number(over)) / Number(under);
}
