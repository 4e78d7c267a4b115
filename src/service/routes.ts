import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { Hash } from "../core/shapes.ts";
import {
  EvidenceList,
  EvidencePatch,
  Export,
  FromUrl,
  Id,
  NewEvidence,
  NewQuestion,
  NewReview,
  NewSession,
  NewUpload,
  Problem,
  QuestionView,
  ReportView,
  ServiceView,
  SessionView,
  UploadView,
  VideoView,
} from "./api.ts";

/* Every route with what it takes and gives; `app.ts` joins them to what they do. */

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  content: { "application/json": { schema } },
  description,
});
const body = <T extends z.ZodType>(schema: T) => ({
  content: { "application/json": { schema } },
  required: true,
});
const text = (type: string, description: string) => ({
  content: { [type]: { schema: z.string() } },
  description,
});
const bytes = (type: string) => ({
  content: { [type]: { schema: z.string().meta({ format: "binary" }) } },
});

const TITLES = {
  400: "The request could not be read",
  401: "A token is needed",
  403: "Not allowed",
  404: "Nothing of that name",
  409: "Not at this time",
  413: "Too large",
  415: "Of a kind that is not taken",
  416: "No such range",
  422: "Not as it should be",
  429: "Too much at once",
  507: "No room",
} as const;

function problems(...statuses: (keyof typeof TITLES)[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { content: { "application/problem+json": { schema: Problem } }, description: TITLES[status] },
    ]),
  );
}

const params = <T extends z.ZodRawShape>(shape: T) => z.object(shape);
const one = params({ id: Id });
const item = params({ id: Id, evidence: Hash });

const route = <const Path extends string, R extends Omit<RouteConfig, "path"> & { path: Path }>(
  config: R,
) => createRoute<Path, R>(config);

/* The service itself */

export const health = route({
  method: "get",
  path: "/healthz",
  tags: ["service"],
  summary: "Whether the process answers",
  responses: { 200: json(z.object({ status: z.literal("ok") }), "It does") },
});

const Check = z.object({ ok: z.boolean(), detail: z.string() });
const Ready = z.object({ ready: z.boolean(), checks: z.record(z.string(), Check) });

export const readiness = route({
  method: "get",
  path: "/readyz",
  tags: ["service"],
  summary:
    "Whether work can be taken: the store can be written, ffmpeg is there, no stop is under way",
  responses: { 200: json(Ready, "Ready"), 503: json(Ready, "Not ready, and why") },
});

export const metrics = route({
  method: "get",
  path: "/metrics",
  tags: ["service"],
  summary: "Figures for Prometheus",
  responses: { 200: text("text/plain", "Prometheus text"), ...problems(401, 429) },
});

export const service = route({
  method: "get",
  path: "/api/service",
  tags: ["service"],
  summary: "What can be asked here: models, strategies, settings, limits",
  responses: { 200: json(ServiceView, "The service"), ...problems(401, 429) },
});

export const session = route({
  method: "post",
  path: "/api/session",
  tags: ["service"],
  summary:
    "Trade a token for a cookie, for what cannot send a header (pictures, players, event streams)",
  request: { body: body(NewSession) },
  responses: { 200: json(SessionView, "The cookie is set"), ...problems(401, 403, 422, 429) },
});

export const endSession = route({
  method: "delete",
  path: "/api/session",
  tags: ["service"],
  summary: "Sign out: the cookie is worth nothing afterwards",
  responses: { 204: { description: "Signed out" }, ...problems(401, 403, 429) },
});

export const listReports = route({
  method: "get",
  path: "/api/reports",
  tags: ["reports"],
  summary: "Evaluation reports in the folder given by --reports",
  responses: {
    200: json(z.object({ reports: z.array(ReportView) }), "The reports"),
    ...problems(401, 429),
  },
});

export const report = route({
  method: "get",
  path: "/reports/{name}",
  tags: ["reports"],
  summary: "One evaluation report",
  request: { params: params({ name: z.string().min(1).max(300) }) },
  responses: { 200: text("text/html", "The page"), ...problems(401, 404, 422, 429) },
});

/* Videos */

export const startUpload = route({
  method: "post",
  path: "/api/uploads",
  tags: ["videos"],
  summary: "Begin an upload in parts",
  request: { body: body(NewUpload) },
  responses: { 201: json(UploadView, "Begun"), ...problems(401, 403, 413, 415, 422, 429, 507) },
});

