import { readSecret } from "../core/read-secret.ts";

/** The environment variable with the address of the database, which may hold a password. */
export const STORE_VARIABLE = "VIDEO_RRD_STORE";

let given: string | undefined;

/** Sets the address of the database for every store that this process opens without naming one. Undefined: by the environment. */
export function setStoreAddress(address: string | undefined): void {
  given = address;
}

/** The address from `--store`, or from the environment; null: SQLite in the data folder. Throws `Failure` `missing-key`. */
export function storeAddress(): string | null {
  return given ?? readSecret(STORE_VARIABLE)?.value ?? null;
}
