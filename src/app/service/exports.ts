import { illustratedPage } from "../../../tools/evidence-page.ts";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { Event } from "../../core/events.ts";
import { readSet } from "./evidence-sets.ts";
import { refuse } from "./problems.ts";
import type { Kept } from "./record.ts";

/** The evidence page of an answered question, with the evidence that the answer was reasoned from. */
export async function exportPage(store: Store, upload: UploadRow, kept: Kept): Promise<string> {
  const { answer, asked, strategy, model } = kept.record;
  if (answer === null)
    throw refuse(409, "not-answered", "Expected a question that came to an answer.");
  const { items } = await readSet(store, answer.set);
  const events = lastRun(await store.events.after(kept.id, 0));
  const video = { name: upload.name, duration_s: upload.video?.duration_s ?? 0 };
  const page = { video, question: asked, answer, evidence: items, events, strategy, model };
  return illustratedPage(page, store);
}

function lastRun(events: readonly Event[]): readonly Event[] {
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
