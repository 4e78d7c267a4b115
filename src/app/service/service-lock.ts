import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../core/contracts.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure, isFailure, toFailure } from "../../core/errors.ts";
import type { ReplicaFiles, ReplicaRole, Replicas } from "../../core/replicas.ts";
import { blobPlace } from "../../storage/blobs/blob-place.ts";
import { lockFolder } from "../../storage/folder-lock.ts";
import { makeFolder } from "../../storage/make-folder.ts";
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
  const users = await replicas.list();
  if (users.length === 0) return lock;
  await lock.release();
  const workers = users.filter(({ role }) => role === "worker").length;
  const services = users.length - workers;
  throw new Failure(
    "store-busy",
    services === 0
      ? `Workers answer questions of the store (${workers} running). Stop them first.`
      : `A service is using the store (${services} running${workers === 0 ? "" : `, with ${countOf(workers, "worker")}`}). Stop it first, or remove the video on its page or with DELETE /api/v1/videos/ID.`,
    { services, workers },
  );
}

async function lockOwnFolder(folder: string): Promise<Lock> {
  const own = serviceFolder(folder);
  await makeFolder(own);
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
 * Registers a service: the only one of a data folder, or one of several on a database that find the same files and leave
 * their questions to the same processes. Throws `Failure`: `store-busy`, `wrong-usage` (another service has other files, or
 * another `--workers`).
 */
export async function joinServices(
  store: Store,
  role: Exclude<ReplicaRole, "worker"> = "service",
): Promise<Lock> {
  const own = serviceFolder(store.folder);
  await makeFolder(own);
  const { replicas } = store;
  if (replicas === null) return lockFolder(own);
  await registerReplica(store, replicas, role);
  // A command that removes data has either seen this service, or is seen here. Services that start together wait a moment.
  await (await takeRemoval(store, JOIN_MS)).release();
  return { release: async () => {} };
}

/** Registers a worker of the services of a store, whose questions it may then answer. Throws `Failure` `store-busy`. */
export async function joinAsWorker(store: Store, replicas: Replicas): Promise<void> {
  await replicas.join({ role: "worker", ...(await filesOf(store)) });
  try {
    await (await takeRemoval(store, JOIN_MS)).release();
  } catch (error) {
    await replicas.leave();
    throw error;
  }
}

/** Where a service or a worker looks for the files of videos. */
export async function filesOf({ folder }: Pick<Store, "folder">): Promise<ReplicaFiles> {
  const own = serviceFolder(folder);
  await makeFolder(own);
  return { folder: await folderId(own), blobs: shownPlace() };
}

async function registerReplica(store: Store, replicas: Replicas, role: ReplicaRole): Promise<void> {
  const here = { role, ...(await filesOf(store)) };
  const others = await replicas.join(here);
  const other = others.find((one) => !hasSameFiles(one, here));
  if (other !== undefined)
    throw new Failure(
      "wrong-usage",
      `Another service on this database keeps videos in ${other.blobs ?? "its own data folder"}, and this one in ${here.blobs ?? store.folder}. Pass the same --blobs and --blobs-endpoint to all of them, or the same --data-dir on a shared disk. A service that was killed on another machine counts for 30 s.`,
      { other: other.blobs, own: here.blobs },
    );
  if (others.every((one) => one.role === role || one.role === "worker")) return;
  const [mine, theirs] = role === "front" ? ["remote", "local"] : ["local", "remote"];
  throw new Failure(
    "wrong-usage",
    `Another service on this database was started with --workers ${theirs}, and this one with --workers ${mine}. Pass the same to all of them. A service that was killed on another machine counts for 30 s.`,
    { other: theirs, own: mine },
  );
}

const AT = " at ";

/** The place of blobs, and the server of a bucket that is not at AWS; null: the data folder. */
function shownPlace(): string | null {
  const place = blobPlace();
  if (place === null || !isBucket(place.address)) return place?.address ?? null;
  const endpoint = place.endpoint ?? process.env.AWS_ENDPOINT_URL_S3;
  const server = URL.parse(endpoint ?? "")?.origin;
  return server === undefined ? place.address : `${place.address}${AT}${server}`;
}

function isBucket(place: string): boolean {
  return place.startsWith("s3:");
}

/** Whether two processes find the same files of videos. */
export function hasSameFiles(one: ReplicaFiles, other: ReplicaFiles): boolean {
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
