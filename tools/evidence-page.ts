import type { Store } from "../src/core/contracts.ts";
import { type Event, usageByStage } from "../src/core/events.ts";
import type { Answer, Evidence, EvidenceSet, Question } from "../src/core/shapes.ts";
import { evidencePage } from "../src/pages/evidence-page.ts";
import { thumbnail } from "./video/thumbnail.ts";

const THUMBNAIL_WIDTH = 320;
/** Phones cannot open a page with more pictures. */
const MOST_THUMBNAILS = 200;

export interface EvidencePageInput {
  video: { name: string; duration_s: number };
  question: Question;
  answer: Answer;
  evidence: Pick<EvidenceSet, "items" | "names">;
  /** The events of this question, up to its answer. */
  events: readonly Event[];
  strategy: string;
  /**
   * The model shown on the page. Default: the model of the first call that is not an embedding, or null without such
   * a call.
   */
  model?: string | null;
}

/**
 * Returns the evidence page as HTML, with a thumbnail of each frame that the evidence names. Frames of cited evidence
 * come first.
 */
export async function illustratedPage(
  { events, model, ...answered }: EvidencePageInput,
  store: Pick<Store, "blobs">,
): Promise<string> {
  const calls = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
  const cited = (item: Evidence) => Number(answered.answer.cites.includes(item.id));
  const first = answered.evidence.items.toSorted((a, b) => cited(b) - cited(a));
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
