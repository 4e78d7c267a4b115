import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeAtomically, writeAtomically } from "../../src/core/atomic-file.ts";
import type { Store } from "../../src/core/contracts.ts";
import { systemCode, toFailure } from "../../src/core/errors.ts";

/** What derived files need of a store; without `files` they are in the data folder. */
export type DerivedStore = Pick<Store, "derived"> & Partial<Pick<Store, "files">>;

/**
 * Path of a file derived from a video, whose `name` may begin with folders; undefined if it does not exist yet. It may be the
 * copy of a file that another machine made.
 */
export async function derivedPath(
  store: DerivedStore,
  video: string,
  name: string,
): Promise<string | undefined> {
  const local = join(await store.derived(video), name);
  if (store.files != null) {
    const shared = await store.files.path(video, sharedName(name));
    if (shared !== undefined) return shared;
    if (existsSync(local)) return keep(store, video, name, local);
    return undefined;
  }
  return existsSync(local) ? local : undefined;
}

/** Makes a derived file atomically with `make`, and returns its path. Other machines get it if the store keeps files for them. */
export async function makeDerived(
  store: DerivedStore,
  video: string,
  name: string,
  make: (draft: string) => unknown,
): Promise<string> {
  const path = join(await store.derived(video), name);
  await mkdir(dirname(path), { recursive: true });
  await makeAtomically(path, make);
  return keep(store, video, name, path);
}

/** Returns the bytes of a derived file, or undefined if the file does not exist yet. */
export async function readDerived(
  store: DerivedStore,
  video: string,
  name: string,
): Promise<Uint8Array | undefined> {
  const path = await derivedPath(store, video, name);
  try {
    return path === undefined ? undefined : await readFile(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw toFailure(error, "file-unreadable", `reading ${name} of a video`);
  }
}

/** Writes a derived file atomically, and returns its path. */
export async function writeDerived(
  store: DerivedStore,
  video: string,
  name: string,
  parts: Iterable<Uint8Array>,
): Promise<string> {
  const path = join(await store.derived(video), name);
  await writeAtomically(path, parts);
  return keep(store, video, name, path);
}

/** The file moves to where other machines find it. */
async function keep(
  { files }: DerivedStore,
  video: string,
  name: string,
  path: string,
): Promise<string> {
  if (files == null) return path;
  await files.put(video, sharedName(name), path);
  const copy = await files.path(video, sharedName(name));
  if (copy === undefined) return path;
  await rm(path, { force: true });
  return copy;
}

/** The rows of a video's files hold others too. */
function sharedName(name: string): string {
  return `derived/${name}`;
}
