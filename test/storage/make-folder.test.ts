import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../src/storage/make-folder.ts";
import { openStore } from "../../src/storage/open.ts";
import { tempFolder } from "../support/temp.ts";

test("a folder is created with its parents, by any number of callers at once, and an existing one stays", async () => {
  const folder = join(await tempFolder(), "a/b/c");
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)));
  expect(existsSync(folder)).toBe(true);
  await makeFolder(folder);
});

test("a file in its place is reported, and nothing is created", async () => {
  const root = await tempFolder();
  await writeFile(join(root, "taken"), "");
  for (const path of [join(root, "taken"), join(root, "taken/below/it")])
    await expect(makeFolder(path)).rejects.toMatchObject({
      kind: "file-unreadable",
      message: `Cannot create the folder ${path}: a file with that name exists. Choose another folder.`,
    });
});

describe.skipIf(!existsSync("/proc/self"))("below /proc, where no folder can be created", () => {
  test.each(["/proc/nowhere", "/proc/nowhere/deep/er"])("%s is refused at once", async (path) => {
    for (const work of [makeFolder, openStore])
      await expect(work(path)).rejects.toMatchObject({
        kind: "file-unreadable",
        message: expect.stringMatching(
          /^Cannot create the folder \/proc\/nowhere.*: .+ \(E[A-Z]+\)\. Choose another folder\.$/,
        ),
      });
  });
});
