import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../../../src/app/cli/commands.ts";
import { mayNameModules } from "../../../src/app/cli/may-name-modules.ts";
import { withModules } from "../../../src/app/cli/module-arguments.ts";
import { createProgram } from "../../../src/app/cli/program.ts";
import { plainVideo } from "../../evals/run/run-fixtures.ts";
import { runCli } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

/* `.ts` is the extension of an MPEG transport stream, and `.js` may be anywhere in a name. */

/** Their first argument names a benchmark, or a YAML file. */
const NO_VIDEO = ["eval", "attribute", "describe", "sweep"];
const VIDEO = ["video.ts", "Node.js intro.mp4", "--out", "clips.js"];

let folder: string;
const before = process.cwd();
beforeAll(async () => {
  folder = await tempFolder();
  await plainVideo(join(folder, "video.mp4"), 2);
  for (const name of ["video.ts", "Node.js intro.mp4"])
    await copyFile(join(folder, "video.mp4"), join(folder, name));
  // A text names a module only if the file exists.
  process.chdir(folder);
});
afterAll(() => process.chdir(before));

const light = COMMANDS.filter(({ definitions }) => definitions === false).map(({ name }) => name);

test.each([...light, "--version"])("%s names no modules", (name) => {
  expect(mayNameModules([name, ...VIDEO], COMMANDS)).toBe(false);
});

test.each(
  COMMANDS.map(({ name }) => name).filter((name) => ![...NO_VIDEO, ...light].includes(name)),
)("%s loads no file that is not named as a module", async (name) => {
  const argv = [name, ...VIDEO];
  expect(mayNameModules(argv, COMMANDS)).toBe(true);
  expect(await withModules(argv, createProgram)).toEqual(argv);
});

test.each([
  [["probe", "video.ts"], /160x120/],
  [["probe", "Node.js intro.mp4"], /160x120/],
  [["frames", "video.mp4", "--frames", "1", "--out", "clips.js"], /clips\.js/],
  [["shots", "video.ts"], /1\.000 s/],
  [["index", "video.ts", "--ocr", "off"], /00:00/],
])("%j reads the video", async (args, printed) => {
  const { code, out, err } = await runCli(folder, args);
  expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringMatching(printed) });
});
