import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { studyFrontier } from "../../../evals/frontier/frontier.ts";
import { startRun } from "../../../evals/run/run.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import { createModels } from "../../../src/models/models.ts";
import { PATIENCE } from "../../../src/models/retry.ts";
import {
  type ModelServer,
  type Reply,
  type Script,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { letterIn, mmrData } from "../run/run-fixtures.ts";

let server: ModelServer;
let data: string;
let root: string;

beforeAll(async () => {
  server = await startModelServer(script);
  // One question a video: recognition is not shared, so that the log has all of it.
  data = await mmrData(QUESTIONS, 1);
  root = await tempFolder();
});
afterAll(() => server.close());

const QUESTIONS = 2;

/** List price of the model, dollars per million tokens. */
const PRICE = { input: 2, output: 8 };

/** The usage of a request, as reported by the server. */
const tokensOf = ({ images }: SeenRequest) => ({ input: 300 + 85 * images.length, output: 11 });
/** The usage of each reply, by the index of its request; none for a refusal. */
const billed = new Map<number, { input: number; output: number }>();

function bill(request: SeenRequest, reply: Reply, usage = tokensOf(request)): Reply {
  billed.set(request.index, usage);
  return { ...reply, usage };
}

const script: Script = (request) => bill(request, replyTo(request));

/** An agent looks twice, the second time with the first pictures still in the conversation, and answers. */
function replyTo({ texts, tools, toolCalls }: SeenRequest): Reply {
  const letter = letterIn(texts);
  const words = texts.join("\n");
  if (words.includes("Verdict:")) return { text: "Verdict: supported" };
  if (!tools.some(({ name }) => name === "answer")) return { text: `So it is [[${letter}]].` };
  const turn = toolCalls.length;
  if (turn >= 2) {
    const call = { name: "answer", arguments: { answer: letter, evidence: ["E1", "E2"] } };
    return { toolCalls: [call] };
  }
  const span = turn === 0 ? { from_s: 0, to_s: 0.4 } : { from_s: 0.5, to_s: 0.9 };
  return { toolCalls: [{ name: "view_frames", arguments: { ...span, count: 2 } }] };
}

/** Every third request is refused and every fourth has an empty reply, which is billed. */
function faulty(): Script {
  let count = 0;
  return (request) => {
    count++;
    if (count % 3 === 0) return { status: 503, text: "busy" };
    return count % 4 === 0
      ? bill(request, { empty: true }, { input: 700, output: 3 })
      : script(request);
  };
}

/** A run with its own store, and its requests as seen by the server. */
async function measured(name: string, more: object, says: Script = script) {
  server.reset();
  billed.clear();
  server.answer(says);
  const folder = join(root, name);
  await startRun(
    {
      benchmark: "mmr-v",
      data,
      model: "openai:gpt-4.1",
      ...more,
      runtime: { base_url: server.url, data: join(root, `store-${name}`), max_connections: 1 },
    },
    folder,
    {
      createModels: (options) =>
        createModels({ ...options, patience: { ...PATIENCE, pause: 1, longestPause: 5 } }),
    },
  );
  const chats = server.chats();
  const sum = (of: (chat: (typeof chats)[number]) => number) =>
    chats.reduce((total, chat) => total + of(chat), 0) / QUESTIONS;
  const input = sum((chat) => billed.get(chat.index)?.input ?? 0);
  const output = sum((chat) => billed.get(chat.index)?.output ?? 0);
  return {
    results: await readResults(folder),
    frames: sum(({ images }) => images.length),
    tokens: input + output,
    dollars: (PRICE.input * input + PRICE.output * output) / 1e6,
  };
}

test("every point's frames, tokens and dollars equal the log of the model server", async () => {
  const small = { max_side: 64 };
  const arms = [
    await measured("direct-4", { strategy: "direct", recognition: { ...small, frames: 4 } }),
    await measured("vote-2", {
      strategy: "self-consistency",
      recognition: { ...small, frames: 2 },
    }),
    await measured("blind", { strategy: "blind" }),
    await measured("rrd", { strategy: "rrd", recognition: { ...small, frames: 4, ocr: "off" } }),
    await measured("agent", { strategy: "agent", recognition: { ...small, ocr: "off" } }),
    await measured(
      "faulty",
      { strategy: "agent", recognition: { ...small, ocr: "off" } },
      faulty(),
    ),
  ];
  const runs: Results[] = arms.map(({ results }) => results);
  for (const budget of ["frames", "tokens", "dollars"] as const) {
    const { points } = studyFrontier(runs, { budget });
    for (const arm of arms) {
      const point = points.find(({ run }) => run === arm.results.name);
      expect([arm.results.name, budget, point?.spent]).toEqual([
        arm.results.name,
        budget,
        expect.closeTo(arm[budget], 9),
      ]);
    }
  }
  expect(arms.slice(0, 3).map(({ frames }) => frames)).toEqual([4, 6, 0]);
  const calls = (name: string) =>
    arms
      .find(({ results }) => results.name === name)
      ?.results.said.flatMap(({ line }) => line?.calls ?? []) ?? [];
  expect(new Set(calls("rrd").map(({ role }) => role))).toContain("recogniser");
  expect(new Set(calls("agent").map(({ role }) => role))).toContain("verifier");
  // Pictures of earlier turns were sent again.
  expect(calls("agent").some(({ pictures, frames }) => (pictures ?? 0) > frames)).toBe(true);
  expect(calls("faulty").some(({ retried }) => (retried?.input ?? 0) > 0)).toBe(true);
});
