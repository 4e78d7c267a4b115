import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { SOUND_RATE, streamSound } from "../../src/media/read-sound.ts";
import { soundCut } from "../../src/media/sound-input.ts";
import type { SoundTrack } from "./transcriber.ts";

/** Seconds of one level. */
export const LEVEL_S = 0.05;

/** Level of digital silence, in dB. */
const SILENT_DB = -100;

/** Raise when levels are computed differently. */
const VERSION = 1;

/**
 * The loudness of a sound track: one value for every 0.05 s, in whole dB relative to full scale, from -100 (silence) to
 * 0. The sound is decoded once, without being kept, and the levels are stored by the content of the video.
 * Throws `Failure`: `damaged`, `media-limit`, `cancelled`.
 */
export async function soundLevels(
  { video, stream }: Pick<SoundTrack, "video" | "stream">,
  { store, run, signal, progress }: JobContext,
): Promise<Int8Array> {
  const cut = soundCut(video.probe, stream);
  const key = hashOf(["sound levels", VERSION, video.hash, stream, ...cut]);
  const { value } = await store.memo.once<string>(
    { key, tags: [video.hash], run, signal },
    async (inner) => {
      const to_s = video.probe.duration_s;
      const meter = createMeter();
      let reported_s = 0;
      const whole = { stream, from_s: 0, to_s, signal: inner };
      await streamSound(video.path, video.probe, whole, (samples) => {
        meter.take(samples);
        const done_s = meter.count() * LEVEL_S;
        if (done_s - reported_s < REPORTED_EVERY_S) return;
        reported_s = done_s;
        progress?.(Math.floor(done_s), Math.ceil(to_s), "seconds of sound measured");
      });
      return Buffer.from(meter.levels()).toString("base64");
    },
  );
  const bytes = Buffer.from(value, "base64");
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Seconds of sound between two reports of progress. */
const REPORTED_EVERY_S = 60;

/** Turns samples into levels as they arrive. */
function createMeter() {
  const perLevel = Math.round(SOUND_RATE * LEVEL_S);
  let levels = new Int8Array(1024);
  let count = 0;
  let sum = 0;
  let taken = 0;
  const end = () => {
    if (taken === 0) return;
    if (count === levels.length) {
      const larger = new Int8Array(2 * count);
      larger.set(levels);
      levels = larger;
    }
    levels[count++] = decibels(sum / taken);
    sum = 0;
    taken = 0;
  };
  return {
    take(samples: Int16Array) {
      for (const sample of samples) {
        sum += sample * sample;
        if (++taken === perLevel) end();
      }
    },
    count: () => count,
    levels(): Int8Array {
      end();
      return levels.subarray(0, count);
    },
  };
}

/** Of a mean square of 16-bit samples. */
function decibels(meanSquare: number): number {
  if (meanSquare === 0) return SILENT_DB;
  return Math.max(SILENT_DB, Math.round(10 * Math.log10(meanSquare / 2 ** 30)));
}
