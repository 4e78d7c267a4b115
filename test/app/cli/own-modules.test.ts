import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainVideo } from "../../evals/run/run-fixtures.ts";
import { CLI } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { OWN_MODULES, writeFiles } from "../../support/own-modules.ts";
import { tempFolder } from "../../support/temp.ts";

/* The commands with files of a user, from a folder that has nothing to do with the project. */

let folder: string;
let server: ModelServer;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  await writeFiles(folder, OWN_MODULES);
  await writeFiles(folder, { "data/videos/.keep": "" });
  await plainVideo(join(folder, "data/videos/film.mp4"), 2);
});
afterAll(() => server?.close());

async function videoRrd(...args: string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [CLI, ...args], {
    cwd: folder,
    reject: false,
    env: { OPENAI_API_KEY: "sk-none", OPENAI_BASE_URL: server.url },
  });
  return { code: exitCode, out: stdout, err: stderr };
}
const film = () => join(folder, "data/videos/film.mp4");
const path = (name: string) => join(folder, name);
const sha256 = async (name: string) =>
  createHash("sha256")
    .update(await readFile(path(name)))
    .digest("hex");
const header = async (run: string) =>
  JSON.parse(await readFile(path(`${run}/header.json`), "utf8"));

test("a strategy's own settings are flags, in help and on the command line, and its calls reach the model", async () => {
  const asking = ["--options", "x", "y", "--model", "openai:any", "--frames", "1", "--json"];
  const [help, asked] = await Promise.all([
    videoRrd("ask", "--help", "--strategy", "./code/vote.ts"),
    videoRrd("ask", film(), "Which?", "--strategy=code/vote.ts", "--votes-rounds", "3", ...asking),
  ]);
  expect(help.out).toMatch(
    /--votes-rounds <number>\s+calls that vote \(default: 2; read by vote\)/,
  );
  expect(asked, asked.err).toMatchObject({ code: 0 });
  expect(JSON.parse(asked.out).answer).toMatchObject({ answer: "A", usage: { calls: 3 } });
  expect(server.chats()).toHaveLength(3);
});

test("a module that ends the process or never loads, and a strategy that never answers, are named", async () => {
  const strategy = `import { defineStrategy } from "video-rrd";
    export default defineStrategy({ name: "waits", summary: "s", approach: "other", shows: "nothing",
      tasks: ["choice"], reads: [], roles: [], run: () => new Promise(() => {}) });`;
  await writeFiles(folder, {
    "code/ends.ts": "process.exit(0);",
    "code/hangs.ts": "await new Promise(() => {});\nexport const x = 1;",
    "code/waits.ts": strategy,
  });
  const asked = (file: string) =>
    videoRrd("ask", film(), "Which?", "--options", "x", "y", "--strategy", `./code/${file}`);
  const [ends, hangs, waits] = await Promise.all(["ends.ts", "hangs.ts", "waits.ts"].map(asked));
  for (const [name, ended] of [
    ["ends", ends],
    ["hangs", hangs],
  ] as const) {
    expect(ended?.err).toContain(
      `Cannot load ./code/${name}.ts: it ended the process, or never finishes loading.`,
    );
    expect(ended?.code).toBe(1);
  }
  expect(waits?.err).toContain(
    "The strategy waits ended the process, or waits for something that never happens.",
  );
  expect(waits?.code).toBe(1);
});

