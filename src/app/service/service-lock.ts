import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../core/contracts.ts";
import { Failure, isFailure, toFailure } from "../../core/errors.ts";
import type { Replica, Replicas } from "../../core/replicas.ts";
import { blobPlace } from "../../storage/blobs/blob-place.ts";
import { lockFolder } from "../../storage/folder-lock.ts";
import { serviceFolder } from "../../storage/paths.ts";

interface Lock {
  release(): Promise<void>;
}

/** The right of a command that removes data. */
const REMOVAL = "removal of data";

/** How long a service that starts waits for the right, and between two attempts. */
const JOIN_MS = 3_000;
const PAUSE_MS = 50;

/**
 * Excludes services, and commands that remove data, while a command removes data. Throws `Failure` `store-busy`.
 */
export async function lockService(store: Store): Promise<Lock> {
  const { replicas } = store;
  if (replicas === null) return lockOwnFolder(store.folder);
  const lock = await takeRemoval(store);
  const count = (await replicas.list()).length;
  if (count === 0) return lock;
  await lock.release();
  throw new Failure(
    "store-busy",
    `A service is using the store (${count} running). Stop it first, or remove the video on its page or with DELETE /api/v1/videos/ID.`,
    { services: count },
  );
}

async function lockOwnFolder(folder: string): Promise<Lock> {
  const own = serviceFolder(folder);
  await mkdir(own, { recursive: true });
  try {
    return lockFolder(own);
  } catch (error) {
    if (!isFailure(error, "store-busy")) throw error;
    throw new Failure(
      "store-busy",
      `A service is using ${folder}. Stop it first, or remove the video on its page or with DELETE /api/v1/videos/ID.`,
      error.facts,
      { cause: error },
    );
  }
}

/**
 * Registers a service: the only one of a data folder, or one of several on a database that find the same files.
 * Throws `Failure`: `store-busy`, `wrong-usage` (another service has other files).
 */
export async function joinServices(store: Store): Promise<Lock> {
  const own = serviceFolder(store.folder);
  await mkdir(own, { recursive: true });
  const { replicas } = store;
  if (replicas === null) return lockFolder(own);
  await registerReplica(store, replicas, own);
  // A command that removes data has either seen this service, or is seen here. Services that start together wait a moment.
  await (await takeRemoval(store, JOIN_MS)).release();
  return { release: async () => {} };
}

async function registerReplica(store: Store, replicas: Replicas, own: string): Promise<void> {
  const here = { folder: await folderId(own), blobs: blobPlace()?.address ?? null };
  const other = (await replicas.join(here)).find((one) => !hasSameFiles(one, here));
  if (other === undefined) return;
  throw new Failure(
    "wrong-usage",
    `Another service on this database keeps videos in ${other.blobs ?? "its own data folder"}, and this one in ${here.blobs ?? store.folder}. Pass the same --blobs to all of them, or the same --data-dir on a shared disk. A service that was killed on another machine counts for 30 s.`,
    { other: other.blobs, own: here.blobs },
  );
}

function hasSameFiles(one: Replica, other: Replica): boolean {
  const isBucket = (place: string | null) => place?.startsWith("s3:") ?? false;
  if (one.blobs === null || other.blobs === null)
    return one.blobs === other.blobs && one.folder === other.folder;
  // A folder may be mounted at different paths.
  return one.blobs === other.blobs || !(isBucket(one.blobs) || isBucket(other.blobs));
}

/** Identifies a data folder, whatever its path on a machine is. */
async function folderId(own: string): Promise<string> {
  const file = join(own, "id");
  try {
    await writeFile(file, randomUUID(), { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    return await readFile(file, "utf8");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${file}`);
  }
}

async function takeRemoval({ claims }: Store, wait_ms = 0): Promise<Lock> {
  const until = performance.now() + wait_ms;
  let release = await claims?.take(REMOVAL);
  while (release === null && performance.now() < until) {
    await sleep(PAUSE_MS);
    release = await claims?.take(REMOVAL);
  }
  if (release === null)
    throw new Failure(
      "store-busy",
      "Another command is removing data of the store. Wait for it to end.",
    );
  return { release: async () => release?.() };
}
