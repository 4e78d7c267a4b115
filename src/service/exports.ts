import { thumbnail } from "../../tools/thumbnail.ts";
import type { Store, UploadRow } from "../core/contracts.ts";
import { usageByStage } from "../core/events.ts";
import { evidencePage } from "../pages/evidence-page.ts";
import { readSet } from "./evidence-sets.ts";
import { refuse } from "./problems.ts";
import type { Kept } from "./record.ts";

const THUMBNAIL_WIDTH = 320;
/** More pictures than this make a page that phones cannot open. */
const MOST_THUMBNAILS = 200;

/** The evidence page of an answered question, with the evidence that the answer was reasoned from. */
export async function exportPage(store: Store, upload: UploadRow, kept: Kept): Promise<string> {
  const { answer, asked, strategy, model } = kept.record;
  if (answer === null)
    throw refuse(409, "not-answered", "Expected a question that came to an answer.");
  const { items } = await readSet(store, answer.set);
  const events = lastRun(await store.events.after(kept.id, 0));
  const cited = (id: string) => Number(answer.cites.includes(id));
  const first = items.toSorted((a, b) => cited(b.id) - cited(a.id));
  const hashes = [...new Set(first.flatMap((item) => item.frame?.hash ?? []))];
  const thumbnails = new Map<string, string>();
  for (const hash of hashes.slice(0, MOST_THUMBNAILS)) {
    const small = Buffer.from(await thumbnail(store, hash, THUMBNAIL_WIDTH));
    thumbnails.set(hash, `data:image/jpeg;base64,${small.toString("base64")}`);
  }
  return evidencePage({
    video: { name: upload.name, duration_s: upload.video?.duration_s ?? 0 },
    question: asked,
    answer,
    evidence: items,
    strategy,
    model,
    calls: events.flatMap((event) => (event.type === "call" ? [event.call] : [])),
    usage: usageByStage(events),
    thumbnails,
  });
}

function lastRun<T extends { type: string; stage: string }>(events: readonly T[]): readonly T[] {
  const begun = events.findLastIndex(({ type, stage }) => type === "note" && stage === "service");
  return events.slice(begun + 1);
}

/**
 * A row of an evaluation set as the benchmarks' loaders read it: VCRBench's for an order, MMR-V's for a choice. The
 * video goes beside it in `videos/` under `video_file` or `video`. Throws a problem 409 or 422 where no row can be made.
 */
export function evaluationRow(
  upload: UploadRow,
  { id, record }: Kept,
): { [column: string]: unknown } {
  const { asked, review, answer } = record;
  if (review === null)
    throw refuse(
      409,
      "not-reviewed",
      "Expected an answer that was approved or corrected: what nobody looked at is no test data.",
    );
  const video = fileNameOf(upload);
  if (asked.task === "order" && Array.isArray(review.answer))
    return {
      qid: id,
      goal: asked.goal,
      video_file: video,
      ground_truth: review.answer.map((clip) => clip - 1),
    };
  if (asked.task === "choice" && asked.options !== undefined)
    return {
      video,
      question: asked.text,
      options: asked.options.map(({ letter, text }) => `(${letter}) ${text}`),
      correctAnswer: `(${review.answer})`,
      videoType: "",
      reviewed_by: review.by,
      answered: answer?.answer ?? null,
    };
  throw refuse(
    422,
    "no-row",
    "Expected a question with options or of order: no benchmark here has open answers.",
  );
}

/** A plain file name that tells videos of one name apart. */
function fileNameOf({ name, video, id }: UploadRow): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+/, "");
  return `${(video?.hash ?? id).slice(0, 12)}-${plain || "video"}`;
}
