import { existsSync } from "node:fs";
import { basename, dirname, parse } from "node:path";
import { type Command, Option } from "commander";
import { bytesText } from "../../core/bytes-text.ts";
import type { DerivedSize, Store } from "../../core/contracts.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import { uploadPath } from "../../storage/paths.ts";
import { KEPT, type KeptReason, PRUNED, type Pruned } from "../service/prune-kinds.ts";
import { readAge } from "./ages.ts";
import { auditCommand } from "./audit.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printable, printJson, run, table } from "./output.ts";

interface StoredVideo extends DerivedSize {
  hash: string;
  paths: string[];
  /** Whether all its files are missing. */
  gone: boolean;
  /** Its files are missing, and so is a folder of them: another machine that shares the store may have it. */
  elsewhere: boolean;
}

interface Flags {
  dataDir: string;
  olderThan?: string;
  what: Pruned;
  unownedBlobs?: boolean;
  keep?: KeptReason[] | false;
  dryRun?: boolean;
  json?: boolean;
}

export function configurePrune(command: Command): void {
  command
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .option(
      "--older-than <age>",
      "remove the videos of a service that were uploaded, asked about and reviewed longer ago: 12h, 30d, 8w",
    )
    .addOption(
      new Option(
        "--what <kind>",
        "with --older-than: whole videos, only questions, or only derived data that can be made again",
      )
        .choices(PRUNED)
        .default("videos"),
    )
    .addOption(
      new Option("--keep <reasons...>", "with --older-than: what stays; default: both").choices(
        KEPT,
      ),
    )
    .option("--no-keep", "with --older-than: remove reviewed and tagged ones too")
    .option(
      "--unowned-blobs",
      "remove only what killed processes left in the place of --blobs: blobs that no video of the store owns, written longer ago than --older-than (default 24h, at least 1h); the service may run",
    )
    .option("--dry-run", "show only; remove nothing")
    .option("--json", "print one JSON value")
    .action((flags: Flags) => run(() => prune(flags)));
  withExamples(
    command,
    "prune --dry-run",
    "prune --older-than 30d --dry-run",
    "prune --older-than 8w --what derived --json",
    "prune --unowned-blobs --dry-run",
  );
}

async function prune(flags: Flags): Promise<number> {
  const { lockService } = await import("../service/service-lock.ts");
  const age = flags.olderThan;
  const before = age === undefined ? null : Date.now() - readAge("--older-than", age);
  const store = await openDataFolder(flags.dataDir);
  let lock: { release(): Promise<void> } | undefined;
  try {
    if (flags.unownedBlobs) {
      await pruneUnowned(store, before, flags);
      return EXIT.ok;
    }
    if (!flags.dryRun) lock = await lockService(store).catch(withDryRun);
    if (before === null) await pruneMissing(store, flags);
    else await pruneOld(store, before, flags);
    return EXIT.ok;
  } finally {
    await lock?.release();
    await store.close();
  }
}

/** Nothing else says that a list needs no lock. */
function withDryRun(error: unknown): never {
  if (!isFailure(error, "store-busy")) throw error;
  throw new Failure(
    error.kind,
    `${error.message} With --dry-run, \`prune\` lists what it would remove meanwhile.`,
    error.facts,
    { cause: error },
  );
}

/** Longer than a `put` with all its repeated requests, with time for clocks that differ. */
const LEAST_AGE_MS = 3_600_000;
const USUAL_AGE_MS = 86_400_000;

async function pruneUnowned(store: Store, before: number | null, flags: Flags): Promise<void> {
  const { dryRun = false, json } = flags;
  const now = Date.now();
  const older_than = before ?? now - USUAL_AGE_MS;
  if (older_than > now - LEAST_AGE_MS)
    throw new Failure(
      "wrong-usage",
      `Invalid --older-than ${JSON.stringify(flags.olderThan)} with --unowned-blobs: use at least 1h, since newer blobs may be in the middle of being written.`,
    );
  const found = await store.removeUnownedBlobs(older_than, dryRun);
  if (!dryRun && found.blobs + found.unfinished > 0)
    await auditCommand(store, { action: "derived.deleted", details: { ...found } });
  if (json) {
    printJson({ before: new Date(older_than).toISOString(), dry_run: dryRun, ...found });
    return;
  }
  const { blobs, bytes, unfinished } = found;
  const what = `${countOf(blobs, "blob")} that no video owns, ${bytesText(bytes)}, and ${countOf(unfinished, "unfinished write")}`;
  print(
    dryRun ? `${what} would be removed. Run without --dry-run to remove them.` : `Removed ${what}.`,
  );
}

