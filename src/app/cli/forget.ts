import { basename } from "node:path";
import type { Command } from "commander";
import { auditCommand } from "./audit.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { print, run } from "./output.ts";

export function configureForget(command: Command): void {
  withExamples(
    command
      .argument("<video>", "the video file, or its hash")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .action((video: string, options: { dataDir: string }) =>
        run(async (signal) => {
          const { hashFile } = await import("../../core/hash.ts");
          const { lockService } = await import("../service/service-lock.ts");
          const store = await openDataFolder(options.dataDir);
          let lock: { release(): Promise<void> } | undefined;
          try {
            // A running question of a service would write the removed data again.
            lock = await lockService(store);
            const hash = /^[0-9a-f]{64}$/.test(video) ? video : await hashFile(video, signal);
            await store.forget(hash);
            const name = basename(video);
            await auditCommand(store, { action: "video.forgotten", name, details: { hash } });
            print(
              `Removed all stored data of ${video} from ${options.dataDir}. The file itself is unchanged.`,
            );
          } finally {
            await lock?.release();
            await store.close();
          }
          return undefined;
        }),
      ),
    "forget lecture.mp4",
  );
}
