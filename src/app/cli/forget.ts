import { basename } from "node:path";
import type { Command } from "commander";
import { bytesText } from "../../core/bytes-text.ts";
import type { Store } from "../../core/contracts.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure, systemCode } from "../../core/errors.ts";
import { auditCommand } from "./audit.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printJson, run } from "./output.ts";

interface Flags {
  dataDir: string;
  json?: boolean;
}

/** What a store has of a video. */
interface StoredParts {
  /** Whether anything is stored, if only the path of its file. */
  stored: boolean;
  /** Uploads of a service, of all owners. */
  uploads: number;
  /** Questions about these uploads. */
  questions: number;
  /** Bytes of the uploads and of everything derived from the video. */
  bytes: number;
}

export function configureForget(command: Command): void {
  withExamples(
    command
      .argument("<video>", "the video file, or its hash")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((video: string, flags: Flags) => run((signal) => forget(video, flags, signal))),
    "forget lecture.mp4",
  );
}

async function forget(video: string, flags: Flags, signal: AbortSignal): Promise<number> {
  const { catchUp } = await import("../service/library-indexer.ts");
  const { lockService } = await import("../service/service-lock.ts");
  const store = await openDataFolder(flags.dataDir);
  let lock: { release(): Promise<void> } | undefined;
  try {
    // A running question of a service would write the removed data again.
    lock = await lockService(store);
    const hash = await hashOfVideo(video, signal);
    const { stored, ...parts } = await storedParts(store, hash);
    await store.forget(hash);
    // Its texts leave the index of the search now, not at the next start of the service.
    await catchUp(store, Number.POSITIVE_INFINITY);
    const name = basename(video);
    if (stored)
      await auditCommand(store, { action: "video.forgotten", name, details: { hash, ...parts } });
    if (flags.json) printJson({ hash, removed: stored, ...parts });
    else print(stored ? removedText(video, flags.dataDir, parts) : nothingText(video, flags));
    return EXIT.ok;
  } finally {
    await lock?.release();
    await store.close();
  }
}

/** The hash of a video that is named by it or by its file. Throws `Failure` `file-unreadable`. */
async function hashOfVideo(video: string, signal: AbortSignal): Promise<string> {
  if (/^[0-9a-f]{64}$/.test(video)) return video;
  const { hashFile } = await import("../../core/hash.ts");
  try {
    return await hashFile(video, signal);
  } catch (error) {
    if (!(error instanceof Failure) || systemCode(error.cause) !== "ENOENT") throw error;
    throw new Failure(
      error.kind,
      `Cannot find ${video}. If the file was deleted, pass the hash of the video, which \`prune --dry-run --json\` lists; \`prune\` removes the data of all videos whose files are gone.`,
      error.facts,
      { cause: error },
    );
  }
}

async function storedParts(store: Store, hash: string): Promise<StoredParts> {
  const uploads = await store.service.uploadsOf(hash);
  let [questions, size] = [0, 0];
  for (const upload of uploads) {
    questions += (await store.service.aboutUpload(upload.id)).questions;
    size += upload.size;
  }
  const bytes = size + (await store.derivedSize(hash)).bytes;
  const isKnown = (await store.catalogue.videoPath(hash)) !== undefined;
  return {
    stored: isKnown || uploads.length > 0 || bytes > 0,
    uploads: uploads.length,
    questions,
    bytes,
  };
}

function removedText(
  video: string,
  folder: string,
  { uploads, questions, bytes }: Omit<StoredParts, "stored">,
): string {
  const of =
    uploads === 0 ? "" : `${countOf(uploads, "upload")} with ${countOf(questions, "question")}, `;
  return `Removed all stored data of ${video} from ${folder}: ${of}${bytesText(bytes)}. The file itself is unchanged, and folders of runs keep their replies.`;
}

function nothingText(video: string, { dataDir }: Flags): string {
  return `Nothing was stored of ${video} in ${dataDir}.`;
}