async function pruneMissing(store: Store, { dryRun, json }: Flags): Promise<void> {
  const videos = await listVideos(store);
  const missing = videos.filter((video) => video.gone);
  if (!dryRun)
    for (const { hash, paths } of missing) {
      await store.forget(hash);
      const name = basename(paths.at(-1) ?? "");
      await auditCommand(store, { action: "video.forgotten", name, details: { hash } });
    }
  const freed = dryRun ? 0 : sum(missing);
  if (json) printJson({ videos, freed });
  else print(render(videos, missing, dryRun === true));
}

async function pruneOld(store: Store, before: number, flags: Flags): Promise<void> {
  const { pruneByAge } = await import("../service/prune-by-age.ts");
  const { catchUp } = await import("../service/library-indexer.ts");
  const { what, dryRun = false } = flags;
  const keep = flags.keep === false ? [] : Array.isArray(flags.keep) ? flags.keep : KEPT;
  const action = {
    videos: "video.deleted",
    questions: "question.deleted",
    derived: "derived.deleted",
  };
  const result = await pruneByAge(store, { what, before, keep, dryRun }, (thing) => {
    const { video, question, name } = thing;
    return auditCommand(store, { action: action[what], video, question, name });
  });
  // The texts of removed videos leave the index of the search now, not at the next start of the service.
  if (!dryRun) await catchUp(store, Number.POSITIVE_INFINITY);
  if (flags.json) {
    printJson({ what, before: new Date(before).toISOString(), dry_run: dryRun, keep, ...result });
    return;
  }
  const rows = [
    ...result.removed.map((thing) => ({ ...thing, end: dryRun ? "would be removed" : "removed" })),
    ...result.kept.map(({ why, ...thing }) => ({ ...thing, end: `kept: ${why}` })),
  ];
  if (rows.length > 0)
    print(
      table([
        ["last used", "video", "question", ""],
        ...rows.map(({ last_used, name, question, end }) => [
          last_used,
          printable(name),
          question ?? "",
          end,
        ]),
      ]),
    );
  const noun = what === "questions" ? "question" : "video";
  const count = countOf(result.removed.length, noun);
  const bytes = result.freed === null ? "" : `, ${bytesText(result.freed)}`;
  const kept = countOf(result.kept.length, "older one is kept", "older ones are kept");
  print(
    dryRun
      ? `${count}${bytes} would be removed; ${kept}. Run without --dry-run to remove them.`
      : `Removed ${count}${bytes}; ${kept}.`,
  );
}

/** The videos of a store with their files, the largest first. */
export async function listVideos(store: Store): Promise<StoredVideo[]> {
  const files = await store.catalogue.videosBelow(parse(store.folder).root);
  const byHash = Map.groupBy(files, ({ hash }) => hash);
  const videos: StoredVideo[] = [];
  for (const [hash, of] of byHash) {
    const paths = of.map(({ path }) => path);
    // The folder may have been moved: the file of an upload is found by the upload, not by its old path.
    const uploads = await store.service.uploadsOf(hash);
    const ids = uploads.map(({ id }) => uploadPath(store.folder, id));
    // Bytes outside the data folder have no path here.
    const isShared = uploads.length > 0 && store.files !== null;
    const missing = !isShared && ![...paths, ...ids].some((path) => existsSync(path));
    const elsewhere =
      missing && store.replicas !== null && paths.some((path) => !existsSync(dirname(path)));
    const gone = missing && !elsewhere;
    videos.push({ hash, paths, gone, elsewhere, ...(await store.derivedSize(hash)) });
  }
  return videos.sort((a, b) => b.bytes - a.bytes);
}

function render(videos: readonly StoredVideo[], gone: readonly StoredVideo[], dry: boolean) {
  if (videos.length === 0) return "The store has no data of videos.";
  const rows = videos.map((video) => [
    video.paths.at(-1) ?? video.hash,
    ...[video.bytes, video.frames, video.index, video.steps, video.events].map(bytesText),
    video.gone ? (dry ? "file missing" : "removed") : video.elsewhere ? "folder not here" : "",
  ]);
  const end =
    gone.length === 0
      ? "Nothing to remove: the files of all videos exist. `forget VIDEO` removes the data of one video."
      : dry
        ? `${bytesText(sum(gone))} of ${countOf(gone.length, "video")} whose files are missing would be removed. Run without --dry-run to remove them.`
        : `Removed ${bytesText(sum(gone))} of ${countOf(gone.length, "video")}.`;
  return `${table([["video", "total", "frames", "index", "replies", "events", ""], ...rows])}\n${end}`;
}

function sum(videos: readonly StoredVideo[]): number {
  return videos.reduce((total, { bytes }) => total + bytes, 0);
}
