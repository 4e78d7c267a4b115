import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { foldText } from "../../core/library/fold-text.ts";
import {
  LIBRARY_KINDS,
  type LibraryHit,
  type LibraryIndex,
  type LibraryKind,
  type LibrarySearch,
  type LibraryText,
  RANKED_MOST,
} from "../../core/library/library-index.ts";
import { splitUnspaced } from "../../core/unspaced-text.ts";
import { guard, transaction } from "./transaction.ts";

type Row = Record<string, unknown>;

/** An id is `owner * 2^32 + count * 2^3 + kind`, below 2^52. */
const KIND_BITS = 2 ** 3;
const OWNER_BITS = 2 ** 32;

/** Names and tags come first, and have no time. */
const FIRST_TIMED_KIND = 2;

/** Texts removed per transaction: overwriting a text in all parts of the index takes milliseconds. */
const REMOVED_AT_ONCE = 10;

/** A match in a name or tag counts this many times one in a text of the video. */
const NAME_WEIGHT = 2;

/** The index of texts with SQLite's FTS5. */
export function createLibraryIndex(db: DatabaseSync): LibraryIndex {
  const ownerNumber = db.prepare("SELECT number FROM library_owners WHERE owner = ?");
  const addOwner = db.prepare("INSERT OR IGNORE INTO library_owners (owner) VALUES (?)");
  const lastOf = db.prepare("SELECT max(id) AS id FROM library_texts WHERE id >= ? AND id < ?");
  const ownerOf = db.prepare("SELECT owner FROM uploads WHERE id = ? AND hash IS NOT NULL");
  const textsOf = db.prepare("SELECT * FROM library_texts WHERE upload = ?");
  const addText = db.prepare(
    "INSERT INTO library_texts (id, upload, start_s, end_s, evidence, body, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const dropText = db.prepare("DELETE FROM library_texts WHERE id = ?");
  const markOf = db.prepare("SELECT mark FROM library_stale WHERE upload = ?");
  const unmark = db.prepare("DELETE FROM library_stale WHERE upload = ? AND mark = ?");
  const OF_OWNER = `(?1 IS NULL OR NOT EXISTS (SELECT 1 FROM uploads WHERE id = upload AND owner <> ?1))`;
  const listStale = {
    newest: db.prepare(
      `SELECT upload, mark FROM library_stale WHERE ${OF_OWNER} ORDER BY number DESC LIMIT ?2`,
    ),
    oldest: db.prepare(
      `SELECT upload, mark FROM library_stale WHERE ${OF_OWNER} ORDER BY number LIMIT ?2`,
    ),
  };
  const clearMark = db.prepare("DELETE FROM library_stale WHERE upload = ?");
  const addMark = db.prepare(
    "INSERT INTO library_stale (upload, mark) VALUES (?, hex(randomblob(8)))",
  );
  const countStale = db.prepare(`SELECT count(*) AS n FROM library_stale WHERE ${OF_OWNER}`);
  const count = db.prepare(`SELECT count(*) AS n FROM library_index WHERE ${matching()}`);
  const NEAR = `upload = :upload AND id & ${KIND_BITS - 1} >= ${FIRST_TIMED_KIND} AND end_s >= :from_s AND start_s <= :to_s`;
  const countNear = db.prepare(`SELECT count(*) AS n FROM library_texts WHERE ${NEAR}`);
  const near = db.prepare(
    `SELECT * FROM library_texts WHERE ${NEAR} AND (start_s, id) > (:after_s, :after_id)
     ORDER BY start_s, id LIMIT :limit`,
  );
  const ranked = db.prepare(`
    WITH matches AS (
      SELECT rowid AS id, bm25(library_index) * iif(rowid & 7 < ${FIRST_TIMED_KIND}, ${NAME_WEIGHT}, 1) AS score
      FROM library_index WHERE ${matching()} ORDER BY rowid DESC LIMIT ${RANKED_MOST}
    )
    SELECT texts.*, uploads.name, uploads.created_at, score
    FROM matches JOIN library_texts AS texts ON texts.id = matches.id JOIN uploads ON uploads.id = texts.upload
    WHERE (:owner IS NULL OR uploads.owner = :owner)
      AND (score, -uploads.created_at, start_s, texts.id) > (:score, -:created_at, :start_s, :id)
    ORDER BY score, -uploads.created_at, start_s, texts.id LIMIT :limit`);

  function rangeOf(owner: string | undefined): { from: number; to: number } | null {
    if (owner === undefined) return { from: 0, to: Number.MAX_SAFE_INTEGER };
    const number = ownerNumber.get(owner)?.number;
    if (number === undefined) return null;
    const from = Number(number) * OWNER_BITS;
    return { from, to: from + OWNER_BITS - 1 };
  }

  function nextId(owner: string): number {
    addOwner.run(owner);
    const start = Number(ownerNumber.get(owner)?.number) * OWNER_BITS;
    const last = lastOf.get(start, start + OWNER_BITS)?.id;
    return last == null ? start : Number(last) - (Number(last) % KIND_BITS) + KIND_BITS;
  }

  /**
   * Replaces the texts of an upload, and returns false if some outdated ones are left for another call. Rows that are
   * stored already stay, so that a corrected caption costs two rows and not hundreds.
   */
  function replaceTexts(owner: string, upload: string, texts: readonly LibraryText[]): boolean {
    const stored = Map.groupBy(textsOf.all(upload), (row) => keyOf(toText(row)));
    const added = texts.filter((text) => stored.get(keyOf(text))?.pop() === undefined);
    const outdated = [...stored.values()].flat();
    for (const row of outdated.slice(0, REMOVED_AT_ONCE)) dropText.run(Number(row.id));
    if (outdated.length > REMOVED_AT_ONCE) return false;
    let id = nextId(owner);
    for (const { kind, start_s, end_s, evidence, text } of added) {
      const body = splitUnspaced(foldText(text));
      const kindId = id + LIBRARY_KINDS.indexOf(kind);
      addText.run(kindId, upload, start_s, end_s, evidence, body, body === text ? null : text);
      id += KIND_BITS;
    }
    return true;
  }

  return {
    async search(query) {
      const range = rangeOf(query.owner);
      if (range === null) return { hits: [], total: 0, last: null };
      return guard("searching the library", () => {
        const where = { ...range, ...conditionOf(query) };
        const total = Number(count.get(where)?.n);
        const after = query.after ?? {
          score: Number.NEGATIVE_INFINITY,
          created_at: 0,
          start_s: 0,
          id: 0,
        };
        const owner = query.owner ?? null;
        const rows = ranked.all({ ...where, owner, ...after, limit: query.limit + 1 });
        const shown = rows.slice(0, query.limit);
        const end = rows.length > query.limit ? shown.at(-1) : undefined;
        return {
          hits: shown.map(toHit),
          total,
          last:
            end === undefined
              ? null
              : {
                  score: Number(end.score),
                  created_at: Number(end.created_at),
                  start_s: Number(end.start_s),
                  id: Number(end.id),
                },
        };
      });
    },
    async texts({ upload, from_s, to_s, limit, after }) {
      const range = { upload, from_s, to_s };
      const { start_s: after_s, id: after_id } = after ?? { start_s: -1, id: 0 };
      return guard("listing the texts of a video", () => {
        const rows = near.all({ ...range, after_s, after_id, limit: limit + 1 });
        const shown = rows.slice(0, limit);
        const end = rows.length > limit ? shown.at(-1) : undefined;
        return {
          texts: shown.map(toText),
          total: Number(countNear.get(range)?.n),
          last: end === undefined ? null : { start_s: Number(end.start_s), id: Number(end.id) },
        };
      });
    },
    async stale(order, limit, owner) {
      const rows = guard("listing changed videos", () =>
        listStale[order].all(owner ?? null, limit),
      );
      return rows.map((row) => ({ upload: String(row.upload), mark: String(row.mark) }));
    },
    async countStale(owner) {
      return Number(guard("counting changed videos", () => countStale.get(owner ?? null))?.n);
    },
    async markStale(upload) {
      transaction(db, "marking a changed video", () => {
        clearMark.run(upload);
        addMark.run(upload);
      });
    },
    async put({ upload, mark }, texts) {
      const replace = () =>
        transaction(db, "indexing a video", () => {
          // Another process has indexed it, or it has changed: the texts may be outdated.
          if (markOf.get(upload)?.mark !== mark) return true;
          const owner = ownerOf.get(upload)?.owner;
          const done = replaceTexts(String(owner ?? ""), upload, owner === undefined ? [] : texts);
          if (done) unmark.run(upload, mark);
          return done;
        });
      while (!replace()) await nextTurn();
    },
  };
}

/** The condition on rows of the index; `conditionOf` has the values. */
function matching(): string {
  return `library_index MATCH :match AND rowid BETWEEN :from AND :to AND (:kinds >> (rowid & 7)) & 1
    AND (:upload IS NULL OR rowid IN (SELECT id FROM library_texts WHERE upload = :upload))`;
}

function conditionOf({ terms, kinds = LIBRARY_KINDS, upload }: LibrarySearch) {
  return {
    match: terms.map(({ words, prefix }) => quoted(words) + (prefix ? " *" : "")).join(" AND "),
    kinds: kinds.reduce((bits, kind) => bits | (1 << LIBRARY_KINDS.indexOf(kind)), 0),
    upload: upload ?? null,
  } satisfies Record<string, SQLInputValue>;
}

/** A string of FTS5: everything in it is text, no operator. */
function quoted(words: string): string {
  return `"${words.replaceAll("\0", " ").replaceAll('"', '""')}"`;
}

function toText(row: Row): LibraryText {
  return {
    kind: LIBRARY_KINDS[Number(row.id) % KIND_BITS] as LibraryKind,
    start_s: Number(row.start_s),
    end_s: Number(row.end_s),
    text: String(row.text ?? row.body),
    evidence: row.evidence === null ? null : String(row.evidence),
  };
}

function toHit(row: Row): LibraryHit {
  return { ...toText(row), upload: String(row.upload), name: String(row.name) };
}

function keyOf({ kind, start_s, end_s, text, evidence }: LibraryText): string {
  return JSON.stringify([kind, start_s, end_s, evidence, text]);
}
