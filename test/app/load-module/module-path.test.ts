import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readModuleFile, readModuleName } from "../../../src/app/load-module/module-path.ts";
import { listSettings } from "../../../src/core/settings.ts";
import { tempFolder } from "../../support/temp.ts";

test.each([
  ["./vote.ts", resolve("vote.ts"), null],
  ["../a b/vote.mts", resolve("../a b/vote.mts"), null],
  ["/code/vote.js", "/code/vote.js", null],
  ["~/vote.ts", join(homedir(), "vote.ts"), null],
  ["./vote.ts:second", resolve("vote.ts"), "second"],
  ["./provider.ts:org/model:free", resolve("provider.ts"), "org/model:free"],
  ["./a.ts/vote.ts:second", resolve("a.ts/vote.ts"), "second"],
  ["./vote", resolve("vote"), null],
])("%s is a file", (text, path, name) => {
  expect(readModuleName(text)).toMatchObject({ path, name });
});

test("a file without ./ has to exist", async () => {
  const file = join(await tempFolder(), "vote.ts");
  expect(readModuleName("no-such-file.ts")).toBeNull();
  await writeFile(file, "");
  expect(readModuleName(file)).toMatchObject({ path: file });
});

test("names of definitions and models are never files", () => {
  for (const { choices } of listSettings())
    for (const choice of choices ?? []) expect(readModuleName(choice), choice).toBeNull();
  const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
  const model = fc.tuple(part, part, part).map(([a, b, c]) => `${a}:${b}/${c}`);
  fc.assert(
    fc.property(model, (text) => {
      expect(readModuleName(text)).toBeNull();
    }),
  );
});

test("a data file is not a module", () => {
  for (const name of ["./data.jsonl", "../q.csv", "/x/y.parquet"])
    expect(readModuleFile(name), name).toBeNull();
  expect(readModuleFile("./bench.ts")).toMatchObject({ given: "./bench.ts" });
});
