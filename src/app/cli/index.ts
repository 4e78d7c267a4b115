import { resolve } from "node:path";
import type { Command } from "commander";
import type { Store } from "../../core/contracts.ts";
import type { EvidenceSet } from "../../core/shapes.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { renderEvidence } from "./render/evidence.ts";
import { addSettingFlags, givenSettings } from "./setting-flags.ts";
import { stageProgress } from "./stage-progress.ts";

/** Settings that change the content of an index. */
const INDEX_SETTINGS =
  /^(?:model|recognition\.(?!media|audio|video_).*|generation\..*|budget\..*|runtime\.(?!mcp$).*)$/;

/** An index that is stored already is read faster than this. */
const QUIET_MS = 1000;

export function configureIndex(command: Command): void {
  command.argument("<video>", "a video file").option("--json", "print the evidence set as JSON");
  addIndexFlags(command);
  command.action((file: string, options: { json?: boolean }) =>
    run((signal) =>
      withIndex(command, file, signal, async (set) => {
        if (options.json) printJson(set);
        else print(renderEvidence(set.items));
        return undefined;
      }),
    ),
  );
  withExamples(
    command,
    "index lecture.mp4",
    "index film.mp4 --ocr off --model openai:gpt-4.1 --json",
  );
}

/** Adds the flags of the settings that an index reads. */
export function addIndexFlags(command: Command): void {
  addSettingFlags(command, (path) => INDEX_SETTINGS.test(path));
}

/** Indexes a video by the flags of a command, with progress, and calls `body` with the evidence while the store is open. */
export async function withIndex<T>(
  command: Command,
  file: string,
  signal: AbortSignal,
  body: (set: EvidenceSet, store: Store) => Promise<T>,
): Promise<T> {
  const { indexSettings, indexVideo } = await import("../../../graphs/index-video.ts");
  const { openVideo } = await import("../../../tools/video/video.ts");
  const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
  const spec = givenSettings(command);
  const { data } = indexSettings(spec).runtime;
  const { openStore } = await import("../../storage/open.ts");
  const store = await openStore(resolve(data));
  const view = stageProgress({ after_ms: QUIET_MS });
  try {
    const job = { store, run: "tools", signal };
    const video = await openVideo(file, job);
    let seq = 0;
    const set = await indexVideo(video, spec, job, undefined, (stage, event) =>
      view.onEvent({ ...event, stage, seq: ++seq, question: "index", at: Date.now() }),
    );
    return await body(set, store);
  } finally {
    view.done();
    closeOcr();
    await store.close();
  }
}
