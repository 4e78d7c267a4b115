import { sep } from "node:path";
import type { Catalogue } from "../../core/contracts.ts";
import { sha256 } from "../../core/hash.ts";
import type { Database } from "./database.ts";
import type { Row } from "./value.ts";

export function createCatalogue(db: Database): Catalogue {
  return {
    async putVideo({ path, hash, size, modified_ms }) {
      await db.run(
        "noting a video",
        `INSERT INTO videos (path_hash, path, hash, size, modified_ms, seen)
         VALUES ($1, $2, $3, $4, $5, nextval('videos_seen'))
         ON CONFLICT (path_hash) DO UPDATE SET hash = excluded.hash, size = excluded.size,
           modified_ms = excluded.modified_ms, seen = excluded.seen`,
        [sha256(path), path, hash, size, modified_ms],
      );
    },
    async knownVideo(path, size, modified_ms) {
      const row = await db.row(
        "looking up a video",
        "SELECT hash FROM videos WHERE path_hash = $1 AND size = $2 AND modified_ms = $3",
        [sha256(path), size, modified_ms],
      );
      return text(row?.hash);
    },
    async videosBelow(folder) {
      const rows = await db.rows(
        "listing videos",
        "SELECT path, hash FROM videos WHERE starts_with(path, $1) ORDER BY path",
        [folder.endsWith(sep) ? folder : folder + sep],
      );
      return rows.map((row) => ({ path: String(row.path), hash: String(row.hash) }));
    },
    async videoPath(hash) {
      const sql = "SELECT path FROM videos WHERE hash = $1 ORDER BY seen DESC LIMIT 1";
      return text((await db.row("looking up a video", sql, [hash]))?.path);
    },
    async putQuestion({ id, video, json }) {
      await db.run(
        "noting a question",
        `INSERT INTO questions (id, video, json) VALUES ($1, $2, $3)
         ON CONFLICT (video, id) DO UPDATE SET json = excluded.json`,
        [id, video, json],
      );
    },
    async questions(video) {
      const sql = "SELECT id, json FROM questions WHERE video = $1 ORDER BY number";
      return (await db.rows("listing questions", sql, [video])).map(questionOf);
    },
    async putSet({ id, video, json }) {
      await db.run(
        "keeping an evidence set",
        "INSERT INTO sets (id, video, json) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [id, video, json],
      );
    },
    async set(id) {
      const sql = "SELECT json FROM sets WHERE id = $1 LIMIT 1";
      return text((await db.row("reading an evidence set", sql, [id]))?.json);
    },
    async forget(video) {
      return db.transaction("forgetting a video", async (send) => {
        const { rows } = await send(
          "DELETE FROM questions WHERE video = $1 RETURNING id, json, number",
          [video],
        );
        await send("DELETE FROM videos WHERE hash = $1", [video]);
        await send("DELETE FROM sets WHERE video = $1", [video]);
        return rows
          .sort((a, b) => Number(a.number) - Number(b.number))
          .map((row) => questionOf(row).id);
      });
    },
  };
}

function questionOf(row: Row) {
  return { id: String(row.id), json: String(row.json) };
}

function text(column: unknown): string | undefined {
  return typeof column === "string" ? column : undefined;
}
