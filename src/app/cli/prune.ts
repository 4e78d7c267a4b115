import { existsSync } from "node:fs";
import { parse, resolve } from "node:path";
import type { Command } from "commander";
import type { DerivedSize, Store } from "../../core/contracts.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printJson, run, table } from "./output.ts";

interface StoredVideo extends DerivedSize {
  hash: string;
  paths: string[];
  /** Whether all its files are missing. */
  gone: boolean;
}

export function addPrune(program: Command): void {
  withExamples(
    program
      .command("prune")
      .description(
        "show the stored bytes of each video (frames, indexes, replies, events) and remove the data of videos whose files are missing",
      )
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--dry-run", "show only; remove nothing")
      .option("--json", "print one JSON value")
      .action((options: { dataDir: string; dryRun?: boolean; json?: boolean }) =>
        run(async () => {
          const { openStore } = await import("../../storage/open.ts");
          const { lockService } = await import("../service/service-lock.ts");
          const folder = resolve(options.dataDir);
          const store = await openStore(folder);
          let lock: { release(): Promise<void> } | undefined;
          try {
            if (!options.dryRun) lock = await lockService(folder);
            const videos = await listVideos(store);
            const missing = videos.filter((video) => video.gone);
            if (!options.dryRun) for (const { hash } of missing) await store.forget(hash);
            const freed = options.dryRun ? 0 : sum(missing);
            if (options.json) printJson({ videos, freed });
            else print(render(videos, missing, options.dryRun === true));
            return EXIT.ok;
          } finally {
            await lock?.release();
            await store.close();
          }
        }),
      ),
    "prune --dry-run",
    "prune --data-dir .video-rrd",
  );
}

async function listVideos(store: Store): Promise<StoredVideo[]> {
  const files = await store.catalogue.videosBelow(parse(store.folder).root);
  const byHash = Map.groupBy(files, ({ hash }) => hash);
  const videos: StoredVideo[] = [];
  for (const [hash, of] of byHash) {
    const paths = of.map(({ path }) => path);
    const gone = !paths.some((path) => existsSync(path));
    videos.push({ hash, paths, gone, ...(await store.derivedSize(hash)) });
  }
  return videos.sort((a, b) => b.bytes - a.bytes);
}

function render(videos: readonly StoredVideo[], gone: readonly StoredVideo[], dry: boolean) {
  if (videos.length === 0) return "The store has no data of videos.";
  const rows = videos.map((video) => [
    video.paths.at(-1) ?? video.hash,
    String(video.bytes),
    String(video.frames),
    String(video.index),
    String(video.steps),
    video.gone ? (dry ? "file missing" : "removed") : "",
  ]);
  const end =
    gone.length === 0
      ? "Nothing to remove: the files of all videos exist. `forget VIDEO` removes the data of one video."
      : dry
        ? `${sum(gone)} bytes belong to videos whose files are missing. Run without --dry-run to remove them.`
        : `Removed ${sum(gone)} bytes of ${gone.length} ${gone.length === 1 ? "video" : "videos"}.`;
  return `${table([["video", "bytes", "frames", "index", "replies", ""], ...rows])}\n${end}`;
}

function sum(videos: readonly StoredVideo[]): number {
  return videos.reduce((total, { bytes }) => total + bytes, 0);
}
