import { existsSync } from "node:fs";
import { parse, resolve } from "node:path";
import type { Command } from "commander";
import type { DerivedSize, Store } from "../../core/contracts.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printJson, run, table } from "./output.ts";

interface StoredVideo extends DerivedSize {
  hash: string;
  paths: string[];
  /** Whether none of its files is there any more. */
  gone: boolean;
}

export function addPrune(program: Command): void {
  withExamples(
    program
      .command("prune")
      .description(
        "show the bytes kept of each video (frames, indexes, replies, events) and remove those of videos whose files are gone",
      )
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--dry-run", "remove nothing")
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
            const gone = videos.filter((video) => video.gone);
            if (!options.dryRun) for (const { hash } of gone) await store.forget(hash);
            const freed = options.dryRun ? 0 : sum(gone);
            if (options.json) printJson({ videos, freed });
            else print(render(videos, gone, options.dryRun === true));
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
  if (videos.length === 0) return "Nothing is kept of any video.";
  const rows = videos.map((video) => [
    video.paths.at(-1) ?? video.hash,
    String(video.bytes),
    String(video.frames),
    String(video.index),
    String(video.steps),
    video.gone ? (dry ? "file gone" : "removed") : "",
  ]);
  const end =
    gone.length === 0
      ? "The files of all videos are there: nothing to remove. `forget VIDEO` removes one of them."
      : dry
        ? `${sum(gone)} bytes belong to videos whose files are gone; without --dry-run they are removed.`
        : `Removed ${sum(gone)} bytes of ${gone.length} ${gone.length === 1 ? "video" : "videos"}.`;
  return `${table([["video", "bytes", "frames", "index", "replies", ""], ...rows])}\n${end}`;
}

function sum(videos: readonly StoredVideo[]): number {
  return videos.reduce((total, { bytes }) => total + bytes, 0);
}
