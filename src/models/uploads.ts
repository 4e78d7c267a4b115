import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import type { RemoteFile, Store } from "../core/contracts.ts";
import { isFailure } from "../core/errors.ts";
import { hashOf } from "../core/hash.ts";
import type { MediaSource } from "./attempt.ts";
import type { ChatRequest, Medium } from "./chat.ts";
import { providers } from "./define-provider.ts";
import { uploadsOf } from "./media-rules.ts";
import type { RemoteFileApi, RemoteFileState, Sending } from "./remote-files.ts";
import type { Target } from "./target.ts";

/*
 * Files at the provider, for requests that are too large with their media inside. One upload serves all calls of all
 * processes on a store while it exists. Its record is stored before the upload begins, so that after a kill the next
 * start uses or deletes it.
 */

export interface UploadWork extends Sending {
  store: Pick<Store, "memo" | "remoteFiles">;
  /** The file on this machine with a medium. */
  pathOf(medium: Medium): Promise<string>;
}

type Content = Pick<RemoteFile, "place" | "account" | "content">;

/** A file that would expire before a call on it has ended is uploaded again. */
const LEAST_LIFE_MS = 3_600_000;
const AT_ONCE = 4;

/** Bytes that this process stores at a provider at once: Gemini stores 20 GB per project. */
export const STORAGE = { most: 15 * 2 ** 30 };

interface SeenFile {
  target: Target;
  record: RemoteFile;
  bytes: number;
  /** Requests in flight that name it. */
  inUse: number;
}

/** Files that this process knows to exist, by address; the most recently used last. */
const seen = new Map<string, SeenFile>();

/**
 * Runs `send` with the addresses of the media that have to be uploaded, which are uploaded before. If the provider
 * reports a file as missing, it is uploaded again, once.
 */
export async function withUploads<T>(
  request: ChatRequest,
  target: Target,
  work: UploadWork,
  send: (uri: MediaSource["uri"]) => Promise<T>,
): Promise<T> {
  const media = uploadsOf(request, target);
  if (media.length === 0) return send(() => null);
  for (let again = false; ; again = true) {
    const uris = new Map<string, string>();
    const limit = pLimit(AT_ONCE);
    await Promise.all(
      media.map((medium) =>
        limit(async () => uris.set(medium.hash, await uriOf(medium, target, work))),
      ),
    );
    const end = beginUse([...uris.values()]);
    try {
      return await send((hash) => uris.get(hash) ?? null);
    } catch (error) {
      if (again || !isAboutAccess(error)) throw error;
      for (const uri of uris.values()) seen.delete(uri);
    } finally {
      end();
    }
  }
}

/** Marks these files as used by a request; the returned function ends the use. */
function beginUse(uris: readonly string[]): () => void {
  const files = uris.flatMap((uri) => {
    const file = seen.get(uri);
    if (file === undefined) return [];
    seen.delete(uri);
    seen.set(uri, file);
    file.inUse++;
    return [file];
  });
  return () => {
    for (const file of files) file.inUse--;
  };
}

/** Deletes the least recently used files that no request needs, until this many more bytes may be stored. */
async function makeRoom(bytes: number, { remoteFiles }: UploadWork["store"]): Promise<void> {
  let total = [...seen.values()].reduce((sum, file) => sum + file.bytes, bytes);
  for (const [uri, file] of seen) {
    if (total <= STORAGE.most) return;
    if (file.inUse > 0) continue;
    seen.delete(uri);
    total -= file.bytes;
    await remoteFiles.drop(file.record);
    // One that cannot be deleted expires by itself.
    await filesOf(file.target)
      .delete(file.target, file.record.name)
      .catch(() => undefined);
  }
}

function isAboutAccess(error: unknown): boolean {
  if (!isFailure(error, "model-rejected")) return false;
  return error.facts.status === 403 || error.facts.status === 404;
}

