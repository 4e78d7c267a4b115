import pLimit from "p-limit";
import type { RemoteFile, Store } from "../core/contracts.ts";
import { isFailure, oneLine } from "../core/errors.ts";
import type { Settings } from "../core/settings.ts";
import { mediaRules } from "./media-rules.ts";
import { nameOf } from "./name.ts";
import { findTarget, type Target } from "./target.ts";
import { accountOf, filesOf, forgetUpload, usedTargets } from "./uploads.ts";

/* Deletes uploads once no run and no question needs them. */

const AT_ONCE = 4;

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
 * Runs `work`, and deletes its uploads at the provider once they are unused: after the last of the runs and questions
 * of this process, if no other process of the store uses them. Files that a killed process left are deleted too. A file
 * that cannot be deleted is reported, never thrown: it expires by itself.
 */
export async function withRemoteFiles<T>(
  { folder, remoteFiles }: Pick<Store, "folder" | "remoteFiles">,
  settings: Settings,
  report: (note: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  users.set(folder, (users.get(folder) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = (users.get(folder) ?? 1) - 1;
    users.set(folder, left);
    if (left === 0)
      for (const note of await deleteUnused(remoteFiles, uploadTargets(settings))) report(note);
  }
}

async function deleteUnused(
  remoteFiles: Store["remoteFiles"],
  targets: readonly Target[],
): Promise<string[]> {
  const accounts = new Map(
    [...targets, ...usedTargets()].map((target) => [
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
            if (file.expires_at > Date.now()) await filesOf(target).delete(target, file.name);
            await remoteFiles.drop(file);
            forgetUpload(file);
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
