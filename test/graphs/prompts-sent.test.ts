import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { benchmarkNamed } from "../../evals/benchmarks/define-benchmark.ts";
import { askInStore } from "../../graphs/ask.ts";
import { promptsSent } from "../../graphs/prompts-sent.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { ASK_WORDING } from "../../graphs/wording.ts";
import { allPrompts } from "../../prompts/catalogue.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { readSettings } from "../../src/core/settings.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo, type Video } from "../../tools/video/video.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [2, 1, 3];
const prompts = await loadPrompts();
/** The fixed words of each prompt, which identify it in a request. */
const words = new Map(
  await Promise.all(
    allPrompts().map(async ({ name, file }): Promise<[string, string[]]> => {
      const body = (await readFile(file, "utf8")).replace(/^---\n[\s\S]*?\n---\n/, "");
      const pieces = body.split(/\{\{\w+\}\}/).map((piece) => piece.trim());
      return [name, pieces.filter((piece) => piece !== "")];
    }),
  ),
);

let server: ModelServer;
let store: Store;
let video: Video;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "");
  store = await openStore(join(folder, "store"));
  const { file } = await makeShuffled(join(folder, "shuffled.mp4"), PLACES.length);
  video = await openVideo(file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
});

let epoch = 0;
const wordingOf = (name: string) => (name === "ask" ? ASK_WORDING : benchmarkNamed(name).wording);

async function sentBy(settings: object, name: string, options: string[] | null) {
  const wording = wordingOf(name);
  const read = readSettings({
    model: "openai:scripted",
    runtime: { base_url: server.url },
    ...settings,
  });
  server.answer(options === null ? procedureModel(PLACES) : () => "[[A]]\nAnswer: A");
  const order = options === null;
  const question = order ? { text: "Which order?", goal: "Make tea" } : { text: "Which?", options };
  await askInStore({
    video,
    question: readQuestion(video.hash, question),
    prompts,
    store,
    epoch: epoch++,
    wording,
    settings: read,
  });
  const texts = server.chats().map(wordsOf);
  const sent = [...words]
    .filter(([, pieces]) => texts.some((text) => pieces.every((piece) => text.includes(piece))))
    .map(([name]) => name);
  const foreseen = promptsSent(read, {
    wording,
    task: order ? "order" : "choice",
    options: options?.length ?? 0,
    described: false,
  });
  return { sent: sent.sort(), foreseen: [...(foreseen ?? [])].sort() };
}

test.each(
  (["all-at-once", "sequential"] as const).flatMap((mode) =>
    (["whole-video", "clip"] as const).flatMap((input) =>
      (["all-at-once", "merge-sort", "vote", "hybrid"] as const).map(
        (method) => [mode, input, method] as const,
      ),
    ),
  ),
)("rrd, recognition %s on the %s, reasoning %s", async (mode, input, method) => {
  const along = input === "clip" ? "text" : "video+text";
  const { sent, foreseen } = await sentBy(
    {
      strategy: "rrd",
      recognition: { mode, input, frames: 12, max_side: 64 },
      reasoning: { method, votes: 2, input: along },
    },
    "vcrbench",
    null,
  );
  // What one call leaves out is asked for clip by clip, which happens only then.
  const spare = mode === "sequential" ? [] : ["rrd/recognise-one", "rrd/recognise-clip"];
  expect(foreseen.filter((name) => !spare.includes(name))).toEqual(sent);
});

test.each([
  ["all-at-once", "whole-video", "all-at-once"],
  ["sequential", "whole-video", "merge-sort"],
] as const)(
  "rrd over the video itself, recognition %s on the %s, reasoning %s",
  async (mode, input, method) => {
    const { sent, foreseen } = await sentBy(
      {
        strategy: "rrd",
        recognition: { mode, input, media: "video", max_side: 64 },
        reasoning: { method, input: "video+text" },
      },
      "vcrbench",
      null,
    );
    const spare = mode === "sequential" ? [] : ["rrd/recognise-one"];
    expect(foreseen.filter((name) => !spare.includes(name))).toEqual(sent);
  },
);

test.each([
  ["vcrbench", null, {}],
  ["vcrbench", null, { reasoning: { cot: true } }],
  ["mmr-v", ["red", "green", "blue"], {}],
  ["mmr-v", ["red", "green", "blue"], { reasoning: { cot: true } }],
  ["videomathqa", ["1", "2", "3", "4", "5"], { recognition: { subtitles: "aligned", frames: 2 } }],
  ["videomathqa", ["1", "2"], { reasoning: { cot: true } }],
  ["videomathqa", ["1", "2"], { strategy: "blind" }],
  ["ask", ["1", "2", "3"], { strategy: "key-frame" }],
] as const)("%s, options %s, %o: one call", async (wording, options, settings) => {
  const given = options === null ? null : [...options];
  const { sent, foreseen } = await sentBy({ strategy: "direct", ...settings }, wording, given);
  expect(server.chats()).toHaveLength(1);
  expect(foreseen).toEqual(sent);
});

test("frames are labelled, and the text is first or last, as set", async () => {
  const shape = async (recognition: object, wording: string) => {
    server.reset();
    const options = ["red", "green", "blue"];
    const settings = {
      strategy: "direct",
      recognition: { frames: 2, max_side: 64, ...recognition },
    };
    await sentBy(settings, wording, options);
    return server
      .chats()[0]
      ?.parts.map((part) => (part.type === "text" ? (part.text ?? "").slice(0, 8) : part.type));
  };
  const labels = { frame_labels: "numbers", message_order: "media-first" };
  expect(await shape(labels, "mmr-v")).toEqual([
    "Frame1: ",
    "image",
    "Frame2: ",
    "image",
    "Watch th",
  ]);
  expect(await shape({ message_order: "text-first" }, "ask")).toEqual([
    expect.any(String),
    "image",
    "image",
  ]);
  expect((await shape({}, "ask"))?.slice(0, 2)).toEqual(["image", "image"]);
});

test("a prompt can have the options as a Python list", async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, "mmr-v"));
  await writeFile(join(folder, "mmr-v", "direct.md"), "{{question}} {{option_list}}");
  const replaced = await loadPrompts(folder);
  server.answer(() => "[[A]]");
  await askInStore({
    video,
    question: readQuestion(video.hash, {
      text: "Which?",
      options: ["it's red", 'a "b"', "a'b\"c"],
    }),
    prompts: replaced,
    store,
    wording: wordingOf("mmr-v"),
    settings: readSettings({
      strategy: "blind",
      model: "openai:scripted",
      runtime: { base_url: server.url },
    }),
  });
  expect(wordsOf(server.chats()[0] as never)).toBe(
    `Which? ["(A) it's red", '(B) a "b"', '(C) a\\'b"c']`,
  );
});
