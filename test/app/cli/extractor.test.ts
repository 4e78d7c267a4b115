import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mathSample } from "../../evals/judges/judged-runs.ts";
import { makeRun } from "../../evals/run/made-runs.ts";
import { runCommand } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

/* Extractors chosen on the command line. */

let server: ModelServer;
let root: string;
const cli = (...args: string[]) => runCommand(root, args);

beforeAll(async () => {
  server = await startModelServer(() => "C");
  root = await tempFolder();
  const ids = Array.from({ length: 20 }, (_, index) => `q${index}`);
  for (const [name, letter] of Object.entries({ cot: "C", worse: "B" }))
    await makeRun(join(root, name), {
      benchmark: "videomathqa",
      settings: { strategy: "direct", model: "openai:answerer", reasoning: { cot: true } },
      samples: ids.map((id) => mathSample(id)),
      replies: Object.fromEntries(
        ids.map((id, place) => [
          id,
          `In ${id} A is 3, B is 4.\nAnswer: ${place < 10 ? letter : "C"}`,
        ]),
      ),
    });
});
afterAll(() => server.close());

const namer = (store: string) => [
  ...["--extractor-model", "openai:scripted"],
  ...["--base-url", server.url, "--data-dir", store],
];

test("a chain of thought is read by default; `official` is used if set, with a warning that it misreads", async () => {
  const own = JSON.parse((await cli("score", "cot", "--json")).out);
  expect(own.video_rrd).toMatchObject({
    extractor: "sound",
    extraction: { by: "format", warning: null },
    all: { right: 20, all: 20 },
  });
  const official = await cli("score", "cot", "--extractor", "official");
  expect(official.out).toMatch(
    /extractor official \(as asked\)\nThe extractor official misreads these replies: the prompts ask for a last line `Answer: X`, and it takes the first capital A to E/,
  );
  expect(official.out).toMatch(/sound +0 of 20 +0\.00 %/);
}, 60_000);

test("score and report call a model for the letters once, and report its usage", async () => {
  const scored = await cli("score", "cot", ...namer("store"));
  expect(scored.code).toBe(0);
  expect(scored.out).toMatch(/extractor model-letter \(as asked\)/);
  expect(scored.out).toContain(
    "letters named by openai:scripted (temperature 0.7, at most 16 tokens): 20 replies, 0 without a letter (counted as wrong), 20 calls, cost not known",
  );
  expect(scored.out).toMatch(/official +0 of 20 +0\.00 % +0\.000/);
  expect(server.chats()).toHaveLength(20);
  server.reset();
  const report = await cli("report", "cot", "worse", "--format", "markdown", ...namer("store"));
  // Half of the other run's replies have the same text, so their letters are stored already.
  expect(server.chats()).toHaveLength(10);
  expect(report.out).toContain("Conclusions under each extractor");
  // Whatever is said, this model names C: its letters see no difference, the words do.
  expect(report.out).toMatch(/\| worse minus cot \| 0\.00 \| 0\.00 \| 0\.00 \| -50\.00 \| no \|/);
  const read = await cli("compare", "cot", "worse", "--extractor", "model-letter", "--json");
  expect(JSON.parse(read.out)).toMatchObject({ extractor: "model-letter", common: 20 });
}, 60_000);

test("wrong inputs are refused in one sentence", async () => {
  for (const [args, sentence] of [
    [
      ["score", "cot", "--extractor", "magic"],
      'Invalid --extractor "magic": use one of official, lmms-eval-0.7, sound, model-letter for VideoMathQA.',
    ],
    [
      ["score", "cot", "--extractor", "lmms-eval-0.7", "--reasoning-tags", "<think>"],
      'Invalid --reasoning-tags "<think>": use names of tags without brackets, such as think,analysis.',
    ],
    [
      ["judge", "cot", "--kind", "letter", "--judge-model", "openai:m"],
      "Run `score cot --extractor model-letter --extractor-model openai:m`.",
    ],
  ] as const) {
    const { code, err } = await cli(...args);
    expect([args, code, err.trim().split("\n").length]).toEqual([args, 2, 1]);
    expect(err).toContain(sentence);
  }
}, 120_000);
