import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { MMR_V_WORDING } from "../../evals/benchmarks/mmr-v/wording.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { questionDefaults } from "../../graphs/question-settings.ts";
import { ASK_WORDING, type Wording } from "../../graphs/wording.ts";
import {
  defaultsOf,
  listSettings,
  readSettings,
  resolveSettings,
  settingsHash,
  valueAt,
} from "../../src/core/settings.ts";
import { TASKS } from "../../src/core/shapes.ts";

test.each([
  ["direct", "choice", "off", "off", "whole-video"],
  ["blind", "choice", "off", "off", "clip"],
  ["key-frame", "open", "off", "off", "whole-video"],
  ["rrd", "choice", "tesseract", "retrieved", "clip"],
  ["rrd", "open", "tesseract", "retrieved", "clip"],
  ["rrd", "order", "off", "off", "clip"],
  ["agent", "open", "tesseract", "retrieved", "clip"],
  ["agent", "order", "off", "off", "clip"],
  ["extractive", "choice", "tesseract", "full", "clip"],
  ["extractive", "order", "tesseract", "full", "clip"],
  ["random", "order", "off", "off", "clip"],
] as const)("%s reads a question to %s as before", (strategy, task, ocr, subtitles, input) => {
  const { recognition } = resolveSettings(readSettings({ strategy }), task);
  expect(recognition).toMatchObject({ ocr, subtitles, input });
});

test("set values stay, and defaults of an earlier run are used again", () => {
  const settings = readSettings({ strategy: "rrd", recognition: { ocr: "model" } });
  expect(resolveSettings(settings, "choice").recognition.ocr).toBe("model");
  const kept = { "recognition.subtitles": "full", "recognition.ocr": "off" } as const;
  expect(resolveSettings(settings, "choice", kept).recognition).toMatchObject({
    ocr: "model",
    subtitles: "full",
  });
  expect(defaultsOf(settings, "choice")).toEqual({
    "recognition.subtitles": "retrieved",
    "recognition.input": "clip",
  });
});

test("the wording and the provider decide what is not set, for the settings that a strategy reads", () => {
  const model = "openai:gpt-4.1";
  const of = (strategy: string, wording: Wording, more: object = {}) =>
    questionDefaults(readSettings({ strategy, model, ...more }), "choice", wording);
  vi.stubEnv("OPENAI_BASE_URL", undefined);
  expect(of("direct", MMR_V_WORDING)["recognition.message_order"]).toBe("text-first");
  expect(of("direct", ASK_WORDING)["recognition.message_order"]).toBe("media-first");
  expect(of("agent", ASK_WORDING)).toMatchObject({
    "search.recall": true,
    "search.embeddings": "openai:text-embedding-3-small",
  });
  const away = { runtime: { base_url: "http://127.0.0.1:1/v1" } };
  expect(of("agent", MMR_V_WORDING, away)).toMatchObject({
    "search.recall": false,
    "search.embeddings": "off",
  });
  expect(Object.keys(of("rrd", MMR_V_WORDING)).join()).not.toMatch(/message_order|search/);
  const set = { search: { recall: false, embeddings: "off" } };
  expect(Object.keys(of("agent", ASK_WORDING, set)).join()).not.toContain("search");
});

test("resolving fills in only unset values and changes neither the settings nor their hash", () => {
  const task = fc.constantFrom(...TASKS);
  const strategy = fc.constantFrom(...strategies.names());
  fc.assert(
    fc.property(strategy, task, (name, asked) => {
      const settings = readSettings({ strategy: name });
      const hash = settingsHash(settings);
      const resolved = resolveSettings(settings, asked);
      expect(settingsHash(settings)).toBe(hash);
      for (const { path } of listSettings()) {
        const before = valueAt(settings, path);
        if (before != null) expect(valueAt(resolved, path), path).toEqual(before);
      }
    }),
  );
});
