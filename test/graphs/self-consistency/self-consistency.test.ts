import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import { ballotsToDecide } from "../../../graphs/self-consistency/ballots-to-decide.ts";
import { majorityVote } from "../../../src/core/vote.ts";
import { plainVideo } from "../../evals/run/run-fixtures.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

const winnerOf = (answers: readonly (string | null)[]) =>
  majorityVote(answers.map((answer, index) => ({ number: index + 1, answer }))).answer;

/** Every combination of the remaining ballots. */
function completions(answers: readonly (string | null)[], left: number): (string | null)[][] {
  if (left === 0) return [[...answers]];
  return ["A", "B", "C", null].flatMap((next) => completions([...answers, next], left - 1));
}

test("a vote is decided exactly when no completion changes its winner", () => {
  const ballots = fc.array(fc.constantFrom("A", "B", "C", null), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(ballots, fc.integer({ min: 0, max: 3 }), (answers, left) => {
      const cast = answers.map((answer, index) => ({ number: index + 1, answer }));
      const further = ballotsToDecide(majorityVote(cast), answers.length + left);
      const winner = winnerOf(answers);
      const outcomes = new Set(completions(answers, left).map(winnerOf));
      if (further === 0 && winner !== null) expect([...outcomes]).toEqual([winner]);
      expect(further).toBeLessThanOrEqual(left);
      if (further < 2 || winner === null) return;
      // With one ballot fewer for the leader, the others can still tie.
      const fewer = [...answers, ...Array.from({ length: further - 1 }, () => winner)];
      const rest = new Set(completions(fewer, left - further + 1).map((all) => votesOf(all)));
      expect([...rest].some(({ first, second }) => second >= first)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

function votesOf(answers: readonly (string | null)[]) {
  const { votes, second } = majorityVote(
    answers.map((answer, index) => ({ number: index + 1, answer })),
  );
  return { first: votes, second };
}

let server: ModelServer;
let folder: string;
let film: string;

beforeAll(async () => {
  server = await startModelServer(() => "");
  folder = await tempFolder();
  film = join(folder, "film.mp4");
  await plainVideo(film, 2);
});
afterAll(() => server.close());
beforeEach(() => server.reset());

let store = 0;
const askWith = (more: object = {}) =>
  ask(
    film,
    { text: "Which one?", options: ["one", "two", "three"] },
    {
      settings: {
        strategy: "self-consistency",
        model: "openai:scripted",
        recognition: { frames: 2, max_side: 64 },
        runtime: { base_url: server.url, data: join(folder, `store-${store}`) },
        ...more,
      },
    },
  );

/** Replies with these letters, in the order in which requests arrive. */
function replies(letters: string): void {
  let next = 0;
  server.answer(() => `[[${letters[next++] ?? "?"}]]\nAnswer: ${letters[next - 1]}`);
}

test.for([
  ["AAA", 3, 1],
  ["AABA", 4, 3 / 4],
  ["ABBAB", 5, 3 / 5],
] as const)("replies %s are %i calls", async ([letters, calls, confidence]) => {
  store++;
  replies(letters);
  const { answer } = await askWith();
  expect(server.chats()).toHaveLength(calls);
  expect(
    server.chats().every(({ body }) => (body as { temperature?: number }).temperature === 0.7),
  ).toBe(true);
  expect(answer.confidence).toBeCloseTo(confidence);
  expect(answer.usage).toMatchObject({ calls, frames: 2 * calls });
  // The same question again comes from the store.
  server.reset();
  const again = await askWith();
  expect(server.chats()).toHaveLength(0);
  expect(again.answer.answer).toBe(answer.answer);
});

test("a spent budget ends the vote, and the votes that were cast decide", async () => {
  store++;
  replies("BBBBB");
  const { answer } = await askWith({ budget: { calls: 2 }, consistency: { samples: 9 } });
  expect(server.chats()).toHaveLength(2);
  expect(answer).toMatchObject({ status: "answered", answer: "B", limits_met: ["calls"] });
});