describe("a run with own modules", () => {
  const flags = ["--module", "code/bench.ts", "--module", "code/vote.ts"];

  beforeAll(async () => {
    const { code, err } = await videoRrd(
      ...["eval", "./code/bench.ts", "--strategy", "./code/vote.ts", "--out", "run"],
      ...["--model", "openai:any", "--frames", "1"],
    );
    expect(code, err).toBe(1);
    expect(err).toContain(
      `eval --resume run --module ${path("code/vote.ts")} --module ${path("code/bench.ts")}`,
    );
  });

  test("fails only the question for which its code throws, and says where", async () => {
    const lines = (await readFile(path("run/samples.jsonl"), "utf8")).trim().split("\n");
    const read = lines.map((line) => JSON.parse(line));
    const [right, broken] = read.sort((a, b) => (a.sample < b.sample ? -1 : 1));
    expect(right).toMatchObject({ sample: "a", answer: "A", scores: { sound: { value: 1 } } });
    expect(broken).toMatchObject({
      sample: "b",
      error: {
        kind: "code-failed",
        message: `The strategy vote failed: TypeError: a mistake of mine (${path("code/vote.ts")}:19).`,
      },
    });
  });

  test("records each file outside node_modules with its hash, and names, not paths, as settings", async () => {
    const { modules, settings, benchmark } = await header("run");
    const [vote, words, bench] = ["code/vote.ts", "code/parts/words.ts", "code/bench.ts"] as const;
    expect(modules).toEqual([
      { path: path(vote), sha256: await sha256(vote), named: true },
      { path: path(words), sha256: await sha256(words) },
      { path: path(bench), sha256: await sha256(bench), named: true },
    ]);
    expect([benchmark, settings.strategy]).toEqual(["tiny", "vote"]);
  });

  test("executes no file that only its folder names, and says which flags to repeat", async () => {
    const marked = `${OWN_MODULES["code/bench.ts"]}\nimport { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n`;
    await writeFiles(folder, { "code/bench.ts": marked });
    const commands = [
      ["score", "run"],
      ["report", "run"],
    ];
    for (const { code, err } of await Promise.all(commands.map((args) => videoRrd(...args)))) {
      expect(code).toBe(2);
      expect(err).toBe(
        `run was made with code of yours, which is run only if you name it. Its replies cannot be scored without it: add --module ${path("code/vote.ts")} --module ${path("code/bench.ts")}.`,
      );
    }
    await writeFiles(folder, OWN_MODULES);
    const resumed = await videoRrd("eval", "--resume", "run", "--module", "code/vote.ts");
    expect(resumed).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Cannot resume it.*bench/),
    });
    expect(existsSync(path("ran"))).toBe(false);
    const { code, out } = await videoRrd("score", "run", "--module", "code/bench.ts", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out).video_rrd.all).toMatchObject({ right: 1, all: 2 });
    const studied = await videoRrd("study", "frontier", "run", "--by", "frames", ...flags);
    expect(studied.err).toContain("give at least two");
  });

  test("does not resume with a file that has changed or is missing, and names it", async () => {
    await writeFiles(folder, { "code/parts/words.ts": 'export const SUMMARY = "Changed.";\n' });
    const changed = await videoRrd("eval", "--resume", "run", ...flags);
    expect(changed.err).toBe(
      `Cannot resume ${path("run")}: ${path("code/parts/words.ts")} has changed since the run started. Restore it, or start a new run.`,
    );
    await rename(path("code/parts/words.ts"), path("code/parts/moved.ts"));
    const missing = await videoRrd("eval", "--resume", "run", "--module", "code/bench.ts");
    expect(missing.err).toContain(
      `${path("code/parts/words.ts")}, which the run was started with, is`,
    );
    await writeFiles(folder, OWN_MODULES);
    const resumed = await videoRrd("eval", "--resume", "run", ...flags);
    expect(resumed.err).toContain("1 error");
  });
});

test("a sweep takes files in YAML, and needs them again when it continues", async () => {
  const grid = `base: { benchmark: ./code/bench.ts, sample_id: a, model: openai:any, recognition: { frames: 1 } }
axes: { strategy: [blind, ./code/vote.ts] }`;
  await writeFile(path("grid.yaml"), grid);
  const swept = await videoRrd("sweep", "grid.yaml", "--out", "sweep", "--json");
  expect(swept, swept.err).toMatchObject({ code: 0 });
  const { runs } = JSON.parse(swept.out);
  expect(runs.map(({ name }: { name: string }) => name)).toEqual([
    "1-strategy=blind",
    "2-strategy=vote",
  ]);
  const { err } = await videoRrd("sweep", "--resume", "sweep");
  expect(err).toMatch(
    /^sweep was made with code of yours.*add --module .*bench\.ts --module .*vote\.ts\.$/,
  );
});

