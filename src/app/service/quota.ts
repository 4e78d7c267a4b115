import { statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { Caller } from "./auth.ts";
import type { DerivedSize } from "./derived-size.ts";
import type { ServiceOptions } from "./options.ts";
import { httpProblem } from "./problems.ts";
import type { UploadFiles } from "./upload-files/contract.ts";

/** Bytes of the disk that stay free for the database. */
const SPARE_BYTES = 16 * 2 ** 20;

type Limits = Pick<
  ServiceOptions,
  "upload_limit" | "quota" | "key_quota" | "open_uploads" | "upload_window" | "auth"
>;

/** The bytes of an upload in progress that count as used: those that arrived and a window, which moves with them. */
interface Reservation {
  owner: string;
  bytes: number;
}

export interface StorageUse {
  /** Bytes of files, of the data derived from them, and of the windows of open uploads. */
  bytes: number;
  /** Unfinished uploads. */
  open: number;
}

/**
 * Storage quotas. An upload counts with the bytes that arrived and a window, never with its announced size, so that
 * announced sizes cannot block other callers. Data derived from a video (frames, index, replies, events) counts for its
 * owner.
 */
export function createQuota(
  store: Store,
  limits: Limits,
  files: Pick<UploadFiles, "arrived">,
  derived: DerivedSize,
) {
  const reservations = new Map<string, Reservation>();
  /** Serialises reservations, so that each counts the ones before it. */
  const oneByOne = pLimit(1);

  /** `counted`: only data that is counted already. */
  async function used(counted = false): Promise<{
    all: StorageUse;
    of: (owner: string) => StorageUse;
    /** Owners that store something, in alphabetical order. */
    owners: string[];
  }> {
    const owners = new Map<string, StorageUse>();
    const add = (owner: string, bytes: number, open: number) => {
      const one = owners.get(owner) ?? { bytes: 0, open: 0 };
      owners.set(owner, { bytes: one.bytes + bytes, open: one.open + open });
    };
    const rows = await store.service.uploadSizes();
    for (const row of rows)
      if (row.video === null) add(row.owner, await windowOf(row), 1);
      else add(row.owner, row.size, 0);
    const stored = new Set(rows.map(({ id }) => id));
    for (const [id, { owner, bytes }] of reservations) if (!stored.has(id)) add(owner, bytes, 1);
    const videos = new Map<string, Set<string>>();
    for (const { owner, video } of rows)
      if (video !== null) videos.set(owner, (videos.get(owner) ?? new Set()).add(video));
    const hashes = new Set<string>();
    for (const [owner, of] of videos)
      for (const hash of of) {
        add(owner, counted ? derived.known(hash) : await derived.of(hash), 0);
        hashes.add(hash);
      }
    const all = [...owners.values()].reduce(
      (sum, one) => ({ bytes: sum.bytes + one.bytes, open: sum.open + one.open }),
      { bytes: 0, open: 0 },
    );
    return {
      all,
      of: (owner) => owners.get(owner) ?? { bytes: 0, open: 0 },
      owners: [...owners.keys()].sort(),
    };
  }

  async function windowOf(row: Pick<UploadRow, "id" | "size" | "owner">): Promise<number> {
    const reserved = reservations.get(row.id)?.bytes;
    if (reserved !== undefined) return reserved;
    const open = { ...row, name: "", created_at: 0, video: null };
    const arrived = (await files.arrived(open))?.bytes ?? 0;
    return Math.min(row.size, arrived + limits.upload_window);
  }

  /** Bytes that one caller may store; null: no limit except the total quota. */
  function limitOf({ limits: own }: Caller): number | null {
    return own.bytes ?? (limits.auth.by === "keys" ? limits.key_quota : null);
  }

  /** Throws a 507 problem unless `more` bytes fit. `mine`: bytes that are counted already and are replaced by `more`. */
  async function check(caller: Caller, more: number, mine: number): Promise<void> {
    const { all, of } = await used();
    const own = of(caller.owner).bytes - mine;
    const limit = limitOf(caller);
    if (limit !== null && own + more > limit)
      throw httpProblem(
        507,
        "quota",
        `This key may store ${limit} bytes and uses ${own}. Remove a video first.`,
      );
    if (more > limits.quota - (all.bytes - mine))
      throw httpProblem(
        507,
        "quota",
        "The storage quota of the service is used up. Remove a video first.",
      );
    const { bavail, bsize } = await statfs(store.folder);
    const free = Math.max(0, bavail * bsize - SPARE_BYTES);
    if (more - mine > free)
      throw httpProblem(
        507,
        "disk-full",
        `The disk of the service has room for ${free} bytes more, and the upload needs at least ${more - mine}. Remove a video, or have the operator free some space.`,
      );
  }

  return {
    used,
    /** As `used`, within about this time: after a start, the data of thousands of videos takes longer to count. */
    usedWithin: (ms: number) => Promise.race([used(), delay(ms).then(() => used(true))]),
    limitOf,
    /**
     * Checks that a file of `size` bytes (null: not announced) fits, and runs `register`, which makes it count, before
     * the next check. Throws a 413, 429 or 507 problem.
     */
    async reserve<T>(caller: Caller, size: number | null, register: () => Promise<T>): Promise<T> {
      if (size !== null && size > limits.upload_limit)
        throw httpProblem(
          413,
          "too-large",
          `The file has ${size} bytes. The limit is ${limits.upload_limit} bytes.`,
        );
      return oneByOne(async () => {
        const { open } = (await used()).of(caller.owner);
        if (open >= limits.open_uploads)
          throw httpProblem(
            429,
            "too-many-uploads",
            `${open} uploads are open, which is the limit. Finish or cancel one first.`,
          );
        await check(caller, size ?? Math.min(limits.upload_limit, limits.upload_window), 0);
        return register();
      });
    },
    /**
     * Reserves one window after `arrived` bytes for the upload `id`, at most `size` bytes, and returns the total bytes
     * reserved. Throws a 507 problem.
     */
    async extend(id: string, caller: Caller, arrived: number, size: number): Promise<number> {
      return oneByOne(async () => {
        const bytes = Math.min(size, arrived + limits.upload_window);
        const row = await store.service.upload(id);
        const mine = reservations.get(id)?.bytes ?? (row === undefined ? 0 : await windowOf(row));
        if (bytes > mine) await check(caller, bytes, mine);
        reservations.set(id, { owner: caller.owner, bytes: Math.max(bytes, mine) });
        return bytes;
      });
    },
    /** Counts an upload that has no row in the store. */
    async hold(id: string, caller: Caller, bytes: number): Promise<void> {
      reservations.set(id, { owner: caller.owner, bytes: Math.min(bytes, limits.upload_window) });
    },
    release: (id: string): boolean => reservations.delete(id),
    /** Throws a 507 problem if a caller exceeds its quota: no more data is derived for it. */
    async checkDerived(caller: Caller): Promise<void> {
      await check(caller, 0, 0);
    },
  };
}

export type Quota = ReturnType<typeof createQuota>;
