import { sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Catalogue } from "../../core/contracts.ts";
import { guard, transaction } from "./transaction.ts";
import type { WriteQueue } from "./write-queue.ts";

export function createCatalogue(db: DatabaseSync, queue: WriteQueue): Catalogue {
  const putVideo = db.prepare(
    `INSERT OR REPLACE INTO videos (path, hash, size, modified_ms, seen)
     SELECT ?, ?, ?, ?, coalesce(max(seen), 0) + 1 FROM videos`,
  );
  const knownVideo = db.prepare(
    "SELECT hash FROM videos WHERE path = ? AND size = ? AND modified_ms = ?",
  );
  const below = db.prepare(
    "SELECT path, hash FROM videos WHERE substr(path, 1, length(?1)) = ?1 ORDER BY path",
  );
  const videoPath = db.prepare("SELECT path FROM videos WHERE hash = ? ORDER BY seen DESC LIMIT 1");
  const putQuestion = db.prepare(
    "INSERT OR REPLACE INTO questions (id, video, json) VALUES (?, ?, ?)",
  );
  const questions = db.prepare("SELECT id, json FROM questions WHERE video = ? ORDER BY rowid");
  const putSet = db.prepare("INSERT OR IGNORE INTO sets (id, video, json) VALUES (?, ?, ?)");
  const findSet = db.prepare("SELECT json FROM sets WHERE id = ? LIMIT 1");
  const forgets = [
    "DELETE FROM videos WHERE hash = ?",
    "DELETE FROM questions WHERE video = ?",
    "DELETE FROM sets WHERE video = ?",
  ].map((sql) => db.prepare(sql));

  function questionsOf(video: string) {
    return questions.all(video).map((row) => ({ id: String(row.id), json: String(row.json) }));
  }

  return {
    async putVideo({ path, hash, size, modified_ms }) {
      guard("noting a video", () => putVideo.run(path, hash, size, modified_ms));
    },
    async knownVideo(path, size, modified_ms) {
      return text(guard("looking up a video", () => knownVideo.get(path, size, modified_ms))?.hash);
    },
    async videosBelow(folder) {
      const start = folder.endsWith(sep) ? folder : folder + sep;
      return guard("listing videos", () => below.all(start)).map((row) => ({
        path: String(row.path),
        hash: String(row.hash),
      }));
    },
    async videoPath(hash) {
      return text(guard("looking up a video", () => videoPath.get(hash))?.path);
    },
    async putQuestion({ id, video, json }) {
      await queue.write("noting a question", () => putQuestion.run(id, video, json));
    },
    async questions(video) {
      queue.flush();
      return guard("listing questions", () => questionsOf(video));
    },
    async putSet({ id, video, json }) {
      await queue.write("keeping an evidence set", () => putSet.run(id, video, json));
    },
    async set(id) {
      queue.flush();
      return text(guard("reading an evidence set", () => findSet.get(id))?.json);
    },
    async forget(video) {
      queue.flush();
      return transaction(db, "forgetting a video", () => {
        const ids = questionsOf(video).map(({ id }) => id);
        for (const forget of forgets) forget.run(video);
        return ids;
      });
    },
  };
}

function text(column: unknown): string | undefined {
  return typeof column === "string" ? column : undefined;
}