test("a tool with a description file is offered together with the others, and --prompts replaces its words", async () => {
  server.reset();
  server.answer(({ toolResults, tools }) => {
    if (!tools.some(({ name }) => name === "loudness"))
      return { toolCalls: [{ name: "answer", arguments: { answer: "A" } }] };
    return toolResults.length > 1
      ? { toolCalls: [{ name: "answer", arguments: { answer: "A" } }] }
      : { toolCalls: [{ name: "loudness", arguments: { from_s: 1 } }] };
  });
  await writeFiles(folder, { "words/agent/tools/loudness.md": "Measures sound.\n" });
  const { code, err } = await videoRrd(
    ...[
      "ask",
      film(),
      "Which?",
      "--options",
      "x",
      "y",
      "--strategy",
      "agent",
      "--model",
      "openai:any",
    ],
    ...["--tools", "./code/loudness.ts,zoom", "--prompts", "words", "--no-verify", "--ocr", "off"],
  );
  expect(err).not.toContain("Cannot");
  const [first] = server.chats();
  expect([code, first?.tools.map(({ name }) => name)]).toEqual([0, ["zoom", "loudness", "answer"]]);
  expect(JSON.stringify(first?.tools)).toContain("Measures sound.");
  server.answer(() => "A");
});

test("a module in a folder of `npm init`, whose files are CommonJS, is loaded with its CommonJS files", async () => {
  await writeFiles(folder, {
    "npm/package.json": `{ "name": "mine", "type": "commonjs" }`,
    "npm/old.js": `module.exports = { words: \`\n  export it\` };\n`,
    "npm/parts/words.ts": `import { twice } from "../twice.js";\nexport const SUMMARY: string = twice;\n`,
    "npm/twice.js": `import old from "./old.js";\nexport const twice = old.words.trim().repeat(2);\n`,
    "npm/vote.ts": OWN_MODULES["code/vote.ts"] ?? "",
  });
  const { code, out, err } = await videoRrd("ask", "--help", "--strategy", "npm/vote.ts");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/--votes-rounds <number>\s+calls that vote/);
});

