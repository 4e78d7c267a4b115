import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeClip } from "../../support/clips.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

const run = (...args: string[]) => runCommand(folder, args);

test("simulate-ordering prints rows and names them a simulation", async () => {
  const [json, words, wrong] = await Promise.all([
    run("simulate-ordering", "--draws", "50", "--json"),
    run("simulate-ordering", "--draws", "50", "--bias", "0"),
    run("simulate-ordering", "--error", "0.7"),
  ]);
  const { simulation, rows } = JSON.parse(json.out);
  expect(simulation).toContain("Simulation");
  expect(rows).toHaveLength(6);
  expect(Object.keys(rows[0])).toEqual(["method", "exact", "step", "calls", "depth"]);
  expect(words.out).toMatch(/^Simulation[\s\S]*\ntournament +[\d.]+/);
  expect([json.code, words.code, wrong.code]).toEqual([0, 0, 2]);
  expect(wrong.err).toContain(
    "Invalid error of the judge 0.7: use a number above 0 and below 0.5.",
  );
});

test("build-vcrbench makes a set and lists what it could not use", async () => {
  await makeClip(folder, "film.mp4", { frames: 60, width: 160, height: 90 });
  const step = (name: string, start: number) => ({ name, start, end: start + 0.8 });
  const steps = [step("boil", 0), step("pour", 1)];
  const more = [step("milk", 0), step("sugar", 0.8), step("stir", 1.6)];
  await writeFile(
    join(folder, "steps.json"),
    JSON.stringify([
      { video: "film.mp4", goal: "Make tea", steps },
      { video: "gone.mp4", goal: "Make tea", steps },
      { video: "film.mp4", goal: "Sweeten tea", steps: more },
    ]),
  );
  await writeFile(
    join(folder, "swaps.yaml"),
    "- { goal: Sweeten tea, any_order: [[milk, sugar, honey]] }\n",
  );
  const built = await run(
    ...["build-vcrbench", "steps.json", "--grouping", "swaps.yaml", "--out", "set", "--json"],
  );
  expect(built.code).toBe(0);
  expect(JSON.parse(built.out)).toMatchObject({
    made: ["video_1.mp4", "video_2.mp4"],
    failed: [],
    partial_orders: 1,
    notes: [
      { what: "steps of the grouping that no video of their goal has", examples: ["honey"] },
      { what: "videos missing", count: 1, examples: ["gone.mp4"] },
    ],
  });
  const [row, swaps] = JSON.parse(await readFile(join(folder, "set/data.json"), "utf8"));
  expect(row).toMatchObject({ ground_truth: [1, 0], steps: ["pour", "boil"] });
  expect(row).not.toHaveProperty("partial_order");
  const at = (name: string) => swaps.steps.indexOf(name);
  expect(swaps.partial_order).toEqual([
    [at("milk"), at("stir")],
    [at("sugar"), at("stir")],
  ]);
  // A random order is right if `stir` is last; the run says how it was scored.
  const asked = ["eval", "vcrbench", "--data", "set", "--strategy", "random", "--out", "swapped"];
  expect((await run(...asked)).out).toContain("scored as a partial order: 1 of 2 samples");
  const wrong = await run("build-vcrbench", "steps.json", "--out", "set", "--sound", "loud");
  expect(wrong).toMatchObject({ code: 2, out: "" });
  expect(wrong.err).toContain("keep or drop");
});

test("attribute needs step names or a second model", async () => {
  await writeFile(
    join(folder, "data.json"),
    '[{"qid": "1", "goal": "Make tea", "video_file": "video_1.mp4", "ground_truth": [1, 0]}]',
  );
  // A local server needs no key, so that no missing key is reported first.
  const model = ["--model", "openai:x", "--base-url", "http://127.0.0.1:9"];
  const { code, err } = await run("attribute", "--data", "data.json", ...model);
  expect(code).toBe(2);
  expect(err).toContain("released VCRBench has none");
});
