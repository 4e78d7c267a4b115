import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBatchFile } from "../../../src/models/batch/batch-file.ts";
import { onFullDisk } from "../../support/full-disk.ts";
import { tempFolder } from "../../support/temp.ts";

test("a line that a full disk takes only in part is an error, and is not left in the file", async () => {
  const path = join(await tempFolder(), "batch.jsonl");
  const file = await createBatchFile(path);
  const add = (body: string) => file.append({ before: '{"body":', after: "}" }, body, body.length);
  await add("1");
  await onFullDisk(12, async () => {
    await expect(add('"a long question"')).rejects.toMatchObject({ kind: "disk-full" });
  });
  await add("2");
  await file.close();
  expect(await readFile(path, "utf8")).toBe('{"body":1}\n{"body":2}\n');
});
