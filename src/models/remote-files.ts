import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import type { RemoteFile, Store } from "../core/contracts.ts";
import { isFailure, oneLine } from "../core/errors.ts";
import { hashOf } from "../core/hash.ts";
import type { Settings } from "../core/settings.ts";
import type { MediaSource } from "./attempt.ts";
import type { ChatRequest, Medium } from "./chat.ts";
import {
  deleteFile,
  FILE_LIFE_MS,
  type GeminiFile,
  getFile,
  type Sending,
  uploadFile,
  whenActive,
} from "./gemini-files.ts";
import { geminiMime } from "./gemini-media.ts";
import { mediaRules, uploadsOf } from "./media-rules.ts";
import { nameOf } from "./name.ts";
import { findTarget, type Target } from "./target.ts";

/*
 * Files at the provider, for requests that are too large with their media inside. One upload serves all calls of all
 * processes on a store while it lives. Its record is kept before the upload begins, so that after a kill the next start
 * uses or deletes it.
 */

export interface UploadWork extends Sending {
  store: Pick<Store, "memo" | "remoteFiles">;
  /** The file on this machine that holds a medium. */
  pathOf(medium: Medium): Promise<string>;
}

type Content = Pick<RemoteFile, "place" | "account" | "content">;

/** A file that would expire before a call on it has ended is uploaded again. */
const LEAST_LIFE_MS = 3_600_000;
const AT_ONCE = 4;

/** Files that this process has seen alive, by address. */
const seen = new Map<string, Target>();

/**
 * Runs `send` with the addresses of the media that have to be uploaded, which are uploaded before. Where the provider
 * says that a file is gone, it is uploaded again, once.
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
    try {
      return await send((hash) => uris.get(hash) ?? null);
    } catch (error) {
      if (again || !isAboutAccess(error)) throw error;
      for (const uri of uris.values()) seen.delete(uri);
    }
  }
}

function isAboutAccess(error: unknown): boolean {
  if (!isFailure(error, "model-rejected")) return false;
  return error.facts.status === 403 || error.facts.status === 404;
}

async function uriOf(medium: Medium, target: Target, work: UploadWork): Promise<string> {
  const { store, signal } = work;
  const at = { place: target.baseUrl, account: accountOf(target), content: medium.hash };
  const known = await usable(at, store);
  if (known !== null) return known;
  // A step so that one process at a time does it; never kept, since what is known of the file is its record.
  const step = {
    key: hashOf(["remote file", at]),
    tags: [medium.hash],
    run: randomUUID(),
    reusable: () => false,
    signal,
  };
  const { value } = await store.memo.once(step, (inner) =>
    foundOrUploaded(medium, at, target, { ...work, signal: inner }),
  );
  return value;
}

/** The address of a file that this process knows to be alive. */
async function usable(at: Content, { remoteFiles }: UploadWork["store"]): Promise<string | null> {
  const file = await remoteFiles.find(at);
  if (file == null || file.uri === null || !seen.has(file.uri) || !isLasting(file)) return null;
  await remoteFiles.hold(file);
  return file.uri;
}

function isLasting({ expires_at }: RemoteFile): boolean {
  return expires_at > Date.now() + LEAST_LIFE_MS;
}

async function foundOrUploaded(
  medium: Medium,
  at: Content,
  target: Target,
  work: UploadWork,
): Promise<string> {
  const { remoteFiles } = work.store;
  const known = (await usable(at, work.store)) ?? (await foundAgain(at, target, work));
  if (known !== null) return known;
  const name = `files/vrrd-${randomUUID().replaceAll("-", "")}`;
  const record = { ...at, name, uri: null, expires_at: Date.now() + FILE_LIFE_MS };
  await remoteFiles.put(record);
  const path = await work.pathOf(medium);
  const upload = { path, name, mime: geminiMime(medium.mime) };
  const file = await uploadFile(target, upload, work);
  if (file.name !== name) await remoteFiles.drop(record);
  return whenKept(file, at, target, work);
}

