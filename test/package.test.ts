import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { plainVideo } from "./evals/run/run-fixtures.ts";
import { startModelServer } from "./support/model-server.ts";
import { tempFolder } from "./support/temp.ts";

const root = join(import.meta.dirname, "..");
const exec = promisify(execFile);

const OWN_STRATEGY = `
import { HumanMessage } from "@langchain/core/messages";
import { defineStrategy, ownSettings, strategies } from "video-rrd";
import { startModelServer } from "video-rrd/testing";
import { z } from "zod";

const Votes = z.strictObject({ rounds: z.int().default(3).describe("rounds") });

export default defineStrategy({
  name: "own",
  summary: "Answers B.",
  approach: "other",
  shows: "nothing",
  tasks: ["choice"],
  reads: [],
  roles: [],
  settings: { votes: Votes },
  async run(_question, { settings }) {
    // The registry of the running program is the one that the module imports.
    const shared = strategies.find("own") !== undefined && typeof startModelServer === "function";
    const words = new HumanMessage("B").text;
    return { answer: words, diagnostics: { shared, ...ownSettings("votes", Votes)(settings) } };
  },
});
`;

test("the packed project installs globally, and runs in any folder", {
  timeout: 420_000,
}, async () => {
  const folder = await tempFolder();
  // On CI it is built already.
  const scripts = process.env.BUILT === "1" ? ["--ignore-scripts"] : [];
  const pack = ["pack", "--json", "--pack-destination", folder, ...scripts];
  const { stdout } = await exec("npm", pack, {
    cwd: root,
    // `npm test` has checked them.
    env: { ...process.env, TYPES_CHECKED: "1" },
    maxBuffer: 1 << 24,
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as {
    filename: string;
    files: { path: string }[];
  }[];
  const files = packed?.files.map((file) => file.path) ?? [];
  expect(
    files.filter((file) => file.endsWith(".md") && file.startsWith("dist/prompts/")),
  ).not.toEqual([]);
  expect(files).toContain("dist/evals/benchmarks/mmr-v/prompts/direct.md");
  expect(files).toContain("dist/src/pages/evidence-page.css");
  expect(files).toContain("dist/src/pages/palette.css");
  expect(files).toContain("dist/src/pages/service/app.js");
  expect(files).toContain("dist/src/pages/service/icons/search.svg");
  expect(files).toContain("dist/src/app/index.d.ts");
  expect(files).toContain("dist/src/testing/index.d.ts");
  expect(files).toContain("dist/src/client/index.d.ts");
  expect(files).toContain("dist/bundle/LICENSES.txt");
  expect(files.filter((file) => file.startsWith("tooling/"))).toEqual([]);
  expect(files).toContain("examples/strategy.ts");
  expect(files.filter((file) => /(^|\/)(test|node_modules|shared)\//.test(file))).toEqual([]);

  // The films of `demo` are made by the program; the made sets serve this project's own runs and tests.
  expect(files.filter((file) => /datasets\/demo\/.*\.js$/.test(file))).toEqual([
    "dist/evals/datasets/demo/lesson.js",
    "dist/evals/datasets/demo/procedure.js",
  ]);

  const prefix = join(folder, "global");
  const install = join(folder, "empty");
  const own = join(folder, "own");
  for (const made of [prefix, install, own]) await mkdir(made);
  await writeFile(
    join(install, "package.json"),
    '{"name":"empty","version":"1.0.0","type":"module"}',
  );
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  const tarball = join(folder, packed?.filename ?? "");
  const globally = ["--global", "--prefix", prefix];
  await exec("npm", ["install", ...globally, ...quiet, tarball], { maxBuffer: 1 << 24 });
  const modules = join(prefix, "lib/node_modules");
  // One installation serves both: a program imports the package from its own folder.
  await symlink(modules, join(install, "node_modules"));

  const bin = join(modules, "video-rrd/bin/video-rrd.js");
  const outcome = await exec(process.execPath, [bin, "demo", "--out", "out", "--json"], {
    cwd: install,
    maxBuffer: 1 << 24,
  });
  const demo = JSON.parse(outcome.stdout) as { answers: { answer: { status: string } }[] };
  expect(demo.answers.map(({ answer }) => answer.status)).toContain("answered");
  expect((await readdir(join(install, "out"))).sort()).toContain("lesson.mp4");

  // A user's own strategy, in a folder that has no packages at all.
  const bare = join(folder, "bare");
  await mkdir(bare);
  await writeFile(join(bare, "own.ts"), OWN_STRATEGY);
  const film = join(install, "out/lesson.mp4");
  const asked = await exec(
    process.execPath,
    [bin, "ask", film, "Which?", "--options", "a", "b", "--json", "--strategy", "./own.ts"],
    { cwd: bare },
  );
  expect(JSON.parse(asked.stdout).answer).toMatchObject({
    answer: "B",
    diagnostics: { shared: true, rounds: 3 },
  });

  const library = await exec(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      'const rrd = await import("video-rrd"); console.log(Object.keys(rrd).join(" "))',
    ],
    { cwd: install },
  );
  for (const name of [
    "ask",
    "probe",
    "sampleFrames",
    "findTitleCards",
    "readSubtitles",
    "searchEvidence",
    "videoQaGraph",
  ])
    expect(library.stdout.split(/\s+/)).toContain(name);

  // The page's libraries are found from the installed package, wherever npm put them.
  const page = await exec(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      'import { serviceAsset, servicePage } from "./service-page.js"; const at = /assets.(\\w+)/.exec(servicePage())[1]; const { body } = serviceAsset(at + "/page.js"); console.log(["preact", "preact/hooks", "htm"].map((name) => body.includes(name)).join(), body.length > 50_000)',
    ],
    { cwd: join(modules, "video-rrd/dist/src/pages") },
  );
  expect(page.stdout.trim()).toBe("true,true,true true");

  const wrong = `import { type Answer, ask, simulateOrdering } from "video-rrd";
const { answer }: { answer: Answer } = await ask("a.mp4", { options: ["a", "b"] });
const letter: number = answer.answer;
export const rows: string[] = await simulateOrdering({ error: 0.1, bias: 1 });
export { letter };
`;
  const programs = { "right.ts": await libraryExample(), "wrong.ts": wrong };
  expect(await typeErrors(install, programs)).toEqual(["wrong.ts:2", "wrong.ts:3", "wrong.ts:4"]);

  await useOwnDefinitions(bin, own);
});

/** What a user does after a global installation, in a folder without any: a definition of each kind, tried together. */
async function useOwnDefinitions(bin: string, folder: string): Promise<void> {
  const server = await startModelServer(({ tools, toolCalls, texts }) => {
    if (texts.join(" ").includes("gives_reason")) return '{"why": "", "gives_reason": true}';
    if (tools.length === 0) return "A";
    const call = (name: string, given: object) => ({ toolCalls: [{ name, arguments: given }] });
    return toolCalls.length === 0
      ? call("my_tool", { from_s: 0, to_s: 0.9, seen: "" })
      : call("answer", { answer: "A", evidence: ["E1"] });
  });
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: server.url };
  const cli = async (...args: string[]) => {
    const { stdout } = await exec(process.execPath, [bin, ...args, "--json"], { cwd: folder, env });
    return JSON.parse(stdout);
  };
  const address = ["--base-url", `http://127.0.0.1:${server.port}`];
  await plainVideo(join(folder, "film.mp4"), 1);
  for (const kind of ["strategy", "tool", "benchmark", "scorer", "judge", "provider"])
    await cli("init", kind, `my-${kind}`);
  const run = [
    ...["eval", "./my-benchmark.ts", "--data", "my-benchmark.json", "--out", "run"],
    ...["--strategy", "./my-strategy.ts", "--scorer", "open=./my-scorer.ts"],
  ];
  await mkdir(join(folder, "videos"));
  await cp(join(folder, "film.mp4"), join(folder, "videos/clip.mp4"));
  await cli(...run, "--model", "./my-provider.ts:qwen", ...address);
  const judge = ["--kind", "./my-judge.ts", "--judge-model", "./my-provider.ts:qwen", ...address];
  const modules = ["./my-benchmark.ts", "./my-scorer.ts"].flatMap((one) => ["--module", one]);
  expect(await cli("judge", "run", ...judge, ...modules)).toMatchObject({ with_reason: 2 });
  const search = ["--strategy", "agent", "--tools", "./my-tool.ts", "--ocr", "off"];
  const asked = ["ask", "film.mp4", "Does it rain?", "--options", "yes", "no"];
  await cli(...asked, ...search, "--model", "openai:any");
  expect(server.chats().map(({ protocol }) => protocol)).toContain("ollama");
  expect(server.chats().flatMap(({ toolResults }) => toolResults).length).toBeGreaterThan(0);
  await server.close();
  expect(await typeErrors(folder)).toEqual([]);
}

/** The first example of the library's page, as a TypeScript user would begin with it. */
async function libraryExample(): Promise<string> {
  const [, example] =
    /```ts\n([\s\S]+?)```/.exec(await readFile(join(root, "docs/library.md"), "utf8")) ?? [];
  expect(example).toContain('from "video-rrd"');
  return `${example}\nconst seconds: number[] = evidence.items.map((item) => item.start_s);\nexport { answer, cards, clips, seconds };\n`;
}

/** Places of errors where strict programs that use the installed package are compiled; or a folder by its config. */
async function typeErrors(
  folder: string,
  programs?: Readonly<Record<string, string>>,
): Promise<string[]> {
  for (const [name, text] of Object.entries(programs ?? {}))
    await writeFile(join(folder, name), text);
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const strict = "--noEmit --strict --target es2024 --skipLibCheck".split(" ");
  const options = ["--module", "nodenext", "--moduleResolution", "nodenext"];
  const given = programs === undefined ? ["-p", "."] : [...strict, ...options];
  const { stdout } = await exec(
    process.execPath,
    [tsc, "--singleThreaded", ...given, ...Object.keys(programs ?? {})],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  const found = [...stdout.matchAll(/^(.+?)(?:\((\d+),\d+\))?: error /gm)];
  return [...new Set(found.map(([, file, line]) => `${file}:${line}`))];
}

test("an older Node gets one sentence before anything is imported", async () => {
  const folder = await tempFolder();
  const bin = join(root, "bin/video-rrd.js");
  const script = (await readFile(bin, "utf8")).replace("process.versions.node", '"20.11.0"');
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "cli.js"), script.replaceAll("process.versions.node", '"20.11.0"'));
  const failed = await exec(process.execPath, [join(folder, "cli.js"), "--version"]).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr).toMatch(
    /^video-rrd needs Node 24 or later, and this is Node 20\.11\.0: .+\n$/,
  );
});
