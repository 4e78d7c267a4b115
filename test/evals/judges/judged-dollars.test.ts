import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgedDollars } from "../../../evals/judges/judged-dollars.ts";
import { tempFolder } from "../../support/temp.ts";
import { refusal } from "../run/run-fixtures.ts";

test("a damaged judgement is an error only where a limit counts it", async () => {
  const folder = await tempFolder();
  expect(await judgedDollars(folder, 1)).toBe(0);
  const judging = join(folder, "judgements", "steps");
  await mkdir(judging, { recursive: true });
  await writeFile(join(judging, "header.json"), "{}");
  expect(await judgedDollars(folder, null)).toBe(0);
  expect(await refusal(judgedDollars(folder, 1))).toMatchObject({ kind: "data-malformed" });
});
