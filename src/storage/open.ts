import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Store } from "../core/contracts.ts";
import { Failure } from "../core/errors.ts";
import { type BlobPlace, blobPlace } from "./blobs/blob-place.ts";
import { makeFolder } from "./make-folder.ts";
import { restoreMarker, temporaryFolder } from "./paths.ts";
import { postgresEngine } from "./postgres/engine.ts";
import { sqliteEngine } from "./sqlite/engine.ts";
import { storeAddress } from "./store-address.ts";
import { sweepTemporary } from "./temporary.ts";

const ENGINES = [sqliteEngine, postgresEngine];

/**
 * Opens the store in `folder` and creates the folder if it is missing. Any number of processes may share it. With the
 * address of a database (`postgres://user@host/database`), its rows are there, and `folder` holds only the files; the
 * default is the environment variable `VIDEO_RRD_STORE` or the file in `VIDEO_RRD_STORE_FILE`, and without them SQLite in
 * the folder (`null`). With `blobs`, frames and clips are in a bucket or another folder; the default is the environment
 * variable `VIDEO_RRD_BLOBS`, and without it the data folder (`null`).
 * Throws `Failure`: `store-busy` (a backup is being restored into it), `store-format` (a newer store, another program's
 * database), `store-damaged`, `store-unreachable`, `wrong-usage` (an address), `package-missing`,
 * `file-unreadable`, `disk-full`.
 */
export async function openStore(
  folder: string,
  address: string | null = storeAddress(),
  blobs: BlobPlace | null = blobPlace(),
): Promise<Store> {
  const root = resolve(folder);
  const engine = ENGINES.find(({ accepts }) => accepts(address));
  if (engine === undefined) {
    const forms = ENGINES.flatMap(({ form }) => form ?? []);
    throw new Failure("wrong-usage", `Invalid --store: use ${forms.join(" or ")}.`, { forms });
  }
  checkRestored(root);
  await makeFolder(temporaryFolder(root));
  const store = await engine.open(root, address, blobs);
  try {
    await sweepTemporary(root);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function checkRestored(root: string): void {
  if (!existsSync(restoreMarker(root))) return;
  throw new Failure(
    "store-busy",
    `A restore into ${root} has not ended. Run the same \`video-rrd restore\` again, or choose another folder.`,
    { folder: root },
  );
}
