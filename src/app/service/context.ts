import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Logger } from "pino";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { Caller, Gate } from "./admission.ts";
import type { VideoView } from "./api.ts";
import type { Wakes } from "./change-notifier.ts";
import type { Client, Forwarded } from "./client-address.ts";
import type { EventReaders } from "./event-readers.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { notFound } from "./problems.ts";
import type { Asking } from "./question-queue.ts";
import type { Quota } from "./quota.ts";
import type { Kept } from "./record.ts";
import type { Uploads } from "./uploads.ts";

export interface Env {
  Bindings: HttpBindings;
  Variables: { request: string; caller: Caller; client: Client };
}

export type App = OpenAPIHono<Env>;
export type Ctx = Context<Env>;

/** Everything that handlers work with: made once for a service. */
export interface Parts {
  store: Store;
  options: ServiceOptions;
  gate: Gate;
  clientOf: (given: Forwarded) => Client;
  hidePaths: (text: string) => string;
  quota: Quota;
  uploads: Uploads;
  asking: Asking;
  wakes: Wakes;
  readers: EventReaders;
  metrics: Metrics;
  log: Logger;
}

/** The caller's upload, or a problem 404: what belongs to others is not there. */
export async function ownUpload({ store }: Parts, caller: Caller, id: string): Promise<UploadRow> {
  const row = await store.service.upload(id);
  if (row !== undefined && row.owner === caller.owner) return row;
  throw notFound("an upload");
}

/** As `ownUpload`, of one that is whole. A video whose file is gone is no video. */
export async function ownVideo(parts: Parts, caller: Caller, id: string) {
  const row = await parts.store.service.upload(id);
  if (row?.video != null && row.owner === caller.owner && (await parts.uploads.isThere(row)))
    return { ...row, video: row.video };
  throw notFound("a video");
}

/** The caller's question as it stands at this moment. */
export async function ownQuestion(parts: Parts, caller: Caller, id: string): Promise<Kept> {
  const row = await parts.store.service.question(id);
  if (row !== undefined && row.owner === caller.owner) return parts.asking.now(row);
  throw notFound("a question");
}

export function videoView(row: UploadRow, questions: number): VideoView {
  const { id, name, size, created_at, video } = row;
  return {
    id,
    name,
    size,
    created_at,
    questions,
    duration_s: video?.duration_s ?? 0,
    width: video?.width ?? null,
    height: video?.height ?? null,
  };
}