export const upload = route({
  method: "get",
  path: "/api/uploads/{id}",
  tags: ["videos"],
  summary: "How much of an upload has arrived",
  request: { params: one },
  responses: { 200: json(UploadView, "The upload"), ...problems(401, 404, 422, 429) },
});

export const continueUpload = route({
  method: "patch",
  path: "/api/uploads/{id}",
  tags: ["videos"],
  summary: "Send the next part; the last one makes a video of it, or a problem 415",
  request: {
    params: one,
    headers: z.object({
      "content-range": z.string().meta({ description: "`bytes FIRST-LAST/SIZE`" }),
    }),
    body: bytes("application/octet-stream"),
  },
  responses: {
    200: json(UploadView, "Taken"),
    ...problems(400, 401, 403, 404, 409, 413, 415, 416, 422, 429, 507),
  },
});

export const dropUpload = route({
  method: "delete",
  path: "/api/uploads/{id}",
  tags: ["videos"],
  summary: "Give an unfinished upload up",
  request: { params: one },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 409, 422, 429) },
});

export const postVideo = route({
  method: "post",
  path: "/api/videos",
  tags: ["videos"],
  summary: "Upload a video in one request",
  request: {
    headers: z.object({
      "x-file-name": z
        .string()
        .min(1)
        .max(2000)
        .meta({ description: "Name of the file, percent-encoded UTF-8" }),
    }),
    body: bytes("application/octet-stream"),
  },
  responses: {
    201: json(VideoView, "The video"),
    ...problems(400, 401, 403, 413, 415, 422, 429, 507),
  },
});

export const fetchVideo = route({
  method: "post",
  path: "/api/videos/from-url",
  tags: ["videos"],
  summary: "Fetch a video from a host that --allow-url names",
  request: { body: body(FromUrl) },
  responses: {
    201: json(VideoView, "The video"),
    ...problems(400, 401, 403, 413, 415, 422, 429, 507),
  },
});

export const listVideos = route({
  method: "get",
  path: "/api/videos",
  tags: ["videos"],
  summary: "The caller's videos, the last one first",
  responses: {
    200: json(z.object({ videos: z.array(VideoView) }), "The videos"),
    ...problems(401, 429),
  },
});

export const video = route({
  method: "get",
  path: "/api/videos/{id}",
  tags: ["videos"],
  summary: "One video",
  request: { params: one },
  responses: { 200: json(VideoView, "The video"), ...problems(401, 404, 422, 429) },
});

export const deleteVideo = route({
  method: "delete",
  path: "/api/videos/{id}",
  tags: ["videos"],
  summary: "Remove a video with all that was derived from it",
  request: { params: one },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 422, 429) },
});

export const media = route({
  method: "get",
  path: "/api/videos/{id}/media",
  tags: ["videos"],
  summary: "The file, or a range of it",
  request: {
    params: one,
    headers: z.object({ range: z.string().optional() }),
  },
  responses: {
    200: { ...bytes("application/octet-stream"), description: "All of it" },
    206: { ...bytes("application/octet-stream"), description: "The range" },
    ...problems(401, 404, 416, 422, 429),
  },
});

export const thumbnail = route({
  method: "get",
  path: "/api/videos/{id}/thumbnail",
  tags: ["videos"],
  summary: "The frame nearest to a time, 320 pixels wide",
  request: {
    params: one,
    query: z.object({ t_s: z.coerce.number().min(0).max(1_000_000) }),
  },
  responses: {
    200: { ...bytes("image/jpeg"), description: "JPEG" },
    ...problems(401, 404, 422, 429),
  },
});

export const frame = route({
  method: "get",
  path: "/api/frames/{hash}",
  tags: ["videos"],
  summary: "A frame of one of the caller's videos, as evidence names it",
  request: {
    params: params({ hash: Hash }),
    query: z.object({
      width: z.coerce.number().int().min(16).max(4096).optional(),
    }),
  },
  responses: {
    200: { ...bytes("image/jpeg"), description: "JPEG" },
    ...problems(401, 404, 422, 429),
  },
});

/* Questions */

export const listQuestions = route({
  method: "get",
  path: "/api/videos/{id}/questions",
  tags: ["questions"],
  summary: "Questions asked of a video, in the order of asking",
  request: { params: one },
  responses: {
    200: json(z.object({ questions: z.array(QuestionView) }), "The questions"),
    ...problems(401, 404, 422, 429),
  },
});

