import { illustratedPage } from "../../../tools/evidence-page.ts";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { Event } from "../../core/events.ts";
import { sourceName } from "./event-view.ts";
import { readSet } from "./evidence-sets.ts";
import { httpProblem } from "./problems.ts";
import type { StoredQuestion } from "./question-record.ts";

/** The evidence page of an answered question, with the evidence set of its answer. Throws a 409 problem. */
export async function exportPage(
  store: Store,
  upload: UploadRow,
  question: StoredQuestion,
): Promise<string> {
  const { answer, asked, strategy, model } = question.record;
  if (answer === null)
    throw httpProblem(409, "not-answered", "The question has no answer yet. Wait for it to end.");
  const { items, ...set } = await readSet(store, answer.set);
  const evidence = {
    ...set,
    items: items.map(({ by, ...item }) => ({
      ...item,
      by: { ...by, name: sourceName(by.name, upload.id, upload.name) },
    })),
  };
  const events = lastRun(await store.events.after(question.id, 0));
  const video = { name: upload.name, duration_s: upload.video?.duration_s ?? 0 };
  const page = { video, question: asked, answer, evidence, events, strategy, model };
  return illustratedPage(page, store);
}

/** Events of the last run: those after its first event, a note of the service. */
export function lastRun(events: readonly Event[]): readonly Event[] {
  const start = events.findLastIndex(({ type, stage }) => type === "note" && stage === "service");
  return events.slice(start + 1);
}

/**
 * A row of an evaluation set in the format of a benchmark: VCRBench for an order question, MMR-V for multiple choice.
 * `video_file` or `video` names the video file in the folder `videos/` next to the rows. Throws a 409 problem (not
 * reviewed) or a 422 problem (an open question, an order without all clips).
 */
export function evaluationRow(
  upload: UploadRow,
  { id, record }: StoredQuestion,
): { [column: string]: unknown } {
  const { asked, review, answer, clips = [] } = record;
  if (review === null)
    throw httpProblem(
      409,
      "not-reviewed",
      "The answer is not reviewed. Approve or correct it first.",
    );
  const video = fileNameOf(upload);
  const order = Array.isArray(review.answer) ? review.answer : null;
  const missing = clips.filter(({ number }) => order?.includes(number) === false);
  if (missing.length > 0)
    throw httpProblem(
      422,
      "no-row",
      `Cannot export the order as a row: it leaves out clip ${missing.map(({ number }) => number).join(", ")}. Correct it to an order of all clips.`,
    );
  if (asked.task === "order" && order !== null)
    return {
      qid: id,
      goal: asked.goal,
      video_file: video,
      ground_truth: order.map((clip) => clip - 1),
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
  throw httpProblem(
    422,
    "no-row",
    "Cannot export an open question as a row: the benchmarks have multiple-choice and order questions only.",
  );
}

/** A safe file name; the hash distinguishes videos of the same name. */
export function fileNameOf({ name, video, id }: UploadRow): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+/, "");
  return `${(video?.hash ?? id).slice(0, 12)}-${plain || "video"}`;
}