/** The address of a file of another process, or of one that was killed, where the provider still has it. */
async function foundAgain(at: Content, target: Target, work: UploadWork): Promise<string | null> {
  const { remoteFiles } = work.store;
  const known = await remoteFiles.find(at);
  if (known === undefined) return null;
  const file = isLasting(known) ? await getFile(target, known.name, work) : null;
  if (file !== null && file.state !== "FAILED") return whenKept(file, at, target, work);
  // One that is about to expire may still be in use elsewhere: it is left to expire.
  await remoteFiles.drop(known);
  return null;
}

/** Keeps the record of a file that is at the provider, and returns its address once it can be used. */
async function whenKept(
  file: GeminiFile,
  at: Content,
  target: Target,
  work: UploadWork,
): Promise<string> {
  const { remoteFiles } = work.store;
  const expires_at = Date.parse(file.expirationTime ?? "") || Date.now() + FILE_LIFE_MS;
  const record = { ...at, name: file.name, expires_at };
  await remoteFiles.put({ ...record, uri: null });
  const { uri } = await whenActive(target, file, work);
  await remoteFiles.put({ ...record, uri });
  seen.set(uri, target);
  return uri;
}

/** Whose files they are, without telling the key. */
function accountOf({ key, headers }: Target): string {
  return hashOf(["account", headers["x-goog-api-key"] ?? key]).slice(0, 16);
}

/** Where the models of these settings may have uploads, as far as their keys are known. */
function uploadTargets(settings: Settings): Target[] {
  const names = (["recogniser", "reasoner", "verifier"] as const).map((role) =>
    nameOf(settings, role),
  );
  return [...new Set(names)].flatMap((name) => {
    if (name === null) return [];
    try {
      const target = findTarget(name, settings.runtime);
      return mediaRules(target).uploads ? [target] : [];
    } catch (error) {
      if (isFailure(error)) return [];
      throw error;
    }
  });
}

/** Runs and questions of this process that may use uploads, by data folder. */
const users = new Map<string, number>();

/**
 * Runs `work`, and deletes at the provider what was uploaded once nobody uses it: after the last of the runs and
 * questions of this process, if no other process of the store does. Files that a killed process left are deleted too.
 * What cannot be deleted is told, never thrown: it expires by itself.
 */
export async function withRemoteFiles<T>(
  { folder, remoteFiles }: Pick<Store, "folder" | "remoteFiles">,
  settings: Settings,
  tell: (note: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  users.set(folder, (users.get(folder) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = (users.get(folder) ?? 1) - 1;
    users.set(folder, left);
    if (left === 0)
      for (const note of await deleteUnused(remoteFiles, uploadTargets(settings))) tell(note);
  }
}

async function deleteUnused(
  remoteFiles: Store["remoteFiles"],
  targets: readonly Target[],
): Promise<string[]> {
  const accounts = new Map(
    [...targets, ...seen.values()].map((target) => [
      `${target.baseUrl} ${accountOf(target)}`,
      target,
    ]),
  );
  const notes: string[] = [];
  const limit = pLimit(AT_ONCE);
  for (const target of accounts.values()) {
    const files = await remoteFiles
      .release(target.baseUrl, accountOf(target))
      .catch((error: unknown) => {
        notes.push(`Could not look for uploaded files to delete: ${wordsOf(error)}`);
        return [];
      });
    await Promise.all(
      files.map((file) =>
        limit(async () => {
          try {
            if (file.expires_at > Date.now()) await deleteFile(target, file.name);
            await remoteFiles.drop(file);
            if (file.uri !== null) seen.delete(file.uri);
          } catch (error) {
            notes.push(notDeleted(file, error));
          }
        }),
      ),
    );
  }
  return notes;
}

function notDeleted({ name, place, expires_at }: RemoteFile, error: unknown): string {
  const why = wordsOf(error);
  const until = new Date(expires_at).toISOString().slice(0, 16).replace("T", " ");
  return `Could not delete the uploaded file ${name} at ${place} (${why}). The next run tries again; it expires on ${until} UTC.`;
}

function wordsOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error), 120);
}
