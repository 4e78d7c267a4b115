import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { judgeResults } from "../../evals/judges/judge-run.ts";
import { startRun } from "../../evals/run/run.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { ask } from "../../graphs/ask.ts";
import type { Store } from "../../src/core/contracts.ts";
import { openStore } from "../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import { mmrData, plainVideo } from "./run/run-fixtures.ts";

/*
 * Reasoning that a server gives apart from the reply: no answer is read from it, the results keep it, the judge of
 * chains of thought reads it, and an agent's conversation gives it back.
 */

let server: ModelServer;
let store: Store;
let film: string;

beforeAll(async () => {
  vi.stubEnv("GOOGLE_API_KEY", "not-a-key");
  server = await startModelServer(() => "A");
  const folder = await tempFolder();
  store = await openStore(join(folder, "store"));
  film = join(folder, "film.mp4");
  await plainVideo(film, 3);
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const settings = (more: object) => ({
  strategy: "direct",
  model: "openai:Qwen/Qwen3-VL-8B-Thinking",
  recognition: { frames: 2, max_side: 64 },
  runtime: { base_url: server.url },
  ...more,
});
const question = (text: string) => ({ text, options: ["red", "green", "blue"] });
const MISLEADING =
  "The cup could be red. Answer: A. [[A]] No, wait, I have to look at the end again.";

test.each(["openai:Qwen/Qwen3-VL-8B-Thinking", "google-genai:gemini-2.5-pro"])(
  "%s is answered by its reply, with any reasoning",
  async (model) => {
    server.answer(() => ({ text: "B", reasoning: MISLEADING }));
    const { answer, events } = await ask(film, question(`Which cup does ${model} see?`), {
      store,
      settings: settings({ model }),
    });
    expect(answer).toMatchObject({ status: "answered", answer: "B", reply: "B" });
    expect(answer.reasoning).toBe(MISLEADING);
    const told = events.find((event) => event.type === "answer");
    expect(told).toMatchObject({ answer: { reasoning: MISLEADING } });
  },
);

test("a run stores the reasoning; the judge of chains of thought reads it, extractors do not", async () => {
  server.answer(({ texts }) => ({
    text: `[[${/\((.)\)/.exec(texts.join(" "))?.[1] === "A" ? "C" : "B"}]]`,
    reasoning: MISLEADING,
  }));
  const folder = join(await tempFolder(), "run");
  await startRun({ benchmark: "mmr-v", data: await mmrData(1, 2), ...settings({}) }, folder, {
    store,
  });
  const results = await readResults(folder, {});
  expect(results.said.map(({ line }) => line?.reasoning)).toEqual([MISLEADING, MISLEADING]);
  expect(results.said.map(({ line }) => line?.scores.official?.answer)).toEqual(["C", "B"]);

  server.reset();
  server.answer(() =>
    JSON.stringify({
      question_frame_desc: false,
      other_frame_desc: false,
      video_analysis: true,
      text_analysis: false,
    }),
  );
  const judge = { judge_model: "openai:judge", settings: { runtime: { base_url: server.url } } };
  await judgeResults(results, { kind: "cot", text_only: true, ...judge }, { folder, store });
  const asked = server.chats().map(({ texts }) => texts.join("\n"));
  expect(asked).toHaveLength(20);
  for (const words of asked) expect(words).toContain(`${MISLEADING}\n\n[[`);

  server.reset();
  server.answer(() => JSON.stringify({ error_type: "x" }));
  await judgeResults(results, { kind: "errors", text_only: true, ...judge }, { folder, store });
  expect(server.chats().length).toBeGreaterThan(0);
  for (const { texts } of server.chats()) expect(texts.join("\n")).not.toContain("could be red");
});

test.each([
  ["openai:Qwen/Qwen3-VL-8B-Thinking", { reasoning_content: "I look at the end." }],
  [
    "google-genai:gemini-3-pro-preview",
    {
      parts: [
        { text: "I look at the end.", thought: true },
        expect.objectContaining({ thoughtSignature: "c2ln" }),
      ],
    },
  ],
])("an agent of %s sends each turn back with its provider's content", async (model, own) => {
  server.answer(({ turns, tools }) => {
    const name = turns.length < 2 && tools.length > 1 ? "view_frames" : "answer";
    const given =
      name === "answer"
        ? { answer: "B", evidence: ["E1"] }
        : { from_s: 0, to_s: 0.4 + turns.length / 10, count: 1 };
    return {
      reasoning: "I look at the end.",
      toolCalls: [{ name, arguments: given, signature: "c2ln" }],
    };
  });
  const { answer } = await ask(film, question("Which cup is at the end?"), {
    store,
    settings: settings({ strategy: "agent", model, search: { verify: false } }),
  });
  expect(answer.answer).toBe("B");
  const sent = server.chats().map(({ turns }) => turns);
  expect(sent.map((turns) => turns.length)).toEqual([0, 1, 2]);
  for (const turn of sent.flat()) expect(turn).toMatchObject(own);
});

test("another seed asks again at a temperature above 0, and not at 0", async () => {
  server.answer(() => "B");
  const asked = question("Which cup is drawn?");
  const seeds = async (temperature: number) => {
    server.reset();
    for (const seed of [1, 1, 2])
      await ask(film, asked, { store, settings: settings({ seed, reasoning: { temperature } }) });
    return server.chats().map(({ seed }) => seed);
  };
  expect(await seeds(0.8)).toEqual([1, 2]);
  expect(await seeds(0)).toEqual([null]);
});
