import { writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { AskResult } from "../../../graphs/ask.ts";
import { illustratedPage } from "../../../tools/evidence-page.ts";
import { openVideo } from "../../../tools/video/video.ts";
import type { Store } from "../../core/contracts.ts";
import { toFailure } from "../../core/errors.ts";
import type { Settings } from "../../core/settings.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { openStore } from "../../storage/open.ts";

/** Writes the evidence page of an answer, with thumbnails. Throws `Failure` `file-unreadable`, `disk-full`. */
export async function writeEvidencePage(
  file: string,
  videoPath: string,
  { question, answer, evidence, events }: AskResult,
  settings: Settings,
  /** The store with the frames; default: the store of the settings. */
  given?: Store,
): Promise<void> {
  const store = given ?? (await openStore(resolve(settings.runtime.data)));
  try {
    const video = await openVideo(resolve(videoPath), { store, run: "page" });
    const html = await illustratedPage(
      {
        video: { name: basename(videoPath), duration_s: video.probe.duration_s },
        question,
        answer,
        evidence,
        events,
        strategy: settings.strategy,
      },
      store,
    );
    await makeFolder(dirname(file));
    await writeFile(file, html);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  } finally {
    if (given === undefined) await store.close();
  }
}
