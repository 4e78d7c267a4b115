import type { Store } from "../core/contracts.ts";
import type { BlobPlace } from "./blobs/blob-place.ts";

/** A database that a store can keep its rows in. Its folder holds everything that knows it. */
export interface StoreEngine {
  /** Form of its addresses, for messages and `--help`; null: the engine that is used without an address. */
  form: string | null;
  /** Whether an address is for this engine. */
  accepts(address: string | null): boolean;
  /** Opens the store with the data folder `root`, which exists. The bytes of blobs are in `blobs`; null: in `root`. */
  open(root: string, address: string | null, blobs: BlobPlace | null): Promise<Store>;
}
