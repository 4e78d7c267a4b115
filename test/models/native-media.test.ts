import { afterAll, beforeEach, expect, test } from "vitest";
import { readSettings } from "../../src/core/settings.ts";
import { callKey, estimateTokens } from "../../src/models/call-key.ts";
import type { ChatRequest, Medium } from "../../src/models/chat.ts";
import { checkMedia, mediaRules, uploadsOf } from "../../src/models/media-rules.ts";
import { findTarget } from "../../src/models/target.ts";
import { highestKbps } from "../../tools/speech/sound-clip.ts";
import { type SeenRequest, startModelServer } from "../support/model-server.ts";
import { ask, memoryStore, rig, VIDEO } from "./setup.ts";

const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => server.reset());

const store = memoryStore();
const { hash } = await store.blobs.put(VIDEO, Buffer.from("bytes of a video"), "mp4");
const clip: Medium = { type: "video", hash, mime: "video/mp4", seconds: 10 };

async function send(model: string, parts: Medium[], more: Partial<ChatRequest> = {}) {
  const call = ask(["Which letter?"], more);
  call.request.messages = [
    { role: "user", parts: [...parts, { type: "text", text: "Which letter?" }] },
  ];
  await rig(server, model, { store }).models.call(call);
  return server.chats().at(-1) as SeenRequest;
}

test("vLLM gets a video_url, and sampling only if it is set", async () => {
  const plain = await send("openai:qwen", [clip]);
  expect(plain.videos.map(String)).toEqual(["bytes of a video"]);
  expect(plain.body).not.toHaveProperty("media_io_kwargs");
  expect(plain.body).not.toHaveProperty("mm_processor_kwargs");
  const set = await send("openai:qwen", [clip], {
    video: { fps: 2, frames: 64, max_pixels: 151_200 },
  });
  expect(set.body).toMatchObject({
    media_io_kwargs: { video: { fps: 2, num_frames: 64 } },
    mm_processor_kwargs: { fps: 2, max_pixels: 151_200 },
  });
  const rate = await send("openai:qwen", [clip], { video: { fps: 2 } });
  expect(rate.body).toMatchObject({ media_io_kwargs: { video: { fps: 2, num_frames: -1 } } });
});

test("Gemini gets rate, times and resolution of each video", async () => {
  const span = { from_s: 1.5, to_s: 4 };
  const seen = await send(
    "google-genai:gemini",
    [
      { ...clip, mime: "video/quicktime" },
      { ...clip, span },
      { type: "audio", hash, mime: "audio/mpeg" },
    ],
    { video: { fps: 0.5, resolution: "low" } },
  );
  expect(seen.parts.filter((part) => part.type !== "text")).toMatchObject([
    { type: "video", mime: "video/mov", metadata: { fps: 0.5 } },
    { type: "video", metadata: { fps: 0.5, startOffset: "1.5s", endOffset: "4s" } },
    { type: "audio", mime: "audio/mp3" },
  ]);
  expect(seen.body).toMatchObject({
    generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW" },
  });
  const plain = await send("google-genai:gemini", [clip]);
  expect(plain.parts[0]).not.toHaveProperty("metadata");
  expect(plain.body).not.toHaveProperty("generationConfig.mediaResolution");
});

const request = (parts: Medium[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  ...ask([]).request,
  messages: [{ role: "user", parts }],
  ...more,
});

test("the key of a clip depends on how it was cut, not on the encoder's bytes", () => {
  const key = (part: Medium, more?: Partial<ChatRequest>) =>
    callKey({ name: "openai:m", baseUrl: "http://x/v1" }, request([part], more), 0, 0);
  const cut = { ...clip, made: "a".repeat(64) };
  expect(key({ ...cut, hash: "1".repeat(64), bytes: 1 })).toBe(key(cut));
  expect(key({ ...cut, made: "b".repeat(64) })).not.toBe(key(cut));
  expect(key(clip)).not.toBe(key({ ...clip, hash: "1".repeat(64) }));
  expect(key({ ...clip, bytes: 7, seconds: 3 })).toBe(key(clip));
  expect(key({ ...clip, span: { from_s: 0, to_s: 1 } })).not.toBe(key(clip));
  expect(key(clip, { video: { fps: 2 } })).not.toBe(key(clip));
});

