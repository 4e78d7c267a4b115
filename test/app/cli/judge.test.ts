import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { StepSummary } from "../../../evals/judges/steps/summary.ts";
import { idOf, mathSample, mmrSample, scoreCard } from "../../evals/judges/judged-runs.ts";
import { makeRun } from "../../evals/run/made-runs.ts";
import { mathData } from "../../evals/run/run-fixtures.ts";
import { runCli, runCommand } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

let server: ModelServer;
let root: string;

beforeAll(async () => {
  server = await startModelServer(() => scoreCard(5));
  root = await tempFolder();
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(() => scoreCard(5));
});

/** Runs the real program, in its own process if `onStart` takes its pid. */
const cli = (args: readonly string[], onStart?: (pid: number) => void) =>
  onStart === undefined ? runCommand(root, args) : runCli(root, args, onStart);

async function mathRun(name: string, count: number): Promise<string> {
  await mkdir(join(root, name), { recursive: true });
  const ids = Array.from({ length: count }, (_, index) => `${name}${index}`);
  await makeRun(join(root, name), {
    benchmark: "videomathqa",
    settings: { strategy: "direct", model: "openai:answerer" },
    samples: ids.map((id) => mathSample(id)),
    replies: Object.fromEntries(ids.map((id) => [id, `The side in ${id} is 3.`])),
  });
  return name;
}

const judging = (run: string, store: string) => [
  ...["judge", run, "--kind", "steps", "--judge-model", "openai:scripted"],
  ...["--base-url", server.url, "--data-dir", store],
];

let attempts = 0;

test("killed judging resumes by the same command and bills only calls in flight again", async () => {
  const run = await mathRun(`killed-${++attempts}`, 12);
  server.answer(() => ({ text: scoreCard(6), delay_ms: 40 }));
  const CONNECTIONS = 3;
  const args = [
    ...judging(run, `store-${run}`),
    "--max-connections",
    String(CONNECTIONS),
    "--json",
  ];
  const killAt = [5, 15];
  for (const calls of killAt) {
    let pid = 0;
    const ending = cli(args, (started) => {
      pid = started;
    });
    while (server.chats().length < calls) await new Promise((done) => setTimeout(done, 5));
    process.kill(pid, "SIGKILL");
    expect((await ending).code).not.toBe(0);
  }
  const last = await cli(args);
  expect(last.code).toBe(0);
  const summary = JSON.parse(last.out) as StepSummary;
  expect(summary).toMatchObject({ kind: "steps", replies: 12, runs: 3, judged: 36, not_judged: 0 });
  expect(summary.sound?.mean).toBeCloseTo(6, 12);
  expect(summary.official).toMatchObject({ mean: 6, scored: 8, of: 12 });
  // While a reply is being stored, its connection is used by the next call.
  const unstored = 2 * CONNECTIONS;
  expect(server.chats().length).toBeLessThanOrEqual(36 + killAt.length * unstored);
  // Every judge run has its own draws, so a question is sent three times.
  server.reset();
  const again = await cli(args);
  expect(server.chats()).toHaveLength(0);
  expect(JSON.parse(again.out)).toEqual(summary);
}, 120_000);

