import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAtomically, writeAtomically } from "../../src/core/atomic-file.ts";
import { Failure } from "../../src/core/errors.ts";
import { tempFolder } from "../support/temp.ts";

test("a reader sees a complete file while many processes write it, and no draft remains", async () => {
  const folder = await tempFolder();
  const file = join(folder, "state.json");
  const contents = Array.from({ length: 20 }, (_, i) => String(i).repeat(200_000));
  await writeAtomically(file, "");
  let writing = true;
  const seen = new Set<string>();
  const reading = (async () => {
    while (writing) seen.add(await readFile(file, "utf8"));
  })();
  await Promise.all(contents.map((text) => writeAtomically(file, text)));
  writing = false;
  await reading;
  for (const text of seen) expect(["", ...contents]).toContain(text);
  await writeAtomically(file, [Buffer.from("pa"), Buffer.from("rts")]);
  expect(await readFile(file, "utf8")).toBe("parts");
  expect(await readdir(folder)).toEqual(["state.json"]);
});

test("a failed write keeps the old file, leaves no draft, and names the file", async () => {
  const folder = await tempFolder();
  const file = join(folder, "state.json");
  await writeFile(file, "old");
  const full = new Failure("disk-full", "No room.");
  const made = makeAtomically(file, async (draft) => {
    await writeFile(draft, "half");
    throw full;
  });
  await expect(made).rejects.toBe(full);
  expect(await readFile(file, "utf8")).toBe("old");
  await mkdir(join(folder, "taken"));
  for (const wrong of [join(folder, "missing/state.json"), join(folder, "taken")])
    await expect(writeAtomically(wrong, "x")).rejects.toMatchObject({
      kind: "file-unreadable",
      message: expect.stringContaining(wrong),
    });
  expect((await readdir(folder)).sort()).toEqual(["state.json", "taken"]);
});
