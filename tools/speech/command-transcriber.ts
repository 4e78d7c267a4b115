import { mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { toFailure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { extractAudio } from "../../src/media/cut.ts";
import { runProgram } from "../../src/media/run-program.ts";
import { soundCut } from "../../src/media/sound-input.ts";
import type { SpokenSegment } from "../../src/models/speech.ts";
import { temporaryPath } from "../../src/storage/temporary.ts";
import { throttleProgress } from "../video/throttle-progress.ts";
import type { SoundTrack, Transcriber } from "./transcriber.ts";
import {
  COMMAND_PREFIX,
  fillPlaceholders,
  identifyCommand,
  parseTranscriberCommand,
  type TranscriberCommand,
} from "./transcriber-command.ts";
import { readTranscript } from "./transcripts/read-transcript.ts";

/** Increase it whenever the same output would be read differently. */
const READING_VERSION = 1;
const MOST_PRINTED_BYTES = 64 * 2 ** 20;
/** A large model on a slow machine takes about ten times as long as the speech. */
const TIMES_REAL_TIME = 20;
const SOUND = { sample_rate: 16_000, channels: 1 };

/**
 * The engine of `--transcriber "command:PROGRAM {audio}"`. The program gets the whole sound as a WAV file; its
 * transcript is stored by the content of the video and the identity of the command. It may take 20 times the length of
 * the sound and `timeout_s`. `language` is the code for `{language}`.
 *
 * Throws `Failure` `wrong-setting` as `parseTranscriberCommand`. Its `transcribe` throws `wrong-setting` if the program
 * cannot be started; `program-failed` if it fails, takes too long, or writes nothing that can be read; those of
 * decoding; `cancelled`.
 */
export function commandTranscriber(
  given: string,
  { timeout_s, language = null }: { timeout_s: number; language?: string | null },
): Transcriber {
  const command = parseTranscriberCommand(given, language);
  const label = `The transcriber "${given.slice(COMMAND_PREFIX.length).trim()}"`;
  const by = { who: "tool", name: basename(command.command) } as const;
  return {
    name: by.name,
    by,
    async transcribe({ video, stream, ranges }, _stage, job) {
      if (ranges.length === 0) return { segments: [], unheard: [] };
      const cut = soundCut(video.probe, stream);
      const step = ["transcribe with command", READING_VERSION, video.hash, ...cut];
      const key = hashOf([...step, identifyCommand(command)]);
      const { value } = await job.store.memo.once(
        { key, tags: [video.hash], run: job.run, signal: job.signal },
        (signal) => runOn(video, command, { label, timeout_s }, { ...job, signal }),
      );
      const isHeard = ({ start_s, end_s }: SpokenSegment) =>
        ranges.some(({ from_s, to_s }) => start_s < to_s && end_s > from_s);
      return { segments: value.filter(isHeard), unheard: [] };
    },
  };
}

async function runOn(
  { path, probe }: SoundTrack["video"],
  { command, args }: TranscriberCommand,
  { label, timeout_s }: { label: string; timeout_s: number },
  job: JobContext,
): Promise<SpokenSegment[]> {
  const { duration_s } = probe;
  const { signal } = job;
  const progress = throttleProgress(job.progress, "seconds of sound");
  // In the store, so that the next start removes what a killed process leaves.
  const made = mkdtemp(`${temporaryPath(job.store.folder)}-sound-`);
  const folder = await made.catch((error: unknown) => {
    throw toFailure(error, "disk-unwritable", "making a folder for the sound");
  });
  try {
    const audio = join(folder, "sound.wav");
    await extractAudio(path, probe, { from_s: 0, to_s: duration_s, ...SOUND }, audio, { signal });
    progress(0, duration_s);
    const printed = await runProgram(
      {
        command,
        args: fillPlaceholders(args, { audio, folder, output: join(folder, "transcript") }),
      },
      {
        timeout_s: timeout_s + TIMES_REAL_TIME * duration_s,
        signal,
        label,
        maxOutput: MOST_PRINTED_BYTES,
        hint: "Raise --call-timeout.",
        onOutput(text) {
          const heard_s = lastTime(text);
          if (heard_s !== null && heard_s < duration_s) progress(heard_s, duration_s);
        },
      },
    );
    const { segments } = await readTranscript(folder, "sound.wav", printed, label);
    progress(duration_s, duration_s);
    return segments;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The end of the last segment that a program printed, in seconds. */
function lastTime(text: string): number | null {
  const [, hours = "0", minutes, seconds] =
    [...text.matchAll(/--> (?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}[.,]\d{1,3})/g)].at(-1) ?? [];
  if (minutes === undefined || seconds === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}
