import type { Store } from "../../core/contracts.ts";
import { isFailure } from "../../core/errors.ts";
import type { WebhookDelivery } from "../../core/webhook-queue.ts";
import { instantOf } from "./api.ts";
import { parseStoredQuestion, toQuestionView } from "./question-record.ts";
import { videoView } from "./service-context.ts";

/** Most bytes of a body. A larger one is sent without its data. */
const MAX_BYTES = 256 * 1024;

/**
 * The body of a call: the event, and the question or video as version 1 of the API shows it. `data` is null if it was
 * removed in the meantime, or is larger than 256 KiB (`truncated`).
 */
export async function webhookBody(store: Store, delivery: WebhookDelivery): Promise<string> {
  const { id, event, subject, at } = delivery;
  const isVideo = event.startsWith("video.");
  const head = {
    id,
    event,
    created_at: instantOf(at),
    [isVideo ? "video" : "question"]: subject,
  };
  const data = isVideo ? await videoData(store, subject) : await questionData(store, subject);
  const body = JSON.stringify({ ...head, data });
  if (Buffer.byteLength(body) <= MAX_BYTES) return body;
  return JSON.stringify({ ...head, data: null, truncated: true });
}

async function videoData(store: Store, id: string) {
  const row = await store.service.upload(id);
  return row === undefined ? null : videoView({ row, ...(await store.service.aboutUpload(id)) });
}

async function questionData(store: Store, id: string) {
  const row = await store.service.question(id);
  try {
    return row === undefined ? null : toQuestionView(parseStoredQuestion(row));
  } catch (error) {
    if (isFailure(error, "store-damaged")) return null;
    throw error;
  }
}
