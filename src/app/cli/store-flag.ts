import { type Command, Option } from "commander";
import {
  BLOBS_CACHE_VARIABLE,
  BLOBS_VARIABLE,
  setBlobPlace,
} from "../../storage/blobs/blob-place.ts";
import { STORE_VARIABLE, setStoreAddress } from "../../storage/store-address.ts";

/** Commands that take the data folder as an argument and not as `--data-dir`. */
const BY_ARGUMENT = new Set(["audit", "usage"]);

/** Adds `--store` and `--blobs` to a command that opens a store. The address is kept out of the settings, which are stored and shown. */
export function addStoreFlag(command: Command): void {
  for (const inner of command.commands) addStoreFlag(inner);
  const opens = command.options.some(({ long }) => long === "--data-dir");
  if (!opens && !BY_ARGUMENT.has(command.name())) return;
  command.addOption(
    new Option(
      "--store <address>",
      `keep the rows of the store in PostgreSQL, such as postgres://user@host/database; files stay in the data folder (default: $${STORE_VARIABLE} or the file in $${STORE_VARIABLE}_FILE, which keep a password out of the list of processes; without them SQLite in the data folder)`,
    ),
  );
  if (opens) addBlobFlags(command);
}

/** Adds `--blobs` to a command. Credentials have no flag: they would be in the list of processes. */
export function addBlobFlags(command: Command): void {
  command
    .option(
      "--blobs <place>",
      `keep frames and clips in s3://bucket/prefix or in another folder, which several machines may share (default: $${BLOBS_VARIABLE}; without it the data folder)`,
    )
    .option(
      "--blobs-endpoint <url>",
      "the server of the bucket, such as http://127.0.0.1:9000 (default: $AWS_ENDPOINT_URL_S3; without it AWS)",
    )
    .option(
      "--blobs-cache <gb>",
      `size of the copies of a bucket's files in the data folder (default: $${BLOBS_CACHE_VARIABLE}, or 10)`,
    );
}

/** Makes the `--store` and `--blobs` of a command those of every store that it opens. */
export function applyStoreFlag(program: Command): void {
  program.hook("preAction", (_, command) => {
    const { store, blobs, blobsEndpoint, blobsCache } = command.opts();
    setStoreAddress(store);
    setBlobPlace({ blobs, blobsEndpoint, blobsCache });
  });
}
