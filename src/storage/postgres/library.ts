import {
  LIBRARY_KINDS,
  type LibraryHit,
  type LibraryIndex,
  type LibraryKind,
  type LibrarySearch,
  type LibraryText,
  RANKED_MOST,
} from "../../core/library/library-index.ts";
import { type Conditions, createConditions } from "./conditions.ts";
import type { Database, Send } from "./database.ts";
import { toTsquery, toTsvector } from "./text-search.ts";
import type { Row } from "./value.ts";

/** A match in a name or tag counts this many times one in a text of the video. */
const NAME_WEIGHT = 2;

/** Names and tags come first, and have no time. */
const FIRST_TIMED_KIND = 2;

/** Rank by frequency and nearness, divided by 1 + the logarithm of the text's length. Lower is better, as with bm25. */
const SCORE = `-ts_rank(words, $1::text::tsquery, 1)::float8 * CASE WHEN kind < ${FIRST_TIMED_KIND} THEN ${NAME_WEIGHT} ELSE 1 END`;

const OF_OWNER =
  "($1::text IS NULL OR NOT EXISTS (SELECT 1 FROM uploads WHERE id = upload AND owner <> $1))";

/** The index of texts with `tsvector`. Words are split and folded by this program, not by a configuration of the server. */
export function createLibraryIndex(db: Database): LibraryIndex {
  return {
    async search(query) {
      const words = toTsquery(query.terms);
      if (words === null) return { hits: [], total: 0, last: null };
      const doing = "searching the library";
      const where = matching(words, query);
      const counted = `SELECT count(*) AS n FROM library_texts AS texts WHERE ${where.sql()}`;
      const total = Number((await db.row(doing, counted, where.values))?.n);
      const rows = await db.rows(...ranked(doing, where, query));
      const shown = rows.slice(0, query.limit);
      const end = rows.length > query.limit ? shown.at(-1) : undefined;
      return { hits: shown.map(toHit), total, last: end === undefined ? null : positionOf(end) };
    },
    async texts({ upload, from_s, to_s, limit, after }) {
      const doing = "listing the texts of a video";
      const where = createConditions();
      where.add((id) => `upload = ${id}`, upload);
      where.text(`kind >= ${FIRST_TIMED_KIND}`);
      where.add((from, to) => `end_s >= ${from} AND start_s <= ${to}`, from_s, to_s);
      const counted = `SELECT count(*) AS n FROM library_texts WHERE ${where.sql()}`;
      const total = Number((await db.row(doing, counted, where.values))?.n);
      if (after !== null)
        where.add((start, id) => `(start_s, id) > (${start}, ${id})`, after.start_s, after.id);
      const rows = await db.rows(
        doing,
        `SELECT * FROM library_texts WHERE ${where.sql()} ORDER BY start_s, id LIMIT ${Math.trunc(limit) + 1}`,
        where.values,
      );
      const shown = rows.slice(0, limit);
      const end = rows.length > limit ? shown.at(-1) : undefined;
      const last = end === undefined ? null : { start_s: Number(end.start_s), id: Number(end.id) };
      return { texts: shown.map(toText), total, last };
    },
    async stale(order, limit, owner) {
      const rows = await db.rows(
        "listing changed videos",
        `SELECT upload, mark FROM library_stale WHERE ${OF_OWNER}
         ORDER BY number ${order === "newest" ? "DESC" : ""} LIMIT ${Math.trunc(limit)}`,
        [owner ?? null],
      );
      return rows.map((row) => ({ upload: String(row.upload), mark: String(row.mark) }));
    },
    async countStale(owner) {
      const sql = `SELECT count(*) AS n FROM library_stale WHERE ${OF_OWNER}`;
      return Number((await db.row("counting changed videos", sql, [owner ?? null]))?.n);
    },
    async markStale(upload) {
      await db.row("marking a changed video", "SELECT mark_stale($1)", [upload]);
    },
    async put({ upload, mark }, texts) {
      await db.transaction("indexing a video", async (send) => {
        // Another process has indexed it, or it has changed: the texts may be outdated.
        const { count } = await send("DELETE FROM library_stale WHERE upload = $1 AND mark = $2", [
          upload,
          mark,
        ]);
        if (count === 0) return;
        const sql = "SELECT owner FROM uploads WHERE id = $1 AND hash IS NOT NULL";
        const owner = (await send(sql, [upload])).rows[0]?.owner;
        await replaceTexts(send, upload, String(owner), owner === undefined ? [] : texts);
      });
    },
  };
}

