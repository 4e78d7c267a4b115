import { stat, statfs } from "node:fs/promises";
import pLimit from "p-limit";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { Caller } from "./admission.ts";
import type { DerivedSize } from "./derived-size.ts";
import type { ServiceOptions } from "./options.ts";
import { refuse } from "./problems.ts";

/** Kept free for the store itself. */
const SPARE_BYTES = 16 * 2 ** 20;

type Limits = Pick<
  ServiceOptions,
  "upload_limit" | "quota" | "key_quota" | "open_uploads" | "upload_window" | "admission"
>;

/** Bytes that an upload being written may fill: what has arrived and a window, which grows as bytes come. */
interface Hold {
  owner: string;
  bytes: number;
}

export interface Used {
  /** Bytes of files and of what was derived from them, with the windows of open uploads. */
  bytes: number;
  /** Uploads that are not whole. */
  open: number;
}

/**
 * Room for uploads. An upload takes what has arrived and a window, never what it announces: a caller cannot shut others
 * out by announcing. What was derived from a video (frames, index, replies, events) counts for its owner.
 */
export function createQuota(
  store: Store,
  limits: Limits,
  fileOf: (id: string) => string,
  derived: DerivedSize,
) {
  const holds = new Map<string, Hold>();
  /** One at a time, so that each sees the room that those before it take. */
  const oneByOne = pLimit(1);

  async function used(): Promise<{ all: Used; of: (owner: string) => Used }> {
    const owners = new Map<string, Used>();
    const add = (owner: string, bytes: number, open: number) => {
      const one = owners.get(owner) ?? { bytes: 0, open: 0 };
      owners.set(owner, { bytes: one.bytes + bytes, open: one.open + open });
    };
    const rows = await store.service.uploads();
    for (const row of rows)
      if (row.video === null) add(row.owner, await windowOf(row), 1);
      else add(row.owner, row.size, 0);
    const noted = new Set(rows.map(({ id }) => id));
    for (const [id, { owner, bytes }] of holds) if (!noted.has(id)) add(owner, bytes, 1);
    const videos = new Map<string, Set<string>>();
    for (const { owner, video } of rows)
      if (video !== null) videos.set(owner, (videos.get(owner) ?? new Set()).add(video.hash));
    const hashes = new Set<string>();
    for (const [owner, of] of videos)
      for (const hash of of) {
        add(owner, await derived.of(hash), 0);
        hashes.add(hash);
      }
    const all = [...owners.values()].reduce(
      (sum, one) => ({ bytes: sum.bytes + one.bytes, open: sum.open + one.open }),
      { bytes: 0, open: 0 },
    );
    return { all, of: (owner) => owners.get(owner) ?? { bytes: 0, open: 0 } };
  }

  async function windowOf(row: UploadRow): Promise<number> {
    const held = holds.get(row.id)?.bytes;
    if (held !== undefined) return held;
    const arrived = (await stat(fileOf(row.id)).catch(() => null))?.size ?? 0;
    return Math.min(row.size, arrived + limits.upload_window);
  }

  /** Bytes that one caller may keep; null: only the limit of all callers together. */
  function mostOf({ limits: own }: Caller): number | null {
    return own.bytes ?? (limits.admission.by === "keys" ? limits.key_quota : null);
  }

  /** Throws a problem 507 unless `more` bytes fit, in addition to `mine`, which are counted already. */
  async function check(caller: Caller, more: number, mine: number): Promise<void> {
    const { all, of } = await used();
    const own = of(caller.owner).bytes - mine;
    const most = mostOf(caller);
    if (most !== null && own + more > most)
      throw refuse(
        507,
        "quota",
        `This key may keep ${most} bytes and ${own} are used. Remove a video first.`,
      );
    const { bavail, bsize } = await statfs(store.folder);
    if (more > Math.min(limits.quota - (all.bytes - mine), mine + bavail * bsize - SPARE_BYTES))
      throw refuse(507, "quota", "The service is full. Remove a video first.");
  }

  return {
    used,
    mostOf,
    /**
     * Checks that a file of `size` bytes (null: not announced) fits now, and runs `note`, which makes it known, before
     * the next one is checked. Throws a problem 413, 429 or 507.
     */
    async admit<T>(caller: Caller, size: number | null, note: () => Promise<T>): Promise<T> {
      if (size !== null && size > limits.upload_limit)
        throw refuse(
          413,
          "too-large",
          `The file has ${size} bytes; at most ${limits.upload_limit} are accepted.`,
        );
      return oneByOne(async () => {
        const { open } = (await used()).of(caller.owner);
        if (open >= limits.open_uploads)
          throw refuse(
            429,
            "too-many-uploads",
            `${open} uploads are open, the most at once. Finish or cancel one first.`,
          );
        await check(caller, size ?? Math.min(limits.upload_limit, limits.upload_window), 0);
        return note();
      });
    },
    /**
     * Makes sure that `id` may hold one window more than `arrived`, at most `size` bytes, and returns how many bytes that
     * is in all. Throws a problem 507.
     */
    async extend(id: string, caller: Caller, arrived: number, size: number): Promise<number> {
      return oneByOne(async () => {
        const bytes = Math.min(size, arrived + limits.upload_window);
        const row = await store.service.upload(id);
        const mine =
          holds.get(id)?.bytes ?? (row === undefined ? 0 : await windowOf({ ...row, video: null }));
        if (bytes > mine) await check(caller, bytes, mine);
        holds.set(id, { owner: caller.owner, bytes: Math.max(bytes, mine) });
        return bytes;
      });
    },
    /** Counts an upload that has no row, from `admit` on. */
    async hold(id: string, caller: Caller, bytes: number): Promise<void> {
      holds.set(id, { owner: caller.owner, bytes: Math.min(bytes, limits.upload_window) });
    },
    release: (id: string): boolean => holds.delete(id),
    /** Throws a problem 507 where a caller keeps more than it may: nothing more is derived for it. */
    async checkDerived(caller: Caller): Promise<void> {
      await check(caller, 0, 0);
    },
  };
}

export type Quota = ReturnType<typeof createQuota>;
