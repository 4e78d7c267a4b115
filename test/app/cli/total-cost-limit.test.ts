import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

/*
 * `--total-cost-limit` over everything that a command pays for. Each call of the model under test costs $0.01, each of the
 * model that reads replies $0.001, and of a second one $0.05.
 */

const TOKENS = { answerer: 100, reader: 4, second: 200 };
const SIZE = 6;

let server: ModelServer;
let root: string;
const cli = (...args: string[]) => runCommand(root, args);
const asked = (model: string) => server.chats().filter((chat) => chat.model === model).length;
const billed = () => asked("answerer") * 0.01 + asked("reader") * 0.001;

beforeAll(async () => {
  root = await tempFolder();
  server = await startModelServer(() => "");
  const questions = Array.from({ length: SIZE }, (_, index) => ({
    id: `q${index}`,
    video: "film.mp4",
    question: `What is shown in part ${index}?`,
    options: ["a tree", "a house", "a river"],
    answer: "B",
    open: `What grows in garden ${index}?`,
  }));
  const lines = (of: object[]) => `${of.map((one) => JSON.stringify(one)).join("\n")}\n`;
  const choices = questions.map(({ open: _, ...question }) => question);
  const opens = questions.map(({ id, video, open }) => ({
    id,
    video,
    question: open,
    answer: "roses",
  }));
  await makeShuffled(join(root, "film.mp4"), 1);
  await writeFile(join(root, "choices.jsonl"), lines(choices));
  await writeFile(join(root, "opens.jsonl"), lines(opens));
  await writeFile(
    join(root, "prices.yaml"),
    "openai:answerer: { input: 0, output: 100 }\nopenai:reader: { input: 0, output: 250 }\nopenai:second: { input: 0, output: 250 }\n",
  );
  await writeFile(
    join(root, "grid.yaml"),
    "base: { benchmark: dataset, data: opens.jsonl, strategy: blind }\naxes:\n  seed: [1, 2]\n",
  );
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(({ model, index }) => {
    const text =
      model === "answerer"
        ? `It is the one in the middle, as ${index} others.`
        : '{"grade": 1, "reason": "B"}';
    return { text, usage: { input: 10, output: TOKENS[model as keyof typeof TOKENS] } };
  });
});

const common = (store: string) => [
  ...["--model", "openai:answerer", "--strategy", "blind", "--max-tokens", "400"],
  ...["--base-url", server.url, "--prices", "prices.yaml", "--max-connections", "1"],
  ...["--data-dir", store],
];

test("an extractor's model is part of the limit of an evaluation, which continues with a higher one", async () => {
  const letters = ["--extractor-model", "openai:reader"];
  const first = await cli(
    ...["eval", "choices.jsonl", ...common("s1"), ...letters, "--out", "lettered"],
    ...["--total-cost-limit", "0.0625"],
  );
  expect(first.code, first.err).toBe(1);
  expect(first.err).toContain("The judging stopped at --total-cost-limit, which left it $0.0025");
  expect(first.err).toMatch(/Run `eval --resume \S*lettered` with a higher --total-cost-limit/);
  expect(asked("answerer")).toBe(SIZE);
  expect(asked("reader")).toBeLessThan(SIZE);
  expect(billed()).toBeLessThanOrEqual(0.0625);
  const again = await cli("eval", "--resume", "lettered", "--total-cost-limit", "1", "--json");
  expect(again.code, again.err).toBe(0);
  expect([asked("answerer"), asked("reader")]).toEqual([SIZE, SIZE]);
}, 60_000);

