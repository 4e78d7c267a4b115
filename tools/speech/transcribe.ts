import { Failure } from "../../src/core/errors.ts";
import type { Emit } from "../../src/core/events.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { createLedger } from "../../src/core/ledger.ts";
import { readSettings, type SettingsInput } from "../../src/core/settings.ts";
import { checkPrices } from "../../src/models/check-prices.ts";
import type { Video } from "../video/video.ts";
import { checkTranscriber, createTranscriber } from "./create-transcriber.ts";
import { type HeardSpeech, hearSpeech } from "./hear-speech.ts";

/**
 * Transcribes the speech of a video with the engine that `settings.recognition.transcriber` names: segments in order of
 * time, in seconds from the start of the container. Silence is not sent. Each part of the sound is stored before it
 * returns, so that a stopped call continues with the next part. `onEvent` receives the calls.
 *
 * Throws `Failure`: `no-audio`, `wrong-setting` without an engine or for a model without a price under a limit of
 * dollars, `missing-key`, `unknown-model`, `media-limit` for a server that accepts only smaller uploads, and the
 * failures of model calls.
 *
 * @example
 * const settings = { recognition: { transcriber: "openai:whisper-1" } };
 * const { segments } = await transcribe(await openVideo("film.mp4", job), settings, job);
 * for (const { start_s, text } of segments) console.log(start_s, text);
 */
export async function transcribe(
  video: Video,
  settings: SettingsInput,
  job: JobContext,
  onEvent: Emit = () => undefined,
): Promise<HeardSpeech> {
  const read = readSettings(settings);
  const { store, run, signal } = job;
  checkTranscriber(read);
  const ledger = createLedger(read.budget);
  const calling = { store, settings: read, emit: onEvent, ledger, run, signal };
  const transcriber = createTranscriber(calling);
  if (transcriber === null)
    throw new Failure(
      "wrong-setting",
      "No engine to transcribe with: set recognition.transcriber, for example `openai:whisper-1`.",
      { path: "recognition.transcriber" },
    );
  await checkPrices(read, null, ["transcriber"]);
  return hearSpeech(video, transcriber, "speech", job);
}