test("a file that cannot be loaded is one sentence with file and line", async () => {
  const strategy = `import { defineStrategy } from "video-rrd";
const own = (name: string) => defineStrategy({ name, summary: "", approach: "other", shows: "nothing",
  tasks: ["choice"], reads: [], roles: [], run: async () => ({ answer: "A" }) });
`;
  const files: Record<string, [text: string, refusal: string]> = {
    "./bad/parse.ts": [
      "const a = 1;\n\nexport default { a: ;\n",
      "parse.ts:3: Expression expected.",
    ],
    "./bad/parse.js": [
      "export const a = 1;\nexport default { a: ;\n",
      "parse.js:2: Unexpected token ';'.",
    ],
    "./bad/inner.ts": ['import "./parse.js";\n', "parse.js:2: Unexpected token ';'."],
    "./bad/enum.ts": [
      "\nenum Colour { Red }\nexport default Colour;\n",
      "enum.ts:2: TypeScript enum is not supported in strip-only mode. Node runs TypeScript by removing its types: write it without enum, namespace and parameter properties.",
    ],
    "./bad/throws.ts": [
      "const a: any = null;\nexport default a.b;\n",
      "throws.ts:2: TypeError: Cannot read properties of null (reading 'b').",
    ],
    "./bad/name.ts": [
      'import { nothing } from "video-rrd";\n',
      "name.ts:1: The requested module 'video-rrd' does not provide an export named 'nothing'.",
    ],
    "./bad/part.ts": [
      '\nimport "video-rrd/parts";\n',
      "part.ts:2: Cannot find 'video-rrd/parts': use video-rrd, video-rrd/testing or video-rrd/client.",
    ],
    "./bad/package.ts": [
      '\nimport "no-such-package";\n',
      "package.ts:2: Cannot find package 'no-such-package'. Install it next to the file or in the current folder.",
    ],
    "./bad/nothing.ts": [
      "export const a = 1;\n",
      "nothing.ts: it exports no definition. Export one, for example `export default defineStrategy({ ... })`.",
    ],
    "./bad/direct.ts": [
      `${strategy}export default own("direct");\n`,
      'direct.ts: it defines a strategy named "direct", which is built in. Choose another name.',
    ],
    "./bad/again.ts": [
      `${strategy}export default own("good");\n`,
      'again.ts: it defines a strategy named "good", which another loaded file has. Choose another name.',
    ],
    "./bad/answer.ts": [
      OWN_MODULES["code/loudness.ts"].replace('"loudness"', '"answer"'),
      'answer.ts:5: Invalid name of a tool "answer": an agent answers by a call of this name. Choose another name.',
    ],
    "./node_modules/own-letters/typed.ts": [
      "export const a = 1;\n",
      "typed.ts: Node does not run TypeScript below a node_modules folder. Move the file out of it, or compile it to JavaScript.",
    ],
    "./bad/installed.ts": [
      'import "own-letters/typed.ts";\n',
      "typed.ts: Node does not run TypeScript below a node_modules folder. Move the file out of it, or compile it to JavaScript.",
    ],
    "./bad/words.py": [
      "print()\n",
      "words.py: use a file with the extension .ts, .mts, .js, .mjs.",
    ],
  };
  const texts = Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, text]));
  await writeFiles(folder, {
    ...texts,
    "good.ts": `${strategy}export default own("good");\n`,
    "node_modules/own-letters/package.json": '{"name":"own-letters","type":"module"}',
  });
  const loader = join(import.meta.dirname, "../../support/load-modules.ts");
  const names = ["good.ts", ...Object.keys(files), "./bad/missing.ts"];
  const { stdout, stderr } = await execa(process.execPath, [loader, ...names], { cwd: folder });
  const refused = JSON.parse(stdout);
  expect(refused["good.ts"]).toBe("good");
  for (const [name, [, refusal]] of Object.entries(files)) {
    expect(refused[name][0], refused[name]).toBe("wrong-usage");
    expect(refused[name][1].replace(/^Cannot load .*?([\w-]+\.\w+(:\d+)?: )/, "$1")).toBe(refusal);
  }
  expect(refused["./bad/missing.ts"][1]).toBe(
    "Cannot load ./bad/missing.ts: the file does not exist.",
  );
  expect(stderr).toBe("");
});

const strategyThat = (run: string) => `
import { defineStrategy } from "video-rrd";
export default defineStrategy({
  name: "wrong", summary: "Goes wrong.", approach: "other", shows: "nothing",
  tasks: ["choice"], reads: [], roles: [],
  async run(question: any): Promise<any> { ${run} },
});
`;

test.each([
  ["throws null", "throw null;", "The strategy wrong failed: it threw null."],
  [
    "does not await a promise that is rejected",
    `if (question.text.includes("broken")) void Promise.reject(new Error("too early"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { answer: "A" };`,
    `A promise that the strategy wrong did not await failed: Error: too early (PATH:6).`,
  ],
  [
    "returns another shape",
    `return question.text.includes("broken") ? { answer: { answer: "A" } } : { answer: "A" };`,
    "The strategy wrong returned a wrong `answer`: use a text, a list of clip numbers, or null.",
  ],
])("a strategy that %s fails only that question", async (name, run, message) => {
  const file = `code/${name.replaceAll(" ", "-")}.ts`;
  await writeFiles(folder, { [file]: strategyThat(run) });
  const { code, err } = await videoRrd(
    ...["eval", "./code/bench.ts", "--strategy", `./${file}`, "--out", `runs/${name}`],
  );
  expect(code, err).toBe(1);
  const lines = (await readFile(path(`runs/${name}/samples.jsonl`), "utf8")).trim().split("\n");
  const read = lines.map((line) => JSON.parse(line));
  const [first, broken] = read.sort((a, b) => (a.sample < b.sample ? -1 : 1));
  expect(broken.error).toMatchObject({
    kind: "code-failed",
    message: expect.stringContaining(message.replace("PATH", path(file))),
  });
  if (name !== "throws null") expect(first).toMatchObject({ answer: "A", status: "answered" });
});
