import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../../evals/report/report.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { seeded } from "../../../src/core/random.ts";
import { expectRecomputed, recomputed } from "../../support/recomputed-report.ts";
import { tempFolder } from "../../support/temp.ts";
import { makeRun, order, ordering } from "../run/made-runs.ts";

/** Orders of 3 to 7 clips, two questions on every third video. */
const SAMPLES = Array.from({ length: 32 }, (_, place) => ({
  ...ordering(
    String(place),
    Array.from({ length: 3 + (place % 5) }, (_, clip) => ((clip + place) % (3 + (place % 5))) + 1),
    ["Make tea", "Grill steak"][place % 2],
  ),
  video: `videos/${place % 3 === 0 ? place : place - (place % 3) + 1}.mp4`,
}));

/** A run that is right with this probability; otherwise it swaps two clips, gives no answer, or fails. */
async function run(
  name: string,
  chance: number,
  frames: number,
  epochs = 1,
  strategy: "direct" | "blind" = "direct",
  asked = SAMPLES.length,
): Promise<string> {
  const random = seeded(name);
  const reply = (place: number) => {
    const answer = SAMPLES[place]?.answer as number[];
    if (random() < chance) return order(...answer);
    const [first = 0, second = 0, ...rest] = answer;
    const draw = random();
    if (draw < 0.1) return null;
    return draw < 0.2 ? "no idea" : order(second, first, ...rest);
  };
  const made = (folder: string) =>
    makeRun(folder, {
      settings: {
        strategy,
        model: "openai:m",
        ...(strategy === "blind" ? {} : { recognition: { frames } }),
      },
      samples: SAMPLES,
      replies: Object.fromEntries(
        SAMPLES.slice(0, asked).map(({ id }, place) => [id, reply(place)]),
      ),
      header: { epochs, run: name },
      line: { started_at: `2026-11-20T${10 + (name.length % 10)}:00:00.000Z` },
    });
  const folder = await made(join(await tempFolder(), name));
  for (let epoch = 2; epoch <= epochs; epoch++) {
    const other = await made(join(await tempFolder(), name));
    const lines = (await readFile(join(other, "samples.jsonl"), "utf8")).replaceAll(
      '"epoch":1',
      `"epoch":${epoch}`,
    );
    await appendFile(join(folder, "samples.jsonl"), lines);
  }
  return folder;
}

test("a script in Python recomputes bootstrap, permutation, step accuracy and noise floor", async () => {
  const folders = [
    await run("a", 0.4, 16),
    await run("a-again", 0.45, 16),
    await run("blind", 0.2, 16, 1, "blind"),
    // Each row of the differences has its own questions.
    await run("unfinished", 0.6, 32, 1, "direct", 24),
  ];
  const data = await expectRecomputed(folders);
  const titles = data.parts[0]?.tables.map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining(["Noise floor", "Step accuracy", "Accuracy beyond blind"]),
  );
  const differences = data.parts[0]?.tables.find(
    ({ title }) => title === "Differences between runs",
  );
  // Enough videos for an interval, except in the unfinished run.
  for (const row of differences?.rows ?? [])
    expect(row[5]).toMatch(row[0] === "unfinished" ? /n too small/ : / to /);
});

test("a script in Python recomputes majority and pass@k over three epochs, and their noise floor", async () => {
  const folders = [
    await run("a", 0.4, 16, 3),
    await run("a-again", 0.45, 16, 3),
    await run("b", 0.7, 32, 3),
  ];
  const data = await expectRecomputed(folders);
  const { tables = [] } = data.parts[0] ?? {};
  expect(tables.map(({ title }) => title)).toContain("Majority and pass@k");
  // Some epochs failed.
  expect(tables.find(({ title }) => title === "Noise floor")?.about).toMatch(/of 96 results/);
  await expectRecomputed([folders[0] ?? "", folders[2] ?? ""], { metric: "pass@2" });
});

test("the script finds a changed number and an unknown table", async () => {
  const folders = [await run("a", 0.4, 16), await run("b", 0.8, 32)];
  const data = makeReport(await Promise.all(folders.map((folder) => readResults(folder))));
  const table = data.parts[0]?.tables.find(({ title }) => title === "Step accuracy");
  const cell = table?.rows[0]?.[1] ?? "";
  table?.rows[0]?.splice(
    1,
    1,
    cell.replace(/\d(?=,)/, (digit) => String((Number(digit) + 1) % 10)),
  );
  data.parts[0]?.tables.push({
    title: "Luck",
    head: ["Run", "Luck"],
    words: 1,
    rows: [["a", "7"]],
  });
  const told = await recomputed(data, folders);
  expect(told).toContain(`Step accuracy, a, Micro: shown '${table?.rows[0]?.[1]}'`);
  expect(told).toContain("Luck: shown 'a table'");
  expect(told).toMatch(/, 2 differ\n$/);
});
