import "../../src/app/registry.ts";
import sharp from "sharp";
import type { Memo, Store } from "../../src/core/contracts.ts";
import type { CallRecord } from "../../src/core/events.ts";
import { sha256 } from "../../src/core/hash.ts";
import { type Budget, createLedger, type Ledger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { Call, ChatRequest, Models, Part } from "../../src/models/chat.ts";
import { createModels, type ModelsOptions } from "../../src/models/models.ts";
import type { Patience } from "../../src/models/retry.ts";
import { createTranscription, type TranscribedPart } from "../../src/models/transcribe.ts";
import type { ModelServer } from "../support/model-server.ts";

/** Both real clients, with the form of their requests. */
export const BOTH = [
  { protocol: "openai", model: "openai:gpt-4.1" },
  { protocol: "google", model: "google-genai:gemini-2.5-flash" },
] as const;

export const OPENAI_KEY = "sk-test-openai-0123456789";
export const GOOGLE_KEY = "AIza-test-google-0123456789";
process.env.OPENAI_API_KEY = OPENAI_KEY;
process.env.GOOGLE_API_KEY = GOOGLE_KEY;

export const VIDEO = sha256("a video");

/** Pauses of milliseconds, as many as by default. */
export const HASTY: Patience = {
  retries: 7,
  pause: 2,
  longestPause: 20,
  longestRetryAfter: 50,
};

/** A store in memory: the memo without its locks between processes, and blobs. */
export function memoryStore(): Pick<Store, "memo" | "blobs"> & { bytes: Map<string, Uint8Array> } {
  const steps = new Map<string, { run: string; reusable: boolean; json: string }>();
  const bytes = new Map<string, Uint8Array>();
  const kept = (key: string, run: string) => {
    const step = steps.get(key);
    return step !== undefined && (step.reusable || step.run === run) ? step.json : undefined;
  };
  const memo: Memo = {
    async once(step, work) {
      const json = kept(step.key, step.run);
      if (json !== undefined) return { value: JSON.parse(json), cached: true };
      const value = await work(step.signal ?? new AbortController().signal);
      const reusable = step.reusable?.(value) ?? true;
      steps.set(step.key, { run: step.run, reusable, json: JSON.stringify(value) });
      return { value, cached: false };
    },
    async peek(key, run) {
      const json = kept(key, run);
      return json === undefined ? undefined : JSON.parse(json);
    },
    async forget() {
      return 0;
    },
  };
  return {
    bytes,
    memo,
    blobs: {
      async put(_video, data) {
        const hash = sha256(data);
        bytes.set(hash, data);
        return { hash, path: hash };
      },
      path: async (hash) => hash,
      read: async (hash) => bytes.get(hash) ?? new Uint8Array(),
      owners: async () => [],
      forget: async () => {},
    },
  };
}

export interface Rig {
  models: Models;
  calls: CallRecord[];
  ledger: Ledger;
}

export function rig(
  server: Pick<ModelServer, "url">,
  model: string,
  more: Partial<ModelsOptions> & {
    budget?: Partial<Budget>;
    runtime?: Record<string, unknown>;
  } = {},
): Rig {
  const { budget, runtime, ...options } = more;
  const calls: CallRecord[] = [];
  const ledger = createLedger({ ...NO_BUDGET, ...budget });
  const models = createModels({
    store: memoryStore(),
    settings: readSettings({
      strategy: "direct",
      model,
      runtime: { base_url: server.url, ...runtime },
    }),
    emit: (_stage, body) => {
      if (body.type === "call") calls.push(body.call);
    },
    ledger,
    run: "run-1",
    patience: HASTY,
    ...options,
  });
  return { models, calls, ledger };
}

/** A transcription of three seconds of sound by the real client, which reads no video. */
export function transcribe(
  url: string,
  more: Partial<ModelsOptions> & { runtime?: Record<string, unknown> } = {},
  part: Partial<TranscribedPart> = {},
) {
  const { runtime, ...options } = more;
  const { transcribe } = createTranscription({
    store: memoryStore(),
    settings: readSettings({
      recognition: { transcriber: "openai:whisper-1" },
      runtime: { transcriber_url: url, ...runtime },
    }),
    emit: () => {},
    ledger: createLedger(NO_BUDGET),
    run: "run-1",
    patience: HASTY,
    ...options,
  });
  const bytes = new TextEncoder().encode("RIFF");
  return transcribe({
    ...{ video: VIDEO, stage: "speech", label: "sound", key: {}, ranges: [] },
    ...{ seconds: 30, bytes: bytes.length, isDivisible: false },
    read: async () => ({ bytes, mime: "audio/wav", name: "a.wav", seconds: 30 }),
    ...part,
  });
}

export function ask(parts: (string | FrameRef)[], more: Partial<ChatRequest> = {}): Call {
  return {
    role: "reasoner",
    stage: "answer",
    label: "the question",
    prompts: {},
    video: VIDEO,
    epoch: 0,
    request: {
      temperature: 0,
      maxTokens: 64,
      messages: [
        {
          role: "user",
          parts: parts.map(
            (part): Part =>
              typeof part === "string"
                ? { type: "text", text: part }
                : { type: "image", frame: part },
          ),
        },
      ],
      ...more,
    },
  };
}

/** A small JPEG of one colour, in the store. */
export async function putFrame(
  store: Pick<Store, "blobs">,
  colour: string,
  t_s: number,
  side = 32,
): Promise<FrameRef> {
  const bytes = await sharp({
    create: { width: side, height: side, channels: 3, background: colour },
  })
    .jpeg()
    .toBuffer();
  const { hash } = await store.blobs.put(VIDEO, bytes, "jpg");
  return { hash, video: VIDEO, t_s, width: side, height: side };
}