test("the summary shows three means with their counts, and what was not judged with reasons", async () => {
  const run = await mathRun("told", 9);
  server.answer((request) => (idOf(request) === "told8" ? "Well done!" : scoreCard(5)));
  const { code, out } = await cli([...judging(run, "store-told"), "--judge-runs", "2"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^steps, judged by openai:scripted: 9 replies, 2 times each$/m);
  expect(out).toMatch(/official \(unreadable = 0, whole batches of 8\) +5\.00 +8 of 9 samples/);
  expect(out).toMatch(/sound, judged replies only +5\.00 +1\.79 to 8\.21 +8 replies/);
  expect(out).toMatch(/all replies \(not judged = 0\) +4\.44 .* 9 replies/);
  expect(out).toContain("note: 16 judged; 2 not judged; 20 calls, cost not known");
  expect(out).toContain("note: 2 not judged: told8: it was not one JSON object alone");
  const report = await cli(["report", run, "--format", "markdown"]);
  expect(report.out).toMatch(
    /\| told \| openai:scripted \| 2 \| 5\.00 \| 8 of 9 \| 5\.00 \\\[1\.79, 8\.21\\\] \|/,
  );
}, 120_000);

test("a judge whose replies are no judgements ends with an error, and is asked again only where nothing is kept", async () => {
  const run = await mathRun("useless", 2);
  server.answer(() => "Well done!");
  const { code, out, err } = await cli(judging(run, "store-useless"));
  expect(code).toBe(1);
  expect(out).toContain("note: 0 judged; 6 not judged");
  expect(err).toContain("None of 6 judgements could be made, for the reasons in the summary.");
  server.reset();
  server.answer(() => scoreCard(6));
  const again = await cli(judging(run, "store-useless"));
  expect([again.code, server.chats().length]).toEqual([1, 0]);
  const anew = await cli([...judging(run, "store-anew"), "--out", "judged-anew"]);
  expect([anew.code, server.chats().length]).toEqual([0, 6]);
}, 120_000);

test("a dry run counts the calls, including those of the step judge before the error judge, and sends nothing", async () => {
  const run = await mathRun("planned", 4);
  const plan = async (kind: string, ...more: string[]) => {
    const args = ["judge", run, "--kind", kind, "--judge-model", "openai:gpt-4.1", "--dry-run"];
    return cli([...args, "--base-url", server.url, ...more]);
  };
  expect(JSON.parse((await plan("steps", "--json")).out)).toMatchObject({
    replies: 4,
    calls: { least: 12, most: 24 },
    tokens: { output_most: 12 * 8192 },
    cost_most: expect.any(Number),
  });
  const told = await plan("errors", "--limit", "3");
  expect(told.out).toMatch(/model calls +6, at most 12 /);
  expect(told.out).toContain("Nothing was sent.");
  expect(server.requests).toHaveLength(0);
}, 120_000);

test("a server that is down fails the judgements and the command; the same command judges them once it is up", async () => {
  const run = await mathRun("down", 1);
  server.answer(() => ({ status: 400, text: "no such model" }));
  const args = [...judging(run, "store-down"), "--judge-runs", "1"];
  const failed = await cli(args);
  expect(failed.code).toBe(1);
  expect(failed.out).toContain("1 failed (model-rejected)");
  expect(failed.err).toContain("1 judgement failed. Run the same command again to retry.\n");
  server.answer(() => scoreCard(5));
  expect((await cli(args)).code).toBe(0);
}, 120_000);

test("eval-judge reads a file with labels by people, and stores the judgements under runs/", async () => {
  const rows = ["a", "b", "c", "d"].map((id, index) => ({
    ...mmrSample(id).row,
    question_idx: index,
    raw_response: `[[A]] in ${id}`,
    error_info: { human_annotation_error_type: index < 2 ? "Hallucination" : "Reasoning Error" },
  }));
  await writeFile(join(root, "people.json"), JSON.stringify(rows));
  server.answer((request) =>
    JSON.stringify({
      reason: "So it is.",
      error_type:
        idOf(request) === "d"
          ? "Hallucination"
          : idOf(request) === "c"
            ? "Reasoning Error"
            : "Hallucination",
    }),
  );
  const args = ["eval-judge", "--data", "people.json", "--judge-model", "openai:scripted"];
  const more = ["--base-url", server.url, "--data-dir", "store-people"];
  const { code, out } = await cli([...args, ...more]);
  expect(code).toBe(0);
  expect(out).toMatch(/judged answers only +75\.00 % +0\.500 /);
  expect(out).toMatch(/Reasoning Error +0 +0 +0 +1 +1 +0 +0/);
  expect(out).toContain(join("runs", "people", "judgements", "errors-openai-scripted-"));
  server.reset();
  const json = await cli([...args, ...more, "--json"]);
  expect(server.chats()).toHaveLength(0);
  expect(JSON.parse(json.out)).toMatchObject({ n: 4, n_judged: 4, of_judged: { kappa: 0.5 } });
}, 120_000);

test.each([
  [["judge", "nowhere", "--kind", "steps", "--judge-model", "openai:x"], 1, "Cannot open nowhere"],
  [["judge", "told"], 2, "required option '--kind <name>' not specified"],
  [["eval-judge", "--data", "told", "--judge-model", "openai:x"], 2, "it is a run of videomathqa"],
])("%j is refused in one sentence", async (args, code, words) => {
  await mathRun("told", 1);
  const ended = await cli(args);
  expect(ended.err).toContain(words);
  expect(ended.code).toBe(code);
  expect(ended.err).not.toMatch(/\n\s+at /);
});

test("eval judges its replies with --judge, and refuses a judge that does not fit before anything is sent", async () => {
  const data = await mathData(1);
  const args = [
    ...[
      "eval",
      "videomathqa",
      "--data",
      data,
      "--strategy",
      "direct",
      "--model",
      "openai:scripted",
    ],
    ...["--frames", "2", "--base-url", server.url, "--data-dir", "store-eval", "--json"],
  ];
  for (const [judge, message] of [
    [["--judge", "steps"], /Missing --judge-model for --judge/],
    [["--judge", "cot", "--judge-model", "openai:scripted"], /Invalid --kind cot/],
  ] as const) {
    const refused = await cli([...args, "--out", "never", ...judge]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  }
  expect(server.chats()).toHaveLength(0);
  server.answer(({ texts }) =>
    texts.join("\n").includes("annotated") ? scoreCard(7) : "Answer: A",
  );
  const judge = ["--judge", "steps", "--judge-model", "openai:scripted"];
  const ended = await cli([...args, "--out", "judged-run", ...judge]);
  expect(ended.code, ended.err).toBe(0);
  const { judged, ...score } = JSON.parse(ended.out);
  expect(score).toMatchObject({ videomathqa_perception_score: 100 });
  expect(judged).toMatchObject({ kind: "steps", replies: 1 });
});
