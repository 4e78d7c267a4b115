import { resolve } from "node:path";
import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, run } from "./output.ts";

export function addForget(program: Command): void {
  withExamples(
    program
      .command("forget")
      .description("remove everything kept of a video: answers, evidence, frames, model replies")
      .argument("<video>", "the video file, or its hash")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .action((video: string, options: { dataDir: string }) =>
        run(async (signal) => {
          const { openStore } = await import("../../storage/open.ts");
          const { hashFile } = await import("../../core/hash.ts");
          const { lockService } = await import("../service/service-lock.ts");
          const folder = resolve(options.dataDir);
          const store = await openStore(folder);
          let lock: { release(): Promise<void> } | undefined;
          try {
            // A question that runs in a service would write again what is removed here.
            lock = await lockService(folder);
            const hash = /^[0-9a-f]{64}$/.test(video) ? video : await hashFile(video, signal);
            await store.forget(hash);
            print(
              `Removed everything kept of ${video} from ${options.dataDir}; the file itself is unchanged.`,
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
