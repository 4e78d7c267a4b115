import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../graphs/ask.ts";
import type { Store } from "../../src/core/contracts.ts";
import { openStore } from "../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { makeShuffled } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

let folder: string;
let server: ModelServer;
let store: Store;
let file: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "B");
  store = await openStore(join(folder, "store"));
  file = join(folder, "clips.mp4");
  await makeShuffled(file, 3);
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const pictures = async () =>
  (await readdir(join(folder, "store"), { recursive: true })).filter((name) => /\.jpg$/.test(name));

function run(recognition: object, runtime: object) {
  const settings = { strategy: "direct", model: "openai:scripted", recognition };
  return ask(
    file,
    { text: "Which one?", options: ["One", "Two"] },
    { store, settings: { ...settings, runtime: { base_url: server.url, ...runtime } } },
  );
}

test.each([
  [
    "of the whole video",
    { frames: 20 },
    /20 frames with 2 megapixels .* limit is 1 \(--question-megapixels\)/,
  ],
  ["of each clip", { frames: 20, input: "clip" }, /2\d? frames with \d megapixels .* limit is 1 /],
])(
  "frames %s above the limit of pixels are refused before one is decoded",
  async (_of, recognition, words) => {
    const before = await pictures();
    expect((await run(recognition, { question_megapixels: 1 })).answer.error).toMatchObject({
      kind: "media-limit",
      message: expect.stringMatching(words),
    });
    expect(await pictures()).toEqual(before);
    expect(server.chats()).toHaveLength(0);
  },
);

test("frames above the estimated limit of bytes are refused before one is decoded", async () => {
  const before = await pictures();
  expect(
    (await run({ frames: 20, quality: 100 }, { question_mb: 0.5 })).answer.error,
  ).toMatchObject({
    kind: "media-limit",
    message: expect.stringMatching(/about \d MB in total, but the limit is 0.5 \(--question-mb\)/),
  });
  expect(await pictures()).toEqual(before);
});

test("media that turn out larger than estimated are counted before they are sent", async () => {
  expect(
    (await run({ frames: 1, max_side: 48 }, { question_mb: 0.0005 })).answer.error,
  ).toMatchObject({
    kind: "media-limit",
    message: expect.stringMatching(/1 MB .* limit is 0.0005 \(--question-mb\)/),
  });
  expect(server.chats()).toHaveLength(0);
});

test("frames within the limits are sent", async () => {
  const { answer } = await run({ frames: 4 }, { question_megapixels: 3, question_mb: 3 });
  expect(answer).toMatchObject({ status: "answered", answer: "B" });
  expect(server.chats()[0]?.images).toHaveLength(4);
});
