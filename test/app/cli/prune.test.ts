import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/storage/open.ts";
import { fill } from "../../storage/contracts/store.ts";
import { runCli } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

test("prune lists the bytes of each video, and removes videos whose files are deleted", async () => {
  const folder = await tempFolder();
  const [kept, gone] = ["a".repeat(64), "b".repeat(64)] as const;
  const store = await openStore(join(folder, "store"));
  for (const hash of [kept, gone]) {
    await fill(store, hash);
    const path = join(folder, `${hash[0]}.mp4`);
    await writeFile(path, "film");
    await store.catalogue.putVideo({ hash, path, size: 4, modified_ms: 1 });
  }
  await store.close();
  await rm(join(folder, "b.mp4"));
  const args = ["prune", "--data-dir", "store"];
  const planned = await runCli(folder, [...args, "--dry-run", "--json"]);
  const { videos, freed } = JSON.parse(planned.out);
  expect(freed).toBe(0);
  const bytes = Object.fromEntries(
    videos.map((one: { hash: string; bytes: number; gone: boolean }) => [one.hash, one]),
  );
  expect([bytes[kept].gone, bytes[gone].gone]).toEqual([false, true]);
  expect(bytes[gone].bytes).toBeGreaterThan(0);
  const done = await runCli(folder, args);
  expect([done.code, done.out]).toEqual([
    0,
    expect.stringContaining(`Removed ${bytes[gone].bytes} bytes of 1 video.`),
  ]);
  const after = await openStore(join(folder, "store"));
  expect((await after.derivedSize(gone)).bytes).toBe(0);
  expect((await after.derivedSize(kept)).bytes).toBe(bytes[kept].bytes);
  await after.close();
});
