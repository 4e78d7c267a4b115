import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { mmrData } from "./run-fixtures.ts";

process.env.GOOGLE_API_KEY = "AIza-test-google-0123456789";

const server = await startModelServer(() => "[[A]]");
afterAll(() => server.close());

test("a run uploads a video once for all its questions and epochs, and reports what it could not delete", async () => {
  const data = await mmrData(1, 3);
  const folder = await tempFolder();
  // A box that readers pass over makes the file too large for a request.
  const padding = Buffer.alloc(17 * 2 ** 20);
  padding.writeUInt32BE(padding.length, 0);
  padding.write("free", 4);
  await appendFile(join(data, "videos", "v0.mp4"), padding);
  const input = {
    benchmark: "mmr-v",
    data,
    epochs: 2,
    strategy: "direct",
    model: "google-genai:scripted",
    recognition: { media: "video" },
    runtime: { data: join(folder, "store"), base_url: server.url },
  };
  const notes: string[] = [];
  const options = { onNote: (note: string) => notes.push(note) };
  server.files.refuse("delete", 503);
  const { progress } = await startRun(input, join(folder, "run"), options);
  expect(progress).toMatchObject({ done: 6, errors: 0 });
  expect(server.chats()).toHaveLength(6);
  expect(server.files.count("start")).toBe(1);
  expect(notes).toEqual([
    expect.stringMatching(/^Could not delete the uploaded file .* expires on/),
  ]);
  expect(server.files.all).toMatchObject([{ deleted: false }]);
  await resumeRun(join(folder, "run"), {}, options);
  expect(server.files.all).toMatchObject([{ deleted: true }]);
  expect(server.files.count("start")).toBe(1);
  expect(notes).toHaveLength(1);
});
