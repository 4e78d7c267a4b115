import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plainVideo } from "../../evals/run/run-fixtures.ts";
import { type Runner, startRunner } from "../../support/docs/runner.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

/* Each example runs through the command line from another folder, and `init` writes it under another name. */

const root = join(import.meta.dirname, "../../..");
const examples = join(root, "examples");
const KINDS = ["strategy", "tool", "benchmark", "scorer", "judge", "provider"] as const;
const ASK = `ask film.mp4 "Does it rain?" --options yes no maybe --frames 2`;
const ASK_DATA = `eval ${examples}/data.jsonl --videos . --strategy direct --frames 1`;

let server: ModelServer;
let runner: Runner;
let folder: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  runner = await startRunner({
    root,
    folder: await tempFolder(),
    env: { OPENAI_API_KEY: "sk-not-a-key", OPENAI_BASE_URL: server.url },
    addresses: {},
  });
  await mkdir(join(folder, "videos"));
  await plainVideo(join(folder, "film.mp4"), 2);
  for (const name of ["videos/clip.mp4", "lesson.mp4", "procedure.mp4"])
    await cp(join(folder, "film.mp4"), join(folder, name));
  await cp(join(examples, "films.json"), join(folder, "films.json"));
});
afterAll(async () => {
  await runner?.close();
  await server?.close();
});

/** The JSON that a command prints. */
async function json(command: string) {
  const { code, out, err } = await runner.shell(`video-rrd ${command} --json`, folder);
  expect(code, `${command}\n${out}${err}`).toBe(0);
  return JSON.parse(out);
}

/** The score that an `eval` prints. */
async function score(command: string) {
  const [found] = Object.values(await json(command));
  return found as {
    all: { right: number; accuracyAnswered: number; ofAll: { mean: number } };
    groups: object[];
  };
}

test("a strategy votes over five calls", async () => {
  server.reset();
  const letters = ["B", "A", "B", "C", "B"];
  server.answer(({ index }) => letters[index % letters.length] ?? "");
  const { answer } = await json(`${ASK} --strategy ${examples}/strategy.ts --model openai:votes`);
  expect(answer).toMatchObject({ answer: "B", confidence: 0.6, usage: { calls: 5, frames: 10 } });
  const sent = server.chats().map(({ images, temperature }) => [images.length, temperature]);
  expect(sent).toEqual(Array(5).fill([2, 0.7]));
});

test("a tool shows the sharpest frame of a part", async () => {
  server.reset();
  server.answer(({ toolCalls }) =>
    toolCalls.length === 0
      ? { toolCalls: [{ name: "my_tool", arguments: { from_s: 0, to_s: 0.9, seen: "" } }] }
      : { toolCalls: [{ name: "answer", arguments: { answer: "A", evidence: ["E1"] } }] },
  );
  await json(
    `${ASK} --strategy agent --tools ${examples}/tool.ts --ocr off --no-verify --model openai:tools`,
  );
  const [first, second] = server.chats();
  expect(first?.tools.map(({ name }) => name)).toContain("my_tool");
  expect((second?.images.length ?? 0) - (first?.images.length ?? 0)).toBe(1);
});

test("a benchmark reads its own layout", async () => {
  server.answer(({ texts }) => (texts.join(" ").includes("rain") ? "A" : "It is an umbrella."));
  const { all, groups } = await score(
    `eval ${examples}/benchmark.ts --data films.json --strategy direct --frames 1 --model openai:any --out runs/films`,
  );
  expect(all).toMatchObject({ right: 2, all: 2 });
  expect(groups).toContainEqual(
    expect.objectContaining({ kind: "topic", group: "weather", right: 2 }),
  );
});

