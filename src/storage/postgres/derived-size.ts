import type { DerivedSize, VideoFiles } from "../../core/contracts.ts";
import type { OwnedBlobs } from "../blobs/owned-blobs.ts";
import { addFileSizes } from "../derived-files.ts";
import type { Database } from "./database.ts";

const STEPS = `SELECT coalesce(sum(octet_length(value)), 0) AS bytes FROM steps
  WHERE key IN (SELECT key FROM step_tags WHERE tag = $1)`;
const EVENTS = `SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM events WHERE question IN (
  SELECT asked.id FROM asked JOIN uploads ON uploads.id = asked.upload WHERE uploads.hash = $1
  UNION SELECT id FROM questions WHERE video = $1)`;

/** Counts the bytes stored for a video in addition to its file. */
export function createDerivedSize(
  db: Database,
  root: string,
  owned: OwnedBlobs | null,
  files: VideoFiles | null,
) {
  async function derivedSize(video: string): Promise<DerivedSize> {
    const counting = "counting the bytes of a video";
    const steps = Number((await db.row(counting, STEPS, [video]))?.bytes);
    const events = Number((await db.row(counting, EVENTS, [video]))?.bytes);
    const blobs = await db.rows(counting, "SELECT hash, type FROM blobs WHERE video = $1", [video]);
    const named = (await files?.list(video)) ?? [];
    return addFileSizes(root, video, blobs, { steps, events }, named, owned?.size);
  }

  return { derivedSize };
}
