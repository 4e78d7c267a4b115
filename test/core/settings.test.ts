import { expect, test } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import {
  connectionsOf,
  listSettings,
  readSettings,
  settingsHash,
} from "../../src/core/settings.ts";

function refusal(input: unknown): Failure {
  try {
    readSettings(input);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("the settings were taken");
}

test("empty settings are the defaults; given values stay", () => {
  const settings = readSettings(undefined);
  expect(settings).toEqual(readSettings({}));
  expect(settings).toMatchObject({ strategy: "extractive", seed: 0, model: null });
  const rrd = readSettings({ strategy: "rrd", recognition: { frames: 64, mode: "all-at-once" } });
  expect(rrd.recognition).toMatchObject({ frames: 64, mode: "all-at-once", input: null });
});

test("read settings can be read again", () => {
  for (const strategy of ["direct", "blind", "key-frame", "rrd", "extractive", "random"] as const) {
    const settings = readSettings({ strategy });
    expect(readSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
  }
});

test.each([
  [
    { strategy: "rrd", recognition: { frames: "many" } },
    ["--frames", '"many"', "a whole number from 1 to 2048"],
  ],
  [{ strategy: "rrd", recognition: { frames: 0 } }, ["Invalid --frames 0 ", "from 1 to 2048"]],
  [{ strategy: "rrd", recognition: { frames: 1.5 } }, ["--frames", "whole number", "1.5"]],
  [
    { strategy: "rrd", recognition: { max_side: 9000 } },
    ["--max-side 9000", "a whole number from 16 to 8192"],
  ],
  [{ strategy: "wizard" }, ["--strategy", "direct", "rrd", '"wizard"']],
  [{ strategy: "rrd", reasoning: { method: "bogo" } }, ["--reasoning", "merge-sort", '"bogo"']],
])(
  "%j is refused in a sentence with the flag, the expected and the given value",
  (input, words) => {
    const failure = refusal(input);
    expect(failure.kind).toBe("wrong-setting");
    for (const word of words) expect(failure.message).toContain(word);
  },
);

test("an unknown name is refused with the list of known names", () => {
  const failure = refusal({ strategy: "rrd", recognition: { framez: 3 } });
  expect(failure.kind).toBe("wrong-setting");
  expect(failure.message).toContain("`recognition.framez`");
  expect(failure.message).toContain("recognition.frames");
  expect(refusal({ colour: 1 }).message).toContain("`colour`");
});

test("a value that is not an object is refused", () => {
  for (const input of ["rrd", 3, [], { recognition: 5 }])
    expect(refusal(input).kind).toBe("wrong-setting");
});

test("a setting that the strategy does not read is refused unless it equals the default", () => {
  const failure = refusal({ strategy: "direct", reasoning: { method: "merge-sort" } });
  expect(failure.kind).toBe("wrong-setting");
  expect(failure.message).toContain("`direct` does not read `--reasoning`");
  expect(readSettings({ strategy: "direct", reasoning: { method: "all-at-once" } })).toBeDefined();
});

test("the hash depends on settings that affect results, not on the runtime", () => {
  const base = settingsHash(readSettings({ strategy: "rrd" }));
  const elsewhere = { data: "/other", base_url: "http://127.0.0.1:1", max_connections: 2 };
  expect(settingsHash(readSettings({ strategy: "rrd", runtime: elsewhere }))).toBe(base);
  expect(settingsHash(readSettings({ strategy: "rrd", seed: 1 }))).not.toBe(base);
});

test("every setting has its own flag, a description and a valid default", () => {
  const leaves = listSettings();
  expect(leaves.length).toBeGreaterThan(30);
  const flags = leaves.map(({ flag }) => flag);
  expect(new Set(flags).size).toBe(flags.length);
  for (const setting of leaves) {
    expect(setting.flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(setting.description).not.toBe("");
    if (setting.kind === "choice" && setting.default !== null)
      expect(setting.choices).toContain(setting.default);
    if (setting.default === null) expect(setting.nullable).toBe(true);
  }
});

test("connections are a number or min-start-max, and nothing else", () => {
  const read = (max_connections: number | string) =>
    connectionsOf(readSettings({ runtime: { max_connections } }).runtime);
  expect(read(16)).toEqual({ min: 1, start: 16, max: 16 });
  expect(read("7")).toEqual({ min: 1, start: 7, max: 7 });
  expect(read("4-16-64")).toEqual({ min: 4, start: 16, max: 64 });
  for (const wrong of [0, 1025, 1.5, "many", "4-2-8", "4-16", "0-1-2", "1-2-3-4", ""]) {
    const failure = refusal({ runtime: { max_connections: wrong } });
    expect(failure.message).toContain("--max-connections");
    expect(failure.message).toContain("min-start-max such as 4-16-64");
  }
});

test("the list of settings is made once", () => {
  expect(listSettings()).toBe(listSettings());
});
