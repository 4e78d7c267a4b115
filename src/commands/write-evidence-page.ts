import { writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import sharp from "sharp";
import type { Asking } from "../../graphs/ask.ts";
import { openVideo } from "../../tools/video.ts";
import type { Store } from "../core/contracts.ts";
import { toFailure } from "../core/errors.ts";
import { usageByStage } from "../core/events.ts";
import type { Settings } from "../core/settings.ts";
import type { Evidence } from "../core/shapes.ts";
import { evidencePage } from "../pages/evidence-page.ts";
import { makeFolder } from "../storage/make-folder.ts";
import { openStore } from "../storage/open.ts";

const THUMBNAIL_WIDTH = 320;
/** More pictures than this make a page that phones cannot open. */
const MOST_THUMBNAILS = 200;

/** Writes the page with thumbnails of the frames that the evidence names, those of cited items before all others. */
export async function writeEvidencePage(
  file: string,
  videoPath: string,
  { question, answer, evidence, events }: Asking,
  settings: Settings,
  /** Where the frames are; default: the store of the settings, opened and closed again. */
  given?: Store,
): Promise<void> {
  const store = given ?? (await openStore(resolve(settings.runtime.data)));
  try {
    const video = await openVideo(resolve(videoPath), { store, run: "page" });
    const calls = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
    const cited = (item: Evidence) => Number(answer.cites.includes(item.id));
    const first = evidence.items.toSorted((a, b) => cited(b) - cited(a));
    const hashes = [...new Set(first.flatMap((item) => item.frame?.hash ?? []))];
    const html = evidencePage({
      video: { name: basename(videoPath), duration_s: video.probe.duration_s },
      question,
      answer,
      evidence: evidence.items,
      strategy: settings.strategy,
      model: calls[0]?.model ?? null,
      calls,
      usage: usageByStage(events),
      thumbnails: await thumbnails(hashes.slice(0, MOST_THUMBNAILS), store),
    });
    await makeFolder(dirname(file));
    await writeFile(file, html);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  } finally {
    if (given === undefined) await store.close();
  }
}

async function thumbnails(hashes: readonly string[], store: Store): Promise<Map<string, string>> {
  const pictures = await Promise.all(
    hashes.map(async (hash): Promise<[string, string]> => {
      const small = await sharp(await store.blobs.read(hash))
        .resize({ width: THUMBNAIL_WIDTH, withoutEnlargement: true })
        .jpeg({ quality: 70 })
        .toBuffer();
      return [hash, `data:image/jpeg;base64,${small.toString("base64")}`];
    }),
  );
  return new Map(pictures);
}
