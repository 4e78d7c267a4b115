import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

test.each([
  { args: ["forget", "a".repeat(64), "--data-dir", "mistyped"] },
  { args: ["repair", "--data-dir", "mistyped"] },
  { args: ["prune", "--data-dir", "mistyped"] },
  { args: ["prune", "--data-dir", "mistyped", "--older-than", "30d", "--dry-run"] },
  { args: ["keys", "list", "--data-dir", "mistyped"] },
  { args: ["keys", "remove", "ann", "--data-dir", "mistyped"] },
  { args: ["export-reviews", "--data-dir", "mistyped", "--out", "reviewed"] },
  { args: ["usage", "mistyped"] },
])("$args.0 refuses a folder without a store, and makes none there", async ({ args }) => {
  const folder = await tempFolder();
  // The folder may exist: another one of the person.
  await mkdir(join(folder, "mistyped"));
  const { code, out, err } = await runCommand(folder, args);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toBe(
    `There is no data folder in ${join(folder, "mistyped")}: store.db is missing. Pass the folder of --data-dir.\n`,
  );
  expect(await readdir(join(folder, "mistyped"))).toEqual([]);
});

test("the first key makes the data folder", async () => {
  const folder = await tempFolder();
  const added = await runCommand(folder, ["keys", "add", "ann", "--data-dir", "new"]);
  expect(added.out).toMatch(/^vrrd_[\w-]{43}\n$/);
  const listed = await runCommand(folder, ["keys", "list", "--data-dir", "new", "--json"]);
  expect(JSON.parse(listed.out)).toMatchObject([{ name: "ann" }]);
});
