import { expect, test } from "vitest";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { ladder } from "../../../evals/sweep/presets/ladder.ts";
import { rrd } from "../../../evals/sweep/presets/rrd.ts";
import { readSweep } from "../../../evals/sweep/sweep-settings.ts";

const BASE = { benchmark: "vcrbench", data: "/data/vcr", strategy: "rrd", model: "openai:gpt-4o" };
const settingsOf = (sweep: ReturnType<typeof readSweep>) =>
  sweep.cells.map(({ input }) => readEvalSettings(input).settings);

test("every combination of the axes is a run, named after its values, by paths or flags", () => {
  const sweep = readSweep({
    base: BASE,
    axes: {
      recognition: ["all-at-once", "sequential"],
      "reasoning.method": ["all-at-once", "merge-sort"],
      epochs: [2],
    },
  });
  expect(sweep.cells.map(({ name }) => name)).toEqual([
    "1-mode=all-at-once,method=all-at-once,epochs=2",
    "2-mode=all-at-once,method=merge-sort,epochs=2",
    "3-mode=sequential,method=all-at-once,epochs=2",
    "4-mode=sequential,method=merge-sort,epochs=2",
  ]);
  expect(
    settingsOf(sweep).map(({ recognition, reasoning }) => [recognition.mode, reasoning.method]),
  ).toEqual([
    ["all-at-once", "all-at-once"],
    ["all-at-once", "merge-sort"],
    ["sequential", "all-at-once"],
    ["sequential", "merge-sort"],
  ]);
});

test("arms are combined with the axes and override the base", () => {
  const sweep = readSweep(
    {
      base: { ...BASE, recognition: { frames: 8 } },
      arms: [
        { name: "none seen", settings: { strategy: "blind" } },
        { name: "seen", settings: { strategy: "direct" } },
      ],
      axes: { "--temperature": [0, 0.5] },
    },
    { recognition: { frames: 16 }, limit: 3 },
  );
  expect(sweep.cells.map(({ name }) => name)).toEqual([
    "1-none-seen,temperature=0",
    "2-none-seen,temperature=0.5",
    "3-seen,temperature=0",
    "4-seen,temperature=0.5",
  ]);
  expect(settingsOf(sweep)[3]).toMatchObject({
    strategy: "direct",
    recognition: { frames: 16 },
    reasoning: { temperature: 0.5 },
  });
  expect(sweep.cells[0]?.input).toMatchObject({ data: "/data/vcr", limit: 3 });
});

test("the presets: the paper's arms, and the ladder with equal frames", () => {
  const given = { data: "/d", model: "openai:gpt-4o" };
  expect(
    settingsOf(readSweep(rrd.sweep, given)).map(({ recognition, reasoning }) =>
      [recognition.input, recognition.mode, reasoning.method, reasoning.input].join(" "),
    ),
  ).toEqual([
    "whole-video all-at-once all-at-once text",
    "whole-video all-at-once merge-sort text",
    "whole-video sequential all-at-once text",
    "whole-video sequential merge-sort text",
    "whole-video all-at-once all-at-once video+text",
  ]);
  const rungs = readSweep(ladder.sweep, {
    ...given,
    benchmark: "vcrbench",
    recognition: { frames: 24 },
  });
  expect(rungs.against).toBe("previous");
  expect(rungs.cells.map(({ input }) => readEvalSettings(input).descriptions)).toEqual([
    ...["recognised", "recognised", "recognised", "recognised", "recognised", "gold"],
  ]);
  expect(
    settingsOf(rungs).map(({ strategy, recognition }) => [
      strategy,
      recognition.input,
      strategy === "blind" ? null : recognition.frames,
    ]),
  ).toEqual([
    ["blind", null, null],
    ["direct", null, 24],
    ["direct", "clip", 24],
    ["rrd", "whole-video", 24],
    ["rrd", "clip", 24],
    ["rrd", "clip", 24],
  ]);
});

test.each([
  [{ base: BASE, axes: { colour: ["red"] } }, /Invalid axis "colour" of a sweep: use a setting/],
  [{ base: BASE, axes: { "data-dir": ["a"] } }, /Invalid axis .* of a sweep/],
  [{ base: BASE, axes: { recognition: ["often"] } }, /^mode=often: Invalid --recognition "often"/],
  [{ base: BASE, axes: { frames: [] } }, /`axes.frames`/],
  [
    { base: BASE, axes: { frames: [1], "recognition.frames": [2] } },
    /Duplicate axis `recognition.frames`/,
  ],
  [{ base: BASE, axis: {} }, /Invalid sweep/],
  [["a"], /Invalid sweep/],
  [
    {
      base: { ...BASE, strategy: "random", model: null, recognition: { frames: 3 } },
      axes: { seed: [1] },
    },
    /No strategy of the sweep \(random\) reads `--frames`/,
  ],
  [
    { base: { ...BASE, strategy: "direct" }, axes: { descriptions: ["recognised", "gold"] } },
    /^descriptions=gold: The strategy `direct` does not read `--descriptions gold`/,
  ],
  [{ base: { ...BASE, data: undefined }, axes: { seed: [1] } }, /Missing --data/],
  [
    { base: BASE, axes: { seed: Array.from({ length: 1001 }, (_, n) => n) } },
    /\(1001\): use at most 1000/,
  ],
])("an invalid sweep is refused in one sentence: %j", (given, message) => {
  expect(() => readSweep(given)).toThrow(message);
});
