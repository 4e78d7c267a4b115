import { execFile } from "node:child_process";
import { appendFile, copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askInStore } from "../../graphs/ask.ts";
import { indexVideo } from "../../graphs/index-video.ts";
import { type QuestionInput, readQuestion } from "../../graphs/read-question.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { readSettings } from "../../src/core/settings.ts";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

/* Files without pictures: everything that works with what is said works, and nothing decodes frames. */

const FORMATS = ["wav", "mp3", "m4a", "ogg", "flac", "opus"];
const ASKED: QuestionInput = {
  text: "How many students came?",
  options: ["Seven", "Eight hundred"],
};

let server: ModelServer;
let store: Store;
let folder: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "Eight hundred [E1].\nAnswer: B");
  store = await openStore(join(folder, "store"));
  const { ffmpeg } = await findFfmpeg();
  const outputs = FORMATS.flatMap((format) => ["-map", "0:a", join(folder, `talk.${format}`)]);
  const tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=6:sample_rate=48000"];
  await promisify(execFile)(ffmpeg, ["-v", "error", ...tone, ...outputs]);
  await copyFile(join(folder, "talk.wav"), join(folder, "alone.wav"));
  // Other bytes, so that nothing stored for the first file applies.
  await appendFile(join(folder, "alone.wav"), Buffer.alloc(64));
  await writeFile(
    join(folder, "talk.srt"),
    "1\n00:00:01,000 --> 00:00:03,000\nEight hundred students came.\n",
  );
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

async function ask(strategy: string, format = "wav", recognition = {}, asked = ASKED) {
  const name = format.includes(".") ? format : `talk.${format}`;
  const video = await openVideo(join(folder, name), { store, run: "test" });
  const notes: string[] = [];
  const result = await askInStore({
    video,
    question: readQuestion(video.hash, asked),
    settings: readSettings({
      ...{ strategy, recognition },
      ...(strategy === "extractive" ? {} : { model: "openai:scripted" }),
      runtime: { base_url: server.url },
    }),
    prompts: await loadPrompts(null),
    store,
    onEvent: (event) => {
      if (event.type === "note") notes.push(event.text);
    },
  });
  return { ...result, notes };
}

test.each(["mp3", "ogg", "flac"])("a %s file is asked without a model", async (format) => {
  const { answer, evidence, notes } = await ask("extractive", format);
  expect(answer).toMatchObject({ status: "answered", answer: "B" });
  expect(evidence.items.map(({ kind, text }) => [kind, text])).toEqual([
    ["subtitle", "Eight hundred students came."],
  ]);
  expect(notes).toEqual(["This file has no pictures. Only what is said is used."]);
});

test("rrd describes nothing and reasons over what is said", async () => {
  const { answer, notes } = await ask("rrd", "wav", { subtitles: "full" });
  expect(answer).toMatchObject({ status: "answered", answer: "B" });
  expect(notes).toEqual(["This file has no pictures. Only what is said is used."]);
  const sent = server.chats();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.images).toEqual([]);
  expect(wordsOf(sent[0] as never)).toContain("Eight hundred students came.");
});

test("the agent is offered no tool that shows pictures", async () => {
  server.answer(({ toolCalls }) =>
    toolCalls.length === 0
      ? { toolCalls: [{ name: "search_evidence", arguments: { query: "students" } }] }
      : { toolCalls: [{ name: "answer", arguments: { answer: "B", evidence: ["E1"] } }] },
  );
  const { answer } = await ask("agent");
  expect(answer).toMatchObject({ status: "answered", answer: "B" });
  const offered = server.chats()[0]?.tools.map(({ name }) => name) ?? [];
  expect(offered).toContain("subtitles");
  expect(offered.filter((name) => /view|zoom|overview|compare|read_text/.test(name))).toEqual([]);
  expect(wordsOf(server.chats()[1] as never)).toContain("Eight hundred students came.");
});

test.each(["direct", "key-frame"])(
  "%s says that it needs pictures, and calls no model",
  async (strategy) => {
    const { answer } = await ask(strategy, "m4a");
    expect(answer.error).toEqual({
      kind: "no-video",
      message: `This file has no pictures. The strategy ${strategy} shows pictures to the model. Use --strategy rrd, which works with what is said.`,
    });
    expect(server.chats()).toEqual([]);
  },
);

test("an ordering question needs pictures", async () => {
  const { answer } = await ask("rrd", "wav", {}, { text: "Order?", task: "order", goal: "Bake" });
  expect(answer).toMatchObject({
    status: "error",
    error: { kind: "no-video", message: "This file has no pictures." },
  });
});

test("an index holds what is said, with a model too", async () => {
  const job = { store, run: "test" };
  const video = await openVideo(join(folder, "talk.opus"), job);
  const spec = { model: "openai:scripted", runtime: { base_url: server.url } };
  const { items } = await indexVideo(video, spec, job);
  expect(items.map(({ kind }) => kind)).toEqual(["subtitle"]);
  expect(server.chats()).toEqual([]);
});

const NAME_ENGINE =
  "name an engine with --transcriber, for example --transcriber openai:whisper-1.";

test("an answer says that the sound was not heard, and how to change that", async () => {
  const unheard = async (...asked: Parameters<typeof ask>) =>
    (await ask(...asked)).answer.diagnostics?.unheard_sound;
  const said = "The sound of this video was not heard. To change that,";
  expect(await unheard("extractive", "alone.wav")).toBe(`${said} ${NAME_ENGINE}`);
  expect(await unheard("rrd", "talk.wav", { subtitles: "off" })).toBe(
    `${said} pass --subtitles full to use talk.srt, or ${NAME_ENGINE}`,
  );
  const transcriber = "command:cat {audio}";
  expect(await unheard("extractive", "alone.wav", { transcriber, speech: "off" })).toBe(
    `${said} leave out --speech off.`,
  );
});

test("nothing is said about sound that was heard, or that nobody wanted to hear", async () => {
  server.answer(() => "Answer: B");
  const script = join(folder, "engine.sh");
  await writeFile(script, "echo WEBVTT");
  const transcriber = `command:sh ${script} {audio}`;
  for (const [strategy, file, recognition] of [
    ["extractive", "talk.wav", {}],
    ["extractive", "alone.wav", { transcriber }],
    ["direct", "alone.wav", { audio: true }],
    ["blind", "alone.wav", {}],
  ] as const) {
    const { answer } = await ask(strategy, file, recognition);
    expect(answer.error, strategy).toBeUndefined();
    expect(answer.diagnostics, strategy).not.toHaveProperty("unheard_sound");
  }
});