test("a scorer gives partial credit, and a judge reads the replies of any benchmark", async () => {
  server.answer(({ texts }) => (texts.join(" ").includes("sides") ? "take away four" : "B"));
  const { all, groups } = await score(
    `${ASK_DATA} --limit 3 --scorer open=${examples}/scorer.ts --model openai:any --out runs/data`,
  );
  expect(all.right).toBe(2);
  expect(all.ofAll.mean).toBeCloseTo((1 + 1 + 2 / 3) / 3, 9);
  expect(all.accuracyAnswered).toBeCloseTo(all.ofAll.mean, 9);
  expect(groups).toContainEqual(expect.objectContaining({ kind: "task", group: "open", all: 1 }));
  server.answer(({ texts }) =>
    JSON.stringify({ why: "", gives_reason: /<<<data\nB\ndata>>>/.test(texts.join(" ")) }),
  );
  const judged = await json(
    `judge runs/data --kind ${examples}/judge.ts --module ${examples}/scorer.ts --judge-model openai:any`,
  );
  expect(judged).toMatchObject({ judged: 3, with_reason: 2 });
});

test("a provider sends words and pictures in a protocol of its own", async () => {
  server.reset();
  server.answer(() => ({ text: "B", usage: { input: 40, output: 1 } }));
  const { answer } = await json(
    `${ASK} --strategy direct --model ${examples}/provider.ts:qwen --base-url http://127.0.0.1:${server.port}`,
  );
  expect(answer).toMatchObject({ answer: "B", usage: { input: 40, output: 1 } });
  const [sent] = server.chats();
  expect(sent).toMatchObject({ protocol: "ollama", model: "qwen" });
  expect(sent?.images.map((image) => image.subarray(0, 2).toString("hex"))).toEqual([
    "ffd8",
    "ffd8",
  ]);
  expect(sent?.texts.join("\n")).toContain("Does it rain?");
});

test("init writes each example under another name, and overwrites nothing", async () => {
  for (const kind of KINDS) {
    const written = await json(`init ${kind} rain-2 --out ${kind}`);
    expect(written.files[0]).toBe(join(folder, kind, "rain-2.ts"));
    const text = await readFile(join(folder, kind, "rain-2.ts"), "utf8");
    expect(text).toContain(`"${kind === "tool" ? "rain_2" : "rain-2"}"`);
    expect(text).not.toMatch(/my[-_ ](strategy|tool|benchmark|scorer|judge|provider)/i);
  }
  const tried = await json("init benchmark rain");
  expect(tried.try).toBe(
    "video-rrd eval ./rain.ts --data ./rain.json --strategy random --out runs/rain",
  );
  expect((await runner.shell(tried.try, folder)).code).toBe(0);

  const { try: first } = await json("init tool rain-1");
  const shown =
    'video-rrd ask demo-out/lesson.mp4 "What is x?" --strategy agent --tools ./rain-3.ts --model openai:gpt-4.1 --show-request';
  expect(first).toBe(`video-rrd demo && ${shown.replace("rain-3", "rain-1")}`);
  await mkdir(join(folder, "demo-out"));
  await cp(join(folder, "film.mp4"), join(folder, "demo-out/lesson.mp4"));
  expect((await json("init tool rain-3")).try).toBe(shown);
  server.reset();
  const tries = [shown];
  for (const kind of ["strategy", "provider"] as const)
    tries.push((await json(`init ${kind} shown-${kind}`)).try);
  for (const command of tries) {
    const { code, out } = await runner.shell(command, folder);
    expect([code, JSON.parse(out).method], command).toEqual([0, "POST"]);
  }
  expect(server.chats()).toEqual([]);

  const before = await readFile(join(folder, "judge/rain-2.ts"), "utf8");
  const refusals = [
    ["judge rain-2 --out judge", /^Cannot write rain-2\.ts: .* has a file of this name\. .+\n$/],
    ["tool zoom", /^Invalid name "zoom": a tool of this name is built in\. .+\n$/],
    ["tool ../x", /^Invalid name "\.\.\/x": use letters, digits and dashes,/],
    ["thing x", /^Invalid kind "thing": use one of strategy, tool,/],
  ] as const;
  for (const [given, message] of refusals) {
    const { code, err } = await runner.shell(`video-rrd init ${given}`, folder);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  }
  expect(await readFile(join(folder, "judge/rain-2.ts"), "utf8")).toBe(before);
});
