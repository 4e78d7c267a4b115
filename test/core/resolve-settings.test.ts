import fc from "fast-check";
import { expect, test } from "vitest";
import { strategies } from "../../graphs/define-strategy.ts";
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
