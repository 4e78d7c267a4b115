import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
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
