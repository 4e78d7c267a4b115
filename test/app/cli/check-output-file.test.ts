import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkOutputFile } from "../../../src/app/cli/check-output-file.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

test("a file that can be written is left as it is, and a new one gets only its folder", async () => {
  const folder = await tempFolder();
  const old = join(folder, "old.html");
  await writeFile(old, "old page");
  await checkOutputFile(old);
  expect(await readFile(old, "utf8")).toBe("old page");
  await checkOutputFile(join(folder, "pages", "new.html"));
  expect(await readdir(join(folder, "pages"))).toEqual([]);
  await checkOutputFile("/dev/null");
});

test("a folder, and a file below another file, are refused", async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, "page.html"));
  await expect(checkOutputFile(join(folder, "page.html"))).rejects.toMatchObject({
    kind: "file-unreadable",
    facts: { code: "EISDIR" },
  });
  await writeFile(join(folder, "notes"), "");
  await expect(checkOutputFile(join(folder, "notes", "page.html"))).rejects.toThrow(
    `Cannot create the folder ${join(folder, "notes")}: a file with that name exists.`,
  );
});

test("ask refuses a page that cannot be written before it opens the video", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "notes"), "");
  const asked = ["ask", "missing.mp4", "Who speaks?", "--data-dir", "store"];
  const { code, out, err } = await runCommand(folder, [...asked, "--html", "notes/page.html"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain(`Cannot create the folder ${join(folder, "notes")}`);
  expect(existsSync(join(folder, "store"))).toBe(false);
});
