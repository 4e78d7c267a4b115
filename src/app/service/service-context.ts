import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { ListedUpload } from "../../core/service-lists.ts";
import { instantOf, type VideoView } from "./api.ts";
import type { Authenticator, Caller } from "./auth.ts";
import type { ChangeNotifier } from "./change-notifier.ts";
import type { Client, Forwarded } from "./client-address.ts";
import type { EventReaders } from "./event-readers.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { notFound } from "./problems.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { StoredQuestion } from "./question-record.ts";
import type { Quota } from "./quota.ts";
import type { Uploads } from "./uploads.ts";

export interface Env {
  Bindings: HttpBindings;
  Variables: { request: string; caller: Caller; client: Client };
}

export type App = OpenAPIHono<Env>;
export type Ctx = Context<Env>;

/** What handlers work with, created once for a service. */
export interface ServiceContext {
  store: Store;
  options: ServiceOptions;
  authenticator: Authenticator;
  clientOf: (given: Forwarded) => Client;
  hidePaths: (text: string) => string;
  quota: Quota;
  uploads: Uploads;
  questions: QuestionQueue;
  changes: ChangeNotifier;
  readers: EventReaders;
  metrics: Metrics;
  log: Logger;
}

/** The caller's upload. Throws a 404 problem for a missing upload and for one of another caller. */
export async function ownUpload(
  { store }: ServiceContext,
  caller: Caller,
  id: string,
): Promise<UploadRow> {
  const row = await store.service.upload(id);
  if (row !== undefined && row.owner === caller.owner) return row;
  throw notFound("an upload");
}

/** As `ownUpload`, for a complete upload whose file exists. */
export async function ownVideo(context: ServiceContext, caller: Caller, id: string) {
  const row = await context.store.service.upload(id);
  if (row?.video != null && row.owner === caller.owner && (await context.uploads.fileExists(row)))
    return { ...row, video: row.video };
  throw notFound("a video");
}

/** The current state of the caller's question. Throws a 404 problem. */
export async function ownQuestion(
  context: ServiceContext,
  caller: Caller,
  id: string,
): Promise<StoredQuestion> {
  const row = await context.store.service.question(id);
  if (row !== undefined && row.owner === caller.owner) return context.questions.current(row);
  throw notFound("a question");
}

export function videoView({ row, questions, tags }: ListedUpload): VideoView {
  const { id, name, size, created_at, video } = row;
  return {
    id,
    name,
    size,
    created_at: instantOf(created_at),
    questions,
    tags,
    duration_s: video?.duration_s ?? 0,
    width: video?.width ?? null,
    height: video?.height ?? null,
  };
}

/** The header of a response that created a thing: its path. */
export function locationOf(kind: "videos" | "questions" | "uploads", id: string) {
  return { Location: `/api/v1/${kind}/${id}` };
}
