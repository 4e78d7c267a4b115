import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { settingsFor } from "./run-fixtures.ts";

/* Controls without the video need its file for the id of the question only. */

const server = await startModelServer(() => "Answer: A");
afterAll(() => server.close());

test.each([
  ["blind", 2],
  ["options-only", 2],
  ["direct", 0],
])(
  "%s answers %i questions about files that are no videos, without ffmpeg",
  async (strategy, answered) => {
    const folder = await tempFolder();
    const rows = ["first", "second"].map((id) => ({
      ...{
        id,
        video: `${id}.mp4`,
        question: `Which colour is the ${id}?`,
        options: ["red", "blue"],
        answer: "A",
      },
    }));
    for (const { video } of rows) await writeFile(join(folder, video), `not a film: ${video}`);
    const data = join(folder, "data.jsonl");
    await writeFile(data, rows.map((row) => JSON.stringify(row)).join("\n"));
    // No ffmpeg is there to be started.
    if (answered > 0) vi.stubEnv("FFMPEG_PATH", folder);
    server.reset();
    const settings = settingsFor(server.url, join(folder, "store"), {
      ...{ strategy, recognition: {} },
    });
    await startRun({ ...settings, benchmark: "dataset", data }, join(folder, "run"));
    const { said } = await readResults(join(folder, "run"));
    expect(said.filter(({ reply }) => reply?.endsWith("A"))).toHaveLength(answered);
    expect(said.map(({ line }) => line?.trail)).toEqual([undefined, undefined]);
    expect(server.chats().length > 0).toBe(answered > 0);
  },
);
