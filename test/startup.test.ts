import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { plainVideo } from "./evals/run/run-fixtures.ts";
import { CLI } from "./support/command-line.ts";
import { tempFolder } from "./support/temp.ts";

/** Packages that every command may load. All others are loaded by the work that uses them. */
const LIGHT = [
  ...["commander", "zod", "jstat"],
  ...["p-limit", "yocto-queue", "p-retry", "is-network-error"],
];

const HOOK = `
import { registerHooks } from "node:module";
const packages = new Set();
registerHooks({
  load(url, context, next) {
    const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
process.on("exit", () => console.error(JSON.stringify([...packages])));
`;

test.each([
  ["--version", ["commander"]],
  ["--help", ["commander"]],
  ["ask --help", LIGHT],
  ["probe --help", LIGHT],
])("%s loads no package that it does not use", async (line, allowed) => {
  const hook = join(await tempFolder(), "hook.mjs");
  await writeFile(hook, HOOK);
  const { stderr } = await execa(process.execPath, ["--import", hook, CLI, ...line.split(" ")]);
  const loaded = JSON.parse(stderr) as string[];
  expect(loaded).toContain("commander");
  expect(loaded.filter((name) => !allowed.includes(name))).toEqual([]);
});

test("a question whose video is indexed loads no package for media, and no client of a provider", async () => {
  const folder = await tempFolder();
  const hook = join(folder, "hook.mjs");
  await writeFile(hook, HOOK);
  await plainVideo(join(folder, "lesson.mp4"), 2);
  await writeFile(
    join(folder, "lesson.srt"),
    "1\n00:00:00,000 --> 00:00:02,000\nA baker lit the lamp.\n",
  );
  const ask = [CLI, "ask", "lesson.mp4", "Who lit the lamp?", "--ocr", "off"];
  await execa(process.execPath, ask, { cwd: folder });
  const { stderr } = await execa(process.execPath, ["--import", hook, ...ask], { cwd: folder });
  const loaded = JSON.parse(stderr.slice(stderr.lastIndexOf("["))) as string[];
  expect(loaded).toContain("@langchain/langgraph");
  const heavy = ["sharp", "execa", "fluent-ffmpeg", "yaml", "langchain", "@langchain/openai"];
  expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
});

test.each([
  ["a home folder that cannot be written", { HOME: "/dev/null", XDG_CACHE_HOME: "" }],
  ["a cache folder that cannot be written", { XDG_CACHE_HOME: "/dev/null" }],
])("%s is no error", async (_what, env) => {
  const { stdout, stderr } = await execa(process.execPath, [CLI, "--version"], {
    env: { ...env, NODE_COMPILE_CACHE: undefined },
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+$/);
  expect(stderr).toBe("");
});
