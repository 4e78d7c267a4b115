import type { Store } from "../src/core/contracts.ts";
import { type Event, usageByStage } from "../src/core/events.ts";
import type { Answer, Evidence, Question } from "../src/core/shapes.ts";
import { evidencePage } from "../src/pages/evidence-page.ts";
import { thumbnail } from "./video/thumbnail.ts";

const THUMBNAIL_WIDTH = 320;
/** More pictures than this make a page that phones cannot open. */
const MOST_THUMBNAILS = 200;

export interface Answered {
  video: { name: string; duration_s: number };
  question: Question;
  answer: Answer;
  evidence: readonly Evidence[];
  /** Those of the asking that came to the answer. */
  events: readonly Event[];
  strategy: string;
  /** Default: that of the first call that is no embedding; null where there was none. */
  model?: string | null;
}

/** The evidence page with small pictures of the frames that the evidence names, those of cited items before all others. */
export async function illustratedPage(
  { events, model, ...answered }: Answered,
  store: Pick<Store, "blobs">,
): Promise<string> {
  const calls = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
  const cited = (item: Evidence) => Number(answered.answer.cites.includes(item.id));
  const first = answered.evidence.toSorted((a, b) => cited(b) - cited(a));
  const hashes = [...new Set(first.flatMap((item) => item.frame?.hash ?? []))];
  const pictures = await Promise.all(
    hashes.slice(0, MOST_THUMBNAILS).map(async (hash): Promise<[string, string]> => {
      const small = Buffer.from(await thumbnail(store, hash, THUMBNAIL_WIDTH));
      return [hash, `data:image/jpeg;base64,${small.toString("base64")}`];
    }),
  );
  return evidencePage({
    ...answered,
    model: model ?? calls.find(({ role }) => role !== "embedder")?.model ?? null,
    calls,
    usage: usageByStage(events),
    thumbnails: new Map(pictures),
  });
}
