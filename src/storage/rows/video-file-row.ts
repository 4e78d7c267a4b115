import type { StoredVideoFile } from "../blobs/video-files.ts";
import { fromJson } from "./from-json.ts";

export function videoFileRow(row: Record<string, unknown>): StoredVideoFile {
  return {
    video: String(row.video),
    name: String(row.name),
    hash: String(row.hash),
    size: Number(row.size),
    part_bytes: Number(row.part_bytes),
    parts: fromJson(String(row.parts), "a file of a video") as string[],
  };
}
