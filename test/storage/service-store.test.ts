import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { tempFolder } from "../support/temp.ts";
import { serviceStoreContract } from "./contracts/service-store.ts";
import { fill } from "./contracts/store.ts";

serviceStoreContract("SQLite and a folder", openStore);

test("a store of the first format is upgraded and keeps its content", async () => {
  const folder = await tempFolder();
  const first = await openStore(folder);
  await fill(first, "a".repeat(64));
  await first.close();
  const db = new DatabaseSync(join(folder, "store.db"));
  for (const table of ["uploads", "asked", "keys", "spent", "remote_files", "remote_holds"])
    db.exec(`DROP TABLE ${table}`);
  db.exec("PRAGMA user_version = 1");
  db.close();
  const again = await openStore(folder);
  expect(await again.service.uploads()).toEqual([]);
  expect(await again.memo.peek(`step of ${"a".repeat(64)}`, "run")).toBe(
    `reply on ${"a".repeat(64)}`,
  );
  await again.close();
});
