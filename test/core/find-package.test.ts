import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findPackage, installCommand } from "../../src/core/find-package.ts";
import { tempFolder } from "../support/temp.ts";

const NAME = "@langchain/mistralai";

async function install(folder: string, exports: object): Promise<string> {
  const home = join(folder, "node_modules", NAME);
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), JSON.stringify({ name: NAME, exports }));
  for (const file of ["esm.js", "common.cjs"]) await writeFile(join(home, file), "");
  return home;
}

test("a package is found in the current folder or above it, by the entry for import", async () => {
  const folder = await tempFolder();
  const home = await install(folder, { require: "./common.cjs", import: "./esm.js" });
  const inside = join(folder, "a", "b");
  await mkdir(inside, { recursive: true });
  for (const from of [folder, inside])
    expect(findPackage(NAME, from)).toBe(pathToFileURL(join(home, "esm.js")).href);
});

test("a package of this program is found from any folder, one that nobody has from none", async () => {
  const folder = await tempFolder();
  expect(findPackage("@langchain/ollama", folder)).toMatch(/@langchain\/ollama\/dist\/index\.js$/);
  expect(findPackage(NAME, folder)).toBeNull();
});

test("a package that is installed later is found then", async () => {
  const folder = await tempFolder();
  expect(findPackage(NAME, folder)).toBeNull();
  await install(folder, { import: "./esm.js" });
  expect(findPackage(NAME, folder)).not.toBeNull();
});

test("the command installs globally only for a program that is installed globally", async () => {
  const project = await tempFolder();
  await writeFile(join(project, "package.json"), "{}");
  const within = (folder: string) => join(folder, "node_modules", "video-rrd", "dist", "src");
  expect(installCommand(NAME, within(project))).toBe(`npm install ${NAME}`);
  expect(installCommand(NAME, within(await tempFolder()))).toBe(`npm install -g ${NAME}`);
  expect(installCommand(NAME, join(project, "src"))).toBe(`npm install ${NAME}`);
});
