import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { allowFolders } from "../../../src/app/mcp/allowed-folders.ts";
import { tempFolder } from "../../support/temp.ts";

const top = await realpath(await tempFolder());
for (const folder of ["in/deep", "out"]) await mkdir(join(top, folder), { recursive: true });
for (const file of ["in/a.mp4", "in/deep/b.mp4", "out/c.mp4", "in/notes.txt"])
  await writeFile(join(top, file), "x");
await symlink(join(top, "out"), join(top, "in", "link"));
await symlink(join(top, "in"), join(top, "named"));

const none = async () => null;
const folders = await allowFolders([join(top, "named")], none);

test("files are found by relative and absolute paths, through a linked folder of the operator too", async () => {
  const a = join(top, "in", "a.mp4");
  for (const given of [
    "a.mp4",
    "deep/../a.mp4",
    a,
    join(top, "named", "a.mp4"),
    pathToFileURL(a).href,
  ])
    expect(await folders.resolve(given), given).toBe(a);
  expect((await folders.files()).map(({ path }) => path)).toEqual([a, join(top, "in/deep/b.mp4")]);
});

test("no path leads out of the folders", async () => {
  const step = fc.constantFrom("..", ".", "in", "out", "link", "named", "c.mp4", "a.mp4", "", "\0");
  const path = fc.array(step, { maxLength: 8 }).map((steps) => steps.join("/"));
  const given = fc.tuple(fc.constantFrom("", "/", `${top}/`, "file://", `file://${top}/`), path);
  await fc.assert(
    fc.asyncProperty(given, async ([start, rest]) => {
      const found = await folders.resolve(`${start}${rest}`).catch(() => null);
      expect(
        found === null || found === join(top, "in") || found.startsWith(join(top, "in/")),
      ).toBe(true);
      expect(found ?? "").not.toContain("out");
    }),
    { numRuns: 300 },
  );
});

test("a file outside is refused in the same words whether it exists or not", async () => {
  const messageFor = (name: string) =>
    folders
      .resolve(join(top, "out", name))
      .catch(({ message }: Error) => message.replace(name, ""));
  expect(await messageFor("c.mp4")).toBe(await messageFor("missing.mp4"));
});

test("without a folder, the message says how to allow one", async () => {
  const empty = await allowFolders([], none);
  await expect(empty.resolve("a.mp4")).rejects.toThrow("Start the server with --allow-folder");
  await expect(allowFolders([join(top, "in/a.mp4")], none)).rejects.toThrow("it is not a folder");
  await expect(allowFolders([join(top, "missing")], none)).rejects.toThrow("missing");
});
