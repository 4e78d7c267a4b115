import { isSpoken } from "../../src/core/evidence.ts";
import { hearsSpeech, readsSetting } from "../../src/core/settings.ts";
import { readSubtitles } from "../../tools/speech/subtitles.ts";
import type { GraphContext } from "../context.ts";
import type { State } from "../state.ts";

const NAME_ENGINE = "name an engine with --transcriber, for example --transcriber openai:whisper-1";

/**
 * A diagnostic with a sentence that the sound of the video was not heard, and how to change that. Empty if the video
 * has no sound, if subtitles were found, if the sound was transcribed or sent to the model, and for strategies and tasks
 * that do not use speech.
 */
export async function unheardSound(
  { question, evidence }: Pick<State, "question" | "evidence">,
  context: GraphContext,
): Promise<{ unheard_sound?: string }> {
  const { video, settings } = context;
  const { recognition, strategy } = settings;
  const usesSpeech = question.task !== "order" && readsSetting(strategy, "recognition.transcriber");
  const isSent = recognition.audio || recognition.media === "video";
  if (video.probe.audio.length === 0 || !usesSpeech || isSent) return {};
  if (hearsSpeech(recognition) || evidence.some(isSpoken)) return {};
  const { source } = await readSubtitles(video, {}, context.job("cite"));
  if (source !== null && recognition.subtitles !== "off") return {};
  const change =
    recognition.transcriber !== null
      ? "leave out --speech off"
      : source !== null
        ? `pass --subtitles full to use ${source.name}, or ${NAME_ENGINE}`
        : NAME_ENGINE;
  return { unheard_sound: `The sound of this video was not heard. To change that, ${change}.` };
}
