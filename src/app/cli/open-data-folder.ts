import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Store } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { storeAddress } from "../../storage/store-address.ts";

/** Opens the store of an existing data folder. Throws `Failure`: `not-found`, and those of `openStore`. */
export async function openDataFolder(data: string): Promise<Store> {
  const { openStore } = await import("../../storage/open.ts");
  const folder = resolve(data);
  if (storeAddress() !== null || existsSync(join(folder, "store.db"))) return openStore(folder);
  throw new Failure(
    "not-found",
    `There is no data folder in ${folder}: store.db is missing. Pass the folder of --data-dir.`,
    { folder },
  );
}
