import type { ModelsOptions } from "../../src/models/models.ts";
import { transcriberTarget } from "../../src/models/transcribe.ts";
import { transcribe } from "./transcribe.ts";
import type { Transcriber } from "./transcriber.ts";

/** The model of a provider as an engine. */
export function modelTranscriber({ settings }: ModelsOptions): Transcriber {
  const target = transcriberTarget(settings);
  const { runtime } = settings;
  const spec = {
    model: target.name,
    base_url: target.baseUrl,
    headers: runtime.headers,
    timeout_s: runtime.call_timeout_s,
    connections: 4,
  };
  return {
    name: target.name,
    by: { who: "model", name: target.name },
    async transcribe({ video }, _stage, job) {
      const cues = await transcribe(video, spec, job);
      return {
        segments: cues.map((cue) => ({ ...cue, confidence: null, speaker: null })),
        unheard: [],
      };
    },
  };
}
