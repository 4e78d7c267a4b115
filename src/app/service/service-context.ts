import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { ListedUpload } from "../../core/service-lists.ts";
import type { createTurns } from "../../core/turns.ts";
import type { HttpSessions } from "../mcp/http-sessions.ts";
import { instantOf, type VideoView } from "./api.ts";
import type { Authenticator, Caller } from "./auth.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { ChangeNotifier } from "./change-notifier.ts";
import type { Client, Forwarded } from "./client-address.ts";
import type { EventReaders } from "./event-readers.ts";
import type { HumanStudy } from "./human-study.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { httpProblem, notFound } from "./problems.ts";
import type { QuestionQueue } from "./question-queue.ts";
import type { StoredQuestion } from "./question-record.ts";
import type { Quota } from "./quota.ts";
import { counting } from "./ratings.ts";
import { hasRole } from "./roles.ts";
import type { Uploads } from "./uploads.ts";
import type { WatchedWorkers } from "./workers/watch-workers.ts";

export interface Env {
  Bindings: HttpBindings;
  /** `made`: the id of what the request creates, for requests that are answered once. */
  Variables: { request: string; caller: Caller; client: Client; made: string | undefined };
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
  /** What changes, for the pages that show it. */
  feed: ChangeFeed;
  readers: EventReaders;
  metrics: Metrics;
  log: Logger;
  humanStudy: HumanStudy | null;
  /** The workers that answer the questions; null: this process answers them. */
  workers: WatchedWorkers | null;
  /** The sessions of MCP clients. */
  mcp: HttpSessions;
  /** Serialises changes of one question: of its evidence and its reviews. */
  inTurn: ReturnType<typeof createTurns>;
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

/** Whether the caller may read what this owner has: the own, and with the role `review` that of all keys. */
export function mayRead({ owner, roles }: Caller, of: string): boolean {
  return of === owner || hasRole(roles, ["review"]);
}

/** As `ownVideo`, also for reviewers of other keys' answers. */
export async function readableVideo(context: ServiceContext, caller: Caller, id: string) {
  const row = await context.store.service.upload(id);
  if (row?.video != null && mayRead(caller, row.owner) && (await context.uploads.fileExists(row)))
    return { ...row, video: row.video };
  throw notFound("a video");
}

/** A question that the caller may review, whose answer they may not see yet. Throws a 404 problem. */
export async function ratedQuestion(
  context: ServiceContext,
  caller: Caller,
  id: string,
): Promise<StoredQuestion> {
  const row = await context.store.service.question(id);
  if (row !== undefined && mayRead(caller, row.owner)) return context.questions.current(row);
  throw notFound("a question");
}

/**
 * As `ownQuestion`, also for reviewers of other keys' answers. Throws a 403 problem for an answer of another key that they
 * have to review blind first.
 */
export async function readableQuestion(
  context: ServiceContext,
  caller: Caller,
  id: string,
): Promise<StoredQuestion> {
  const question = await ratedQuestion(context, caller, id);
  if (!context.options.reviews.blind || question.owner === caller.owner) return question;
  const { conflict } = question.record;
  const own = counting(await context.store.service.ratingsOf(id)).some(
    ({ rater }) => rater === caller.owner,
  );
  if (own || conflict || hasRole(caller.roles, ["operate"])) return question;
  throw httpProblem(
    403,
    "blind-review",
    "Answers are reviewed blind here. Review this one first; GET /api/v1/reviews/next shows the question.",
  );
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
