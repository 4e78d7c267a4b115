import { expect, test } from "vitest";
import { listSettings } from "../../src/core/settings.ts";

/** Settings that a request over HTTP, MCP or the page may set. Extend only on purpose. */
const CALLERS = [
  "strategy",
  "seed",
  "model",
  "recognition.model",
  "recognition.mode",
  "recognition.replies",
  "recognition.input",
  "recognition.segments",
  "recognition.sampler",
  "recognition.frames",
  "recognition.fps",
  "recognition.max_side",
  "recognition.max_area",
  "recognition.quality",
  "recognition.media",
  "recognition.message_order",
  "recognition.frame_labels",
  "recognition.audio",
  "recognition.video_fps",
  "recognition.video_frames",
  "recognition.video_max_pixels",
  "recognition.video_resolution",
  "recognition.subtitles",
  "recognition.speech",
  "recognition.speech_language",
  "recognition.ocr",
  "recognition.ocr_language",
  "reasoning.model",
  "reasoning.method",
  "reasoning.votes",
  "reasoning.input",
  "reasoning.mathematics",
  "reasoning.cot",
  "reasoning.temperature",
  "reasoning.max_tokens",
  "generation.top_p",
  "generation.top_k",
  "generation.reasoning_effort",
  "generation.thinking_budget",
  "consistency.samples",
  "consistency.temperature",
  "search.tools",
  "search.steps",
  "search.cells",
  "search.verify",
  "search.verifier",
  "search.embeddings",
  "search.recall",
  "budget.calls",
  "budget.frames",
  "budget.tokens",
  "budget.seconds",
  "budget.cost",
];

/** Text that a caller may set. */
const TEXTS = [
  "recognition.segments",
  "recognition.speech_language",
  "recognition.ocr_language",
  "search.tools",
];

test("a request can set only the settings in this list", () => {
  const callers = listSettings().filter(({ caller }) => caller);
  expect(callers.map(({ path }) => path)).toEqual(CALLERS);
});

test("a request can set numbers, choices and models of roles, but no command, path, URL or header", () => {
  for (const { path, kind, role, caller, secret } of listSettings()) {
    if (!caller) continue;
    expect(secret, path).toBe(false);
    expect(path.startsWith("runtime."), path).toBe(false);
    if (kind === "string" && !TEXTS.includes(path)) expect(role, path).not.toBeNull();
  }
});

test("every setting that names a model declares its role", () => {
  const named = listSettings().filter(
    ({ kind, description }) => kind === "string" && /provider:model|^model that/.test(description),
  );
  expect(named.map(({ path, role }) => [path, role])).toEqual([
    ["model", "any"],
    ["recognition.model", "recogniser"],
    ["recognition.transcriber", "transcriber"],
    ["reasoning.model", "reasoner"],
    ["search.verifier", "verifier"],
    ["search.embeddings", "embedder"],
  ]);
});
