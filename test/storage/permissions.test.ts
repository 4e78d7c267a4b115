import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { tempFolder } from "../support/temp.ts";

const NOBODY = 65_534;
const OPEN = new URL("../../src/storage/open.ts", import.meta.url);

/** The message with which another user, or the owner without permissions, fails to open a store. */
async function refusal(folder: string): Promise<string> {
  const script = `
    const { openStore } = await import(${JSON.stringify(OPEN.href)});
    if (process.getuid() === 0) process.setuid(${NOBODY});
    await openStore(${JSON.stringify(folder)}).then(
      () => console.log("opened"),
      ({ kind, message }) => console.log(kind + ": " + message),
    );`;
  const args = ["--input-type=module", "-e", script];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

test("a store that this user may not write is refused as that, and not as a read-only disk", async () => {
  const root = await tempFolder();
  await chmod(root, 0o755);
  const folder = join(root, "store");
  await (await openStore(folder)).close();
  const file = join(folder, "store.db");
  const refused = (path: string) =>
    `file-unreadable: No permission to write ${path} (EACCES). Run the command as the user who owns it, or choose another folder with --data-dir.`;
  await chmod(file, 0o444);
  expect(await refusal(folder)).toBe(refused(file));
  await chmod(file, 0o666);
  await chmod(folder, 0o555);
  expect(await refusal(folder)).toBe(refused(folder));
  await chmod(root, 0o555);
  const other = join(root, "other", "tmp");
  expect(await refusal(join(root, "other"))).toBe(
    `file-unreadable: Cannot create the folder ${other}: no permission to write there (EACCES). Choose another folder.`,
  );
  await chmod(folder, 0o755);
  await chmod(root, 0o755);
});
