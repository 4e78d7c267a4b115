import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tempFolder } from "../../support/temp.ts";
import { dataFolder } from "./fixtures.ts";

const SCRIPT = fileURLToPath(new URL("own-benchmark.ts", import.meta.url));

test("a benchmark and a scorer of one's own are run, scored, certified, reported and exported", async () => {
  const rows = ["A", "B", "C"].map((key, place) => ({
    id: `q${place}`,
    asked: "Which?",
    choices: ["one", "two", "three"],
    key,
    film: `film-${place % 2}.mp4`,
  }));
  const folder = await tempFolder();
  const args = [
    await dataFolder({ "rows.json": rows }),
    join(folder, "store"),
    join(folder, "run"),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args]);
  const told = JSON.parse(stdout);
  expect(told).toMatchObject({
    clusters: 2,
    all: 3,
    comparable: false,
    source: "Kitchen: no published protocol",
    titles: [expect.stringContaining("Kitchen")],
    lines: 3,
  });
  const right = told.explanations.filter((one: string) => /^([A-C]) .*right is \1$/.test(one));
  expect(told.right).toBe(right.length);
  expect(told.explanations).toHaveLength(3);
});