export const askQuestion = route({
  method: "post",
  path: "/api/videos/{id}/questions",
  tags: ["questions"],
  summary: "Ask: the question is queued",
  request: { params: one, body: body(NewQuestion) },
  responses: { 202: json(QuestionView, "Queued"), ...problems(401, 403, 404, 415, 422, 429, 507) },
});

export const question = route({
  method: "get",
  path: "/api/questions/{id}",
  tags: ["questions"],
  summary: "A question with its state and answer",
  request: { params: one },
  responses: { 200: json(QuestionView, "The question"), ...problems(401, 404, 422, 429) },
});

export const cancelQuestion = route({
  method: "post",
  path: "/api/questions/{id}/cancel",
  tags: ["questions"],
  summary: "Stop a question that waits or runs",
  request: { params: one },
  responses: {
    202: json(QuestionView, "It stops"),
    ...problems(401, 403, 404, 409, 422, 429),
  },
});

export const questionEvents = route({
  method: "get",
  path: "/api/questions/{id}/events",
  tags: ["questions"],
  summary: "Its events as they come; resumes after `Last-Event-ID`; closes with `event: end`",
  request: {
    params: one,
    headers: z.object({ "last-event-id": z.string().max(20).optional() }),
    query: z.object({ after: z.coerce.number().int().min(0).optional() }),
  },
  responses: { 200: text("text/event-stream", "Events"), ...problems(401, 404, 422, 429) },
});

/* Evidence and reviews */

export const evidence = route({
  method: "get",
  path: "/api/questions/{id}/evidence",
  tags: ["evidence"],
  summary: "The evidence at hand",
  request: { params: one },
  responses: { 200: json(EvidenceList, "The set"), ...problems(401, 404, 409, 422, 429) },
});

export const addEvidence = route({
  method: "post",
  path: "/api/questions/{id}/evidence",
  tags: ["evidence"],
  summary: "Add an item: makes another set, based on the one at hand",
  request: { params: one, body: body(NewEvidence) },
  responses: {
    201: json(EvidenceList, "The set made"),
    ...problems(401, 403, 404, 409, 415, 422, 429, 507),
  },
});

export const editEvidence = route({
  method: "patch",
  path: "/api/questions/{id}/evidence/{evidence}",
  tags: ["evidence"],
  summary: "Correct an item, or put a rejected one back: makes another set",
  request: { params: item, body: body(EvidencePatch) },
  responses: {
    200: json(EvidenceList, "The set made"),
    ...problems(401, 403, 404, 409, 415, 422, 429, 507),
  },
});

export const rejectEvidence = route({
  method: "delete",
  path: "/api/questions/{id}/evidence/{evidence}",
  tags: ["evidence"],
  summary: "Reject an item: makes another set",
  request: { params: item },
  responses: {
    200: json(EvidenceList, "The set made"),
    ...problems(401, 403, 404, 409, 422, 429, 507),
  },
});

export const reasonAgain = route({
  method: "post",
  path: "/api/questions/{id}/reason-again",
  tags: ["evidence"],
  summary:
    "Reason over the evidence at hand, recognising nothing: another question, `from` this one",
  request: { params: one },
  responses: {
    202: json(QuestionView, "Queued"),
    ...problems(401, 403, 404, 409, 422, 429, 507),
  },
});

export const review = route({
  method: "put",
  path: "/api/questions/{id}/review",
  tags: ["evidence"],
  summary: "Approve or correct the answer",
  request: { params: one, body: body(NewReview) },
  responses: {
    200: json(QuestionView, "Kept"),
    ...problems(401, 403, 404, 409, 415, 422, 429, 507),
  },
});

export const exportQuestion = route({
  method: "get",
  path: "/api/questions/{id}/export",
  tags: ["evidence"],
  summary: "As JSON, as an evidence page, or as a row of an evaluation set (reviewed answers only)",
  request: { params: one, query: z.object({ as: z.enum(["json", "html", "row"]) }) },
  responses: {
    200: {
      description: "The export",
      content: {
        "application/json": { schema: z.union([Export, z.record(z.string(), z.unknown())]) },
        "text/html": { schema: z.string() },
      },
    },
    ...problems(401, 404, 409, 422, 429),
  },
});
