import type { Claims, UploadRow } from "../../core/contracts.ts";
import { httpProblem, notFound } from "./problems.ts";

/** Lets one request at a time change an upload, in all processes of a store. */
export interface UploadLock {
  /** Whether this process changes the upload. */
  isBusy(id: string): boolean;
  /** Runs `work`. Throws a 409 problem if somebody else changes the upload. */
  run<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** The same with the row of the upload as it is now. Throws a 404 problem if it was removed. */
  runWithRow<T>(id: string, work: (row: UploadRow) => Promise<T>): Promise<T>;
  /** Runs `work` with the row as it is now, undefined if it is missing; does nothing if somebody else changes the upload. */
  tryRun(id: string, work: (row: UploadRow | undefined) => Promise<unknown>): Promise<void>;
}

export function createUploadLock(
  claims: Claims | null,
  rowOf: (id: string) => Promise<UploadRow | undefined>,
): UploadLock {
  const busy = new Set<string>();

  async function attempt<T>(id: string, work: () => Promise<T>): Promise<{ value: T } | null> {
    if (busy.has(id)) return null;
    busy.add(id);
    try {
      const release = await claims?.take(`upload ${id}`);
      if (release === null) return null;
      try {
        return { value: await work() };
      } finally {
        await release?.();
      }
    } finally {
      busy.delete(id);
    }
  }

  async function run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = await attempt(id, work);
    if (done !== null) return done.value;
    throw httpProblem(
      409,
      "upload-busy",
      "Another request is writing to this upload. Wait for it to end.",
    );
  }

  return {
    isBusy: (id) => busy.has(id),
    run,
    runWithRow: (id, work) =>
      run(id, async () => {
        const row = await rowOf(id);
        if (row === undefined) throw notFound("an upload");
        return work(row);
      }),
    async tryRun(id, work) {
      await attempt(id, async () => work(await rowOf(id)));
    },
  };
}