test("letters that are paid are part of the limit of a run that continues", async () => {
  const answers = (failing: number) =>
    server.answer(({ model, texts }) => {
      const part = Number(/part (\d)/.exec(texts.join("\n"))?.[1]);
      if (model === "answerer" && part >= failing) return { status: 400, text: "no" };
      const text = model === "answerer" ? `It is the one in the middle, as ${part} others.` : "B";
      return { text, usage: { input: 10, output: TOKENS[model as keyof typeof TOKENS] } };
    });
  answers(3);
  const letters = ["--extractor-model", "openai:reader"];
  const first = await cli("eval", "choices.jsonl", ...common("s6"), ...letters, "--out", "half");
  expect(first.err).toContain("3 samples failed");
  expect([asked("answerer"), asked("reader")]).toEqual([SIZE, 3]);
  server.reset();
  answers(SIZE);
  // 3 answers and 3 letters are paid: one more answer fits, but not two.
  const again = await cli("eval", "--resume", "half", "--total-cost-limit", "0.052");
  expect(again.code).toBe(1);
  expect(again.err).toContain("--total-cost-limit 0.052");
  expect(asked("answerer")).toBe(1);
}, 60_000);

test("grades of a sweep are part of its limit, also when it is continued", async () => {
  const grading = ["--scorer", "open=judged", "--judge-model", "openai:reader"];
  const limit = 0.1225;
  const first = await cli(
    ...["sweep", "grid.yaml", ...common("s2"), "--temperature", "0.5", ...grading],
    ...["--out", "swept", "--total-cost-limit", String(limit)],
  );
  expect(first.code, first.err).toBe(1);
  expect(first.err).toContain("The judging stopped at --total-cost-limit");
  expect(asked("answerer")).toBe(2 * SIZE);
  expect(billed()).toBeLessThanOrEqual(limit);
  const again = await cli("sweep", "--resume", "swept");
  expect(again.code).toBe(1);
  expect(billed()).toBeLessThanOrEqual(limit);
  const more = await cli("sweep", "--resume", "swept", "--total-cost-limit", "1");
  expect(more.code, more.err).toBe(0);
  expect(asked("answerer")).toBe(2 * SIZE);
  // The new limit holds the next time, too.
  const kept = JSON.parse(await readFile(join(root, "swept", "sweep.json"), "utf8"));
  expect(kept.total_cost_limit).toBe(1);
}, 60_000);

test("judging a sweep has one limit for all of its runs", async () => {
  server.answer(() => ({
    text: '{"grade": 1, "reason": "B"}',
    usage: { input: 10, output: TOKENS.second },
  }));
  const judging = [
    ...["--kind", "grade", "--judge-model", "openai:second", "--base-url", server.url],
    ...["--prices", "prices.yaml", "--max-connections", "1", "--data-dir", "s5"],
  ];
  const judged = await cli("judge", "swept", ...judging, "--total-cost-limit", "0.9");
  expect(judged.code, judged.err).toBe(1);
  expect(judged.err).toContain("The judging stopped at --total-cost-limit, which left it $0.6:");
  expect(asked("second")).toBeGreaterThan(SIZE);
  expect(asked("second")).toBeLessThan(2 * SIZE);
}, 60_000);

test("a command that reads several runs has one limit for all", async () => {
  for (const seed of ["1", "2"])
    await cli(
      ...["eval", "choices.jsonl", ...common("s3"), "--temperature", "0.5", "--seed", seed],
      ...["--out", `run-${seed}`],
    );
  server.reset();
  server.answer(({ texts }) => ({
    text: `B ${texts.length}`,
    usage: { input: 10, output: TOKENS.reader },
  }));
  const limit = 0.0085;
  const reading = [
    ...["--extractor-model", "openai:reader", "--base-url", server.url],
    ...["--prices", "prices.yaml", "--max-connections", "1", "--data-dir", "s4"],
  ];
  const compared = await cli(
    ...["compare", "run-1", "run-2", ...reading, "--total-cost-limit", String(limit)],
  );
  expect(compared.code, compared.err).toBe(1);
  expect(compared.err).toContain("The judging stopped at --total-cost-limit");
  expect(asked("reader")).toBeGreaterThan(SIZE);
  expect(billed()).toBeLessThanOrEqual(limit);
}, 60_000);
