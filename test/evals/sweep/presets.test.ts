import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPreset } from "../../../evals/sweep/read-preset.ts";
import { planSweep, resumeSweep, startSweep } from "../../../evals/sweep/sweep.ts";
import {
  expectPresetsRecomputed,
  PAPERS,
  type PresetRuns,
  startPresetRuns,
} from "../../support/preset-runs.ts";
import { tempFolder } from "../../support/temp.ts";
import { refusal, vcrData } from "../run/run-fixtures.ts";

let world: PresetRuns;

beforeAll(async () => {
  world = await startPresetRuns(1);
});
afterAll(() => world.close());

test("every table of the papers is what a script computes from the runs", async () => {
  const folders: string[] = [];
  for (const { name } of PAPERS) {
    const models = name === "vcrbench-table-1" ? ["openai:one", "openai:two"] : undefined;
    folders.push(await world.run(world.sweepOf(name, {}, models), name));
  }
  const { parts } = await expectPresetsRecomputed(folders);
  expect(parts.flatMap(({ preset }) => preset ?? []).sort()).toEqual(
    PAPERS.map(({ name }) => name).sort(),
  );

  // Calls that are stored are not made again, neither those of runs nor those of judges and tests.
  const before = world.server.chats().length;
  for (const name of ["vcrbench-figure-7", "videomathqa-figure-5c"])
    await resumeSweep(join(world.root, name), {}, { store: world.store });
  expect(world.server.chats()).toHaveLength(before);
}, 300_000);

test("without a model for the judge, the sweep says how to judge", async () => {
  const given = { data: world.dataOf("mmr-v-figure-5"), limit: 1, runtime: world.runtime };
  const sweep = readPreset(
    "mmr-v-figure-5",
    { ...given, recognition: { frames: 2 } },
    {
      models: ["openai:one"],
    },
  );
  const folder = join(world.root, "unjudged");
  const { judge_commands } = await startSweep(sweep, folder, { store: world.store });
  expect(judge_commands).toEqual([
    `video-rrd judge ${join(folder, "1-cot")} --kind errors --judge-model provider:model`,
  ]);
});

test("the plan counts the calls of judges and tests, and sends nothing", async () => {
  const before = world.server.chats().length;
  const judged = await planSweep(world.sweepOf("videomathqa-table-2"));
  expect(judged.judging).toMatchObject([
    { run: "2-mcq-subtitles", kind: "steps", plan: { replies: 1, calls: { least: 3, most: 6 } } },
  ]);
  const once = await planSweep(world.sweepOf("mmr-v-figure-5"));
  const turned = await planSweep(world.sweepOf("mmr-v-figure-5", { option_orders: 2 }));
  const [{ plan: single }] = once.judging as [(typeof once.judging)[number]];
  expect(turned.judging).toMatchObject([
    { plan: { replies: 2 * single.replies, calls: { most: 2 * single.calls.most } } },
  ]);
  const tested = await planSweep(world.sweepOf("vcrbench-figure-7"));
  expect(tested.event_test_calls).toBe(3);
  expect(world.server.chats()).toHaveLength(before);
});

describe("data and settings that a preset cannot use", () => {
  test("data without subtitles lose the arms with subtitles, or the preset", async () => {
    const data = await tempFolder();
    const released = world.dataOf("videomathqa-table-1");
    for (const part of ["mcq", "multi_binary"])
      await cp(join(released, part), join(data, part), { recursive: true });
    const { cells, remarks } = await planSweep(world.sweepOf("videomathqa-table-1", { data }));
    expect(cells.map(({ name }) => name)).toEqual(["1-mcq", "3-mbin"]);
    expect(remarks.join()).toMatch(
      /^2-mcq-subtitles, 4-.* are left out: none of .* has subtitles\./,
    );
    const refused = await refusal(planSweep(world.sweepOf("videomathqa-figure-4", { data })));
    expect(refused.message).toMatch(
      /^The preset videomathqa-figure-4 needs subtitles, and none of/,
    );
  });

  test("ordering sets without step names have no figure 7", async () => {
    const data = await vcrData([[2, 1]]);
    const refused = await refusal(planSweep(world.sweepOf("vcrbench-figure-7", { data })));
    expect(refused).toMatchObject({ kind: "wrong-usage" });
    expect(refused.message).toMatch(/needs step names, .* Released VCRBench has none; make a set/);
  });

  test.each([
    [["table-9", {}, {}], /^Invalid --preset "table-9": use rrd, ladder, /],
    [["vcrbench-table-1", { benchmark: "mmr-v" }, {}], /^Invalid --benchmark mmr-v for --preset/],
    [["vcrbench-table-1", {}, { judge_model: "openai:j" }], /^Invalid --judge-model for --preset/],
    [["vcrbench-table-1", {}, { models: ["openai:a", "openai:a"] }], /^Duplicate --model openai:a/],
  ] as const)("%j is refused", ([name, over, options], message) => {
    const given = { data: "/data", ...over };
    expect(() =>
      readPreset(name, given, {
        ...options,
        models: [...("models" in options ? options.models : ["openai:a"])],
      }),
    ).toThrow(message);
  });
});

test.each([
  ["openai:gpt-5", { reasoning_effort: "low" }, { reasoning_effort: "high" }],
  ["google-genai:gemini-3-pro", { reasoning_effort: "minimal" }, { reasoning_effort: "high" }],
  ["google-genai:gemini-2.5-flash", { thinking_budget: 0 }, { thinking_budget: -1 }],
  ["openai:Qwen/Qwen3-VL-8B", { thinking_budget: 0 }, { thinking_budget: -1 }],
])("%s thinks by its own setting", (model, off, on) => {
  const { cells } = readPreset("mmr-v-thinking", { data: "/data" }, { models: [model] });
  expect(cells.map(({ input }) => input)).toMatchObject([{ generation: off }, { generation: on }]);
});