async function uriOf(medium: Medium, target: Target, work: UploadWork): Promise<string> {
  const { store, signal } = work;
  const at = { place: target.baseUrl, account: accountOf(target), content: medium.hash };
  const known = await usableAddress(at, store);
  if (known !== null) return known;
  // A memo step, so that one process at a time uploads. It is never stored, since the record describes the file.
  const step = {
    key: hashOf(["remote file", at]),
    tags: [medium.hash],
    run: randomUUID(),
    reusable: () => false,
    signal,
  };
  const { value } = await store.memo.once(step, (inner) =>
    findOrUpload(medium, at, target, { ...work, signal: inner }),
  );
  return value;
}

/** The address of a file that this process knows to exist. */
async function usableAddress(
  at: Content,
  { remoteFiles }: UploadWork["store"],
): Promise<string | null> {
  const file = await remoteFiles.find(at);
  if (file == null || file.uri === null || !seen.has(file.uri) || !isLasting(file)) return null;
  await remoteFiles.hold(file);
  return file.uri;
}

function isLasting({ expires_at }: RemoteFile): boolean {
  return expires_at > Date.now() + LEAST_LIFE_MS;
}

async function findOrUpload(
  medium: Medium,
  at: Content,
  target: Target,
  work: UploadWork,
): Promise<string> {
  const { remoteFiles } = work.store;
  const known =
    (await usableAddress(at, work.store)) ?? (await findExisting(medium, at, target, work));
  if (known !== null) return known;
  await makeRoom(medium.bytes ?? 0, work.store);
  const api = filesOf(target);
  const name = api.nameOf(`vrrd-${randomUUID().replaceAll("-", "")}`);
  const record = { ...at, name, uri: null, expires_at: Date.now() + api.life_ms };
  await remoteFiles.put(record);
  const path = await work.pathOf(medium);
  const file = await api.upload(target, { path, name, mime: medium.mime }, work);
  if (file.name !== name) await remoteFiles.drop(record);
  return storeWhenReady(file, medium, at, target, work);
}

/** The address of a file of another process, or of one that was killed, if the provider still has it. */
async function findExisting(
  medium: Medium,
  at: Content,
  target: Target,
  work: UploadWork,
): Promise<string | null> {
  const { remoteFiles } = work.store;
  const known = await remoteFiles.find(at);
  if (known === undefined) return null;
  const file = isLasting(known) ? await filesOf(target).get(target, known.name, work) : null;
  if (file !== null && file.state !== "broken")
    return storeWhenReady(file, medium, at, target, work);
  // One that is about to expire may still be in use elsewhere: it is left to expire.
  await remoteFiles.drop(known);
  return null;
}

/** Stores the record of a file that is at the provider, and returns its address once it can be used. */
async function storeWhenReady(
  file: RemoteFileState,
  { bytes = 0 }: Medium,
  at: Content,
  target: Target,
  work: UploadWork,
): Promise<string> {
  const { remoteFiles } = work.store;
  const api = filesOf(target);
  const expires_at = file.expires_at ?? Date.now() + api.life_ms;
  const record = { ...at, name: file.name, expires_at };
  await remoteFiles.put({ ...record, uri: null });
  const { uri } = await api.whenReady(target, file, work);
  await remoteFiles.put({ ...record, uri });
  seen.set(uri, { target, record: { ...record, uri }, bytes, inUse: 0 });
  return uri;
}

/** An id of the account, without its key. */
export function accountOf({ key, headers }: Target): string {
  return hashOf(["account", key, headers]).slice(0, 16);
}

/** The targets to which this process has uploaded. */
export function usedTargets(): Target[] {
  return [...seen.values()].map(({ target }) => target);
}

/** Notes that a file is gone. */
export function forgetUpload({ uri }: RemoteFile): void {
  if (uri !== null) seen.delete(uri);
}

/** The file interface of the provider of a model whose media rules allow uploads. */
export function filesOf({ provider }: Pick<Target, "provider">): RemoteFileApi {
  const { files } = providers.get(provider);
  if (files === undefined) throw new TypeError(`${provider} takes uploads but defines no files`);
  return files;
}
