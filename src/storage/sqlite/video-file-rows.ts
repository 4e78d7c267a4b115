import type { DatabaseSync } from "node:sqlite";
import type { StoredVideoFile, VideoFileRows } from "../blobs/video-files.ts";
import { videoFileRow } from "../rows/video-file-row.ts";
import { guard, transaction } from "./transaction.ts";

export function createVideoFileRows(db: DatabaseSync): VideoFileRows {
  const put = db.prepare(
    "INSERT OR REPLACE INTO video_files (video, name, hash, size, part_bytes, parts) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const get = db.prepare("SELECT * FROM video_files WHERE video = ? AND name = ?");
  const list = db.prepare("SELECT * FROM video_files WHERE video = ? ORDER BY name");
  const drop = db.prepare("DELETE FROM video_files WHERE video = ? AND name = ?");
  const doing = "looking up a file of a video";
  return {
    async put({ video, name, hash, size, part_bytes, parts }: StoredVideoFile) {
      transaction(db, "noting a file of a video", () =>
        put.run(video, name, hash, size, part_bytes, JSON.stringify(parts)),
      );
    },
    async get(video, name) {
      const row = guard(doing, () => get.get(video, name));
      return row === undefined ? undefined : videoFileRow(row);
    },
    async list(video) {
      return guard(doing, () => list.all(video)).map(videoFileRow);
    },
    async drop(video, name) {
      transaction(db, "forgetting a file of a video", () => drop.run(video, name));
    },
  };
}
