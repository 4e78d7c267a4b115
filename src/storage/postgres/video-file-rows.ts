import type { StoredVideoFile, VideoFileRows } from "../blobs/video-files.ts";
import { videoFileRow } from "../rows/video-file-row.ts";
import type { Database } from "./database.ts";

export function createVideoFileRows(db: Database): VideoFileRows {
  const doing = "looking up a file of a video";
  return {
    async put({ video, name, hash, size, part_bytes, parts }: StoredVideoFile) {
      await db.run(
        "noting a file of a video",
        `INSERT INTO video_files (video, name, hash, size, part_bytes, parts) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (video, name) DO UPDATE SET hash = excluded.hash, size = excluded.size,
           part_bytes = excluded.part_bytes, parts = excluded.parts`,
        [video, name, hash, size, part_bytes, JSON.stringify(parts)],
      );
    },
    async get(video, name) {
      const sql = "SELECT * FROM video_files WHERE video = $1 AND name = $2";
      const row = await db.row(doing, sql, [video, name]);
      return row === undefined ? undefined : videoFileRow(row);
    },
    async list(video) {
      const sql = "SELECT * FROM video_files WHERE video = $1 ORDER BY name";
      return (await db.rows(doing, sql, [video])).map(videoFileRow);
    },
    async drop(video, name) {
      const sql = "DELETE FROM video_files WHERE video = $1 AND name = $2";
      await db.run("forgetting a file of a video", sql, [video, name]);
    },
  };
}