/** Rows that are stored already stay, so that a corrected caption costs two rows and not hundreds. */
async function replaceTexts(
  send: Send,
  upload: string,
  owner: string,
  texts: readonly LibraryText[],
): Promise<void> {
  const { rows } = await send("SELECT * FROM library_texts WHERE upload = $1", [upload]);
  const stored = Map.groupBy(rows, (row) => keyOf(toText(row)));
  const added = texts.filter((text) => stored.get(keyOf(text))?.pop() === undefined);
  const outdated = [...stored.values()].flat().map((row) => String(row.id));
  await send("DELETE FROM library_texts WHERE id = ANY ($1::text[]::bigint[])", [outdated]);
  for (const { kind, start_s, end_s, evidence, text } of added)
    await send(
      `INSERT INTO library_texts (owner, upload, kind, start_s, end_s, evidence, text, words)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::tsvector)`,
      [
        ...[owner, upload, LIBRARY_KINDS.indexOf(kind), start_s, end_s, evidence, text],
        toTsvector(text),
      ],
    );
}

/** `$1` is the query. */
function matching(words: string, { owner, upload, kinds }: LibrarySearch): Conditions {
  const where = createConditions();
  where.add((query) => `texts.words @@ ${query}::text::tsquery`, words);
  where.given((name) => `texts.owner = ${name}`, owner);
  where.given((id) => `texts.upload = ${id}`, upload);
  const numbers = kinds?.map((kind) => String(LIBRARY_KINDS.indexOf(kind)));
  where.given((list) => `texts.kind = ANY (${list}::text[]::integer[])`, numbers);
  return where;
}

function ranked(
  doing: string,
  where: Conditions,
  { owner, after, limit }: LibrarySearch,
): [string, string, Conditions["values"]] {
  const newest = `SELECT * FROM library_texts AS texts WHERE ${where.sql()} ORDER BY id DESC LIMIT ${RANKED_MOST}`;
  const listed = createConditions();
  listed.values = where.values;
  listed.given((name) => `uploads.owner = ${name}`, owner);
  if (after !== null)
    listed.add(
      (...names) =>
        `(score, -uploads.created_at, start_s, matches.id) > (${names.slice(0, 3).map((name) => `${name}::float8`)}, ${names[3]}::bigint)`,
      ...[after.score, -after.created_at, after.start_s, after.id],
    );
  const sql = `
    WITH newest AS (${newest}),
      matches AS (SELECT *, ${SCORE} AS score FROM newest)
    SELECT matches.*, uploads.name, uploads.created_at
    FROM matches JOIN uploads ON uploads.id = matches.upload
    WHERE ${listed.sql()}
    ORDER BY score, -uploads.created_at, start_s, matches.id LIMIT ${Math.trunc(limit) + 1}`;
  return [doing, sql, listed.values];
}

function positionOf(row: Row) {
  return {
    score: Number(row.score),
    created_at: Number(row.created_at),
    start_s: Number(row.start_s),
    id: Number(row.id),
  };
}

function toText(row: Row): LibraryText {
  return {
    kind: LIBRARY_KINDS[Number(row.kind)] as LibraryKind,
    start_s: Number(row.start_s),
    end_s: Number(row.end_s),
    text: String(row.text),
    evidence: row.evidence === null ? null : String(row.evidence),
  };
}

function toHit(row: Row): LibraryHit {
  return { ...toText(row), upload: String(row.upload), name: String(row.name) };
}

function keyOf({ kind, start_s, end_s, text, evidence }: LibraryText): string {
  return JSON.stringify([kind, start_s, end_s, evidence, text]);
}
