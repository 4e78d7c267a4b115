import type { Store } from "../../../src/core/contracts.ts";
import { tempFolder } from "../../support/temp.ts";

export type Open = (folder: string) => Promise<Store>;

/** Runs the body of a test with a store in a folder of its own, and closes the store. */
export async function useStore(
  open: Open,
  body: (store: Store, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await tempFolder();
  const store = await open(folder);
  try {
    await body(store, folder);
  } finally {
    await store.close();
  }
}
