import type { DatabaseSync } from "node:sqlite";
import type { DerivedSize, VideoFiles } from "../../core/contracts.ts";
import type { OwnedBlobs } from "../blobs/owned-blobs.ts";
import { addFileSizes } from "../derived-files.ts";
import { guard } from "./transaction.ts";

/** Counts the bytes stored for a video in addition to its file. */
export function createDerivedSize(
  db: DatabaseSync,
  root: string,
  owned: OwnedBlobs | null,
  files: VideoFiles | null,
) {
  const stepBytes = db.prepare(
    `SELECT coalesce(sum(octet_length(value)), 0) AS bytes FROM steps
     WHERE key IN (SELECT key FROM step_tags WHERE tag = ?)`,
  );
  const eventBytes = db.prepare(
    `SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM events WHERE question IN (
       SELECT asked.id FROM asked JOIN uploads ON uploads.id = asked.upload WHERE uploads.hash = ?1
       UNION SELECT id FROM questions WHERE video = ?1)`,
  );
  const blobs = db.prepare("SELECT hash, type FROM blobs WHERE video = ?");

  async function derivedSize(video: string): Promise<DerivedSize> {
    const counting = "counting the bytes of a video";
    const steps = Number(guard(counting, () => stepBytes.get(video))?.bytes);
    const events = Number(guard(counting, () => eventBytes.get(video))?.bytes);
    const rows = guard(counting, () => blobs.all(video));
    const named = (await files?.list(video)) ?? [];
    return addFileSizes(root, video, rows, { steps, events }, named, owned?.size);
  }

  return { derivedSize };
}
