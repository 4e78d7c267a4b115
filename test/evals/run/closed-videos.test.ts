import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { planRun } from "../../../evals/run/plan-run.ts";
import { startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { settingsFor } from "./run-fixtures.ts";

/* Controls without the video need its file for the id of the question only. */

const server = await startModelServer(() => "Answer: A");
afterAll(() => server.close());

/** Plans and asks two questions about files that are no videos. */
async function asked(folder: string, strategy: string) {
  const rows = ["first", "second"].map((id) => ({
    ...{ id, video: `${id}.mp4`, question: `Which colour is the ${id}?` },
    ...{ options: ["red", "blue"], answer: "A" },
  }));
  for (const { video } of rows) await writeFile(join(folder, video), `not a film: ${video}`);
  const data = join(folder, "data.jsonl");
  await writeFile(data, rows.map((row) => JSON.stringify(row)).join("\n"));
  server.reset();
  const settings = settingsFor(server.url, join(folder, "store"), { strategy, recognition: {} });
  const input = { ...settings, benchmark: "dataset", data };
  const { calls, without_video } = await planRun(input);
  expect({ calls, without_video }).toEqual(
    strategy === "direct" ? { calls: 0, without_video: 2 } : { calls: 2, without_video: 0 },
  );
  await startRun(input, join(folder, "run"));
  const { said } = await readResults(join(folder, "run"));
  return said.map(({ line }) => ({ answer: line?.answer, error: line?.error?.kind }));
}

test.each(["blind", "options-only"])(
  "%s answers questions about files that are no videos, where there is no ffmpeg",
  async (strategy) => {
    const folder = await tempFolder();
    vi.stubEnv("FFMPEG_PATH", folder);
    expect(await asked(folder, strategy)).toEqual([
      { answer: "A", error: undefined },
      { answer: "A", error: undefined },
    ]);
    vi.unstubAllEnvs();
  },
);

test("a strategy that looks at the video says that they are none, and asks nothing", async () => {
  expect(await asked(await tempFolder(), "direct")).toEqual([
    { answer: null, error: "not-media" },
    { answer: null, error: "not-media" },
  ]);
  expect(server.chats()).toEqual([]);
});
