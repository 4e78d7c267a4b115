import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { studyFrontier } from "../../../evals/frontier/frontier.ts";
import { startRun } from "../../../evals/run/run.ts";
import { type Results, readResults } from "../../../evals/score/read-results.ts";
import {
  type ModelServer,
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
  data = await mmrData(2, 2);
  root = await tempFolder();
});
afterAll(() => server.close());

/** List price of the model, dollars per million tokens. */
const PRICE = { input: 2, output: 8 };

/** The usage of a request, as reported by the server. */
const tokensOf = ({ images }: SeenRequest) => ({ input: 300 + 85 * images.length, output: 11 });
const script: Script = (request) => ({
  text: `So it is [[${letterIn(request.texts)}]].`,
  usage: tokensOf(request),
});

/** A run with its own store, and its requests as seen by the server. */
async function measured(name: string, more: object) {
  server.reset();
  server.answer(script);
  const folder = join(root, name);
  await startRun(
    {
      benchmark: "mmr-v",
      data,
      model: "openai:gpt-4.1",
      ...more,
      runtime: { base_url: server.url, data: join(root, `store-${name}`), max_connections: 4 },
    },
    folder,
  );
  const chats = server.chats();
  const questions = 4;
  const sum = (of: (chat: (typeof chats)[number]) => number) =>
    chats.reduce((total, chat) => total + of(chat), 0) / questions;
  const input = sum((chat) => tokensOf(chat).input);
  const output = sum((chat) => tokensOf(chat).output);
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
  ];
  const runs: Results[] = arms.map(({ results }) => results);
  for (const budget of ["frames", "tokens", "dollars"] as const) {
    const { points } = studyFrontier(runs, { budget });
    for (const arm of arms) {
      const point = points.find(({ run }) => run === arm.results.name);
      expect(point?.spent).toBeCloseTo(arm[budget], 9);
    }
  }
  expect(arms.map(({ frames }) => frames)).toEqual([4, 6, 0]);
});