test("tokens of video and sound are estimated by Gemini's documentation, and not for others", () => {
  const tokens = (part: Medium, provider: "openai" | "google-genai", more?: Partial<ChatRequest>) =>
    estimateTokens(request([part], more), provider);
  expect(tokens(clip, "google-genai")).toBe(10 * (258 + 32));
  expect(tokens(clip, "google-genai", { video: { fps: 2, resolution: "low" } })).toBe(
    10 * (2 * 66 + 32),
  );
  expect(tokens({ ...clip, type: "audio" }, "google-genai")).toBe(10 * 32);
  expect(tokens(clip, "openai")).toBe(0);
});

test("media that do not fit into a Gemini request are uploaded, the largest first, each file once", () => {
  const gemini = findTarget("google-genai:g", { base_url: server.url });
  const MB = 2 ** 20;
  const file = (name: string, mb: number): Medium => ({ ...clip, hash: name, bytes: mb * MB });
  const uploads = (parts: Medium[]) => uploadsOf(request(parts), gemini).map((part) => part.hash);
  expect(uploads([file("a", 14)])).toEqual([]);
  expect(uploads([file("a", 16)])).toEqual(["a"]);
  expect(uploads([file("a", 6), file("b", 9), file("c", 2)])).toEqual(["b"]);
  expect(uploads([file("a", 8), file("a", 8), file("b", 9)])).toEqual(["b", "a"]);
  expect(
    uploadsOf(request([file("a", 100)]), findTarget("openai:g", { base_url: server.url })),
  ).toEqual([]);
});

test("a server that refuses video gives a hint, and frames are not sent instead", async () => {
  server.answer(() => ({ status: 400, text: "unsupported content[].type" }));
  const refused = (part: Medium) => send("openai:llava", [part]);
  await expect(refused(clip)).rejects.toMatchObject({
    kind: "model-rejected",
    message: expect.stringMatching(/unsupported content.*use `--media frames`/),
    facts: { status: 400 },
  });
  await expect(refused({ ...clip, type: "audio", mime: "audio/mpeg" })).rejects.toThrow(
    /leave out `--audio`/,
  );
  expect(server.chats()).toHaveLength(2);
  server.answer(() => "A");
});

test("sound is compressed as far as necessary: an hour fits into a request, two and a half do not", () => {
  const openai = mediaRules({ provider: "openai", baseUrl: "https://api.openai.com/v1" });
  const gemini = mediaRules({ provider: "google-genai", baseUrl: "" });
  expect(highestKbps(1800, openai)).toBe(64);
  expect(highestKbps(3600, openai)).toBe(32);
  expect(highestKbps(7000, openai)).toBe(16);
  expect(highestKbps(9000, openai)).toBeNull();
  expect(highestKbps(9000, gemini)).toBe(32);
  for (const seconds of [700, 3600, 7000]) {
    const kbps = highestKbps(seconds, openai) ?? 0;
    expect(((seconds * kbps * 1000) / 8 / 3) * 4).toBeLessThan(20 * 2 ** 20);
  }
});

test("each provider refuses the sampling settings that it lacks, and OpenAI refuses video", () => {
  const check = (model: string, recognition: object, base_url: string | null = server.url) =>
    checkMedia(
      readSettings({
        strategy: "direct",
        model,
        recognition: { media: "video", ...recognition },
        runtime: { base_url },
      }),
      ["reasoner"],
    );
  expect(() => check("openai:gpt-4o", {}, null)).toThrow(/takes no video.*--media frames/);
  expect(() => check("openai:qwen", {})).not.toThrow();
  expect(() => check("google-genai:g", { video_frames: 8 })).toThrow(/Use `--video-fps`/);
  expect(() => check("google-genai:g", { video_max_pixels: 8e4 })).toThrow(/--video-resolution/);
  expect(() => check("openai:qwen", { video_resolution: "low" })).toThrow(/--video-max-pixels/);
  expect(() => readSettings({ strategy: "direct", recognition: { video_fps: 2 } })).toThrow(
    /`--video-fps`.*Add `--media video`/,
  );
});
