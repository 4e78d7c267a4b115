import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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

test("a clone that was not built says how to build it; a module that a build lacks is named", async () => {
  const folder = await tempFolder();
  const bin = join(folder, "bin/video-rrd.js");
  await cp(join(import.meta.dirname, "../bin/video-rrd.js"), bin);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const start = async () => {
    const { exitCode, stdout, stderr } = await execa(process.execPath, [bin, "--version"], {
      reject: false,
    });
    return { exitCode, stdout, stderr };
  };
  expect(await start()).toEqual({
    ...{ exitCode: 1, stdout: "" },
    stderr: "video-rrd is not built: run `npm run build` in its folder.",
  });
  const main = join(folder, "dist/bundle/src/app/cli/main.js");
  await mkdir(dirname(main), { recursive: true });
  await writeFile(main, 'import "./gone.js";\n');
  expect(await start()).toMatchObject({
    ...{ exitCode: 1, stdout: "" },
    stderr: expect.stringMatching(/Cannot find module .*gone\.js/),
  });
  await writeFile(main, "export const main = (line) => console.log(line.join());\n");
  expect(await start()).toEqual({ exitCode: 0, stdout: "--version", stderr: "" });
});
