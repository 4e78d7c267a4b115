import { z } from "zod";
import { UPLOAD_SORTS } from "../../../core/service-lists.ts";
import { Hash } from "../../../core/shapes.ts";
import {
  BulkDelete,
  BulkDeleted,
  EstimateView,
  FromUrl,
  NewEstimate,
  NewUpload,
  SubtitlesView,
  Tag,
  TagView,
  UploadView,
  VideoPatch,
  VideoView,
} from "../api.ts";
import { listOf, listQuery } from "../list-pages.ts";
import {
  body,
  bytes,
  created,
  defineRoute,
  idParams,
  ifMatch,
  json,
  params,
  problems,
} from "./define-route.ts";

export const startUpload = defineRoute({
  method: "post",
  path: "/api/v1/uploads",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Start a resumable upload",
  request: { body: body(NewUpload) },
  responses: {
    201: created(UploadView, "Upload started"),
    ...problems(401, 403, 413, 415, 422, 429, 507),
  },
});

export const upload = defineRoute({
  method: "get",
  path: "/api/v1/uploads/{id}",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Get the offset of an upload",
  request: { params: idParams },
  responses: { 200: json(UploadView, "The upload"), ...problems(401, 404, 422, 429) },
});

export const continueUpload = defineRoute({
  method: "patch",
  path: "/api/v1/uploads/{id}",
  tags: ["videos"],
  roles: ["ask"],
  summary:
    "Send the next chunk; after the last one the file becomes a video, or the request fails with 415",
  request: {
    params: idParams,
    headers: z.object({
      "content-range": z.string().meta({ description: "`bytes FIRST-LAST/SIZE`" }),
    }),
    body: bytes("application/octet-stream"),
  },
  responses: {
    200: json(UploadView, "Chunk stored"),
    ...problems(400, 401, 403, 404, 409, 413, 415, 416, 422, 429, 507),
  },
});

export const dropUpload = defineRoute({
  method: "delete",
  path: "/api/v1/uploads/{id}",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Cancel an unfinished upload",
  request: { params: idParams },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 409, 422, 429) },
});

export const postVideo = defineRoute({
  method: "post",
  path: "/api/v1/videos",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Upload a video in one request",
  request: {
    headers: z.object({
      "x-file-name": z
        .string()
        .min(1)
        .max(2000)
        .meta({ description: "File name, percent-encoded UTF-8" }),
    }),
    body: bytes("application/octet-stream"),
  },
  responses: {
    201: created(VideoView, "The video"),
    ...problems(400, 401, 403, 413, 415, 422, 429, 507),
  },
});

export const fetchVideo = defineRoute({
  method: "post",
  path: "/api/v1/videos/from-url",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Fetch a video from a host that --allow-url allows",
  request: { body: body(FromUrl) },
  responses: {
    201: created(VideoView, "The video"),
    ...problems(400, 401, 403, 413, 415, 422, 429, 507),
  },
});

export const listVideos = defineRoute({
  method: "get",
  path: "/api/v1/videos",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary: "List the caller's videos",
  request: {
    query: listQuery(UPLOAD_SORTS, {
      q: z.string().max(300).optional().meta({ description: "Part of the name, in any case" }),
      tag: Tag.optional(),
    }),
  },
  responses: {
    200: json(listOf(VideoView), "One page of videos"),
    ...problems(401, 422, 429),
  },
});

export const listTags = defineRoute({
  method: "get",
  path: "/api/v1/tags",
  tags: ["videos"],
  roles: ["ask"],
  summary: "List the tags of the caller's videos",
  responses: {
    200: json(listOf(TagView), "All tags, in alphabetical order"),
    ...problems(401, 422, 429),
  },
});

export const editVideo = defineRoute({
  method: "patch",
  path: "/api/v1/videos/{id}",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Rename a video, or replace its tags",
  request: { headers: ifMatch, params: idParams, body: body(VideoPatch) },
  responses: {
    200: json(VideoView, "The changed video"),
    ...problems(401, 403, 404, 412, 415, 422, 429, 507),
  },
});

export const bulkDelete = defineRoute({
  method: "post",
  path: "/api/v1/videos/bulk-delete",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Remove several videos and all data derived from them",
  request: { body: body(BulkDelete) },
  responses: {
    200: json(BulkDeleted, "The videos are removed"),
    ...problems(401, 403, 415, 422, 429),
  },
});

export const video = defineRoute({
  method: "get",
  path: "/api/v1/videos/{id}",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary: "Get a video",
  request: { params: idParams },
  responses: { 200: json(VideoView, "The video"), ...problems(401, 404, 422, 429) },
});

export const deleteVideo = defineRoute({
  method: "delete",
  path: "/api/v1/videos/{id}",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Remove a video and all data derived from it",
  request: { headers: ifMatch, params: idParams },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 412, 422, 429) },
});

export const estimate = defineRoute({
  method: "post",
  path: "/api/v1/videos/{id}/estimate",
  tags: ["questions"],
  roles: ["ask"],
  summary: "Estimate the calls, price and time of a question without asking it",
  request: { params: idParams, body: body(NewEstimate) },
  responses: {
    200: json(EstimateView, "The estimate"),
    ...problems(401, 403, 404, 415, 422, 429),
  },
});

export const putSubtitles = defineRoute({
  method: "put",
  path: "/api/v1/videos/{id}/subtitles",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Upload a subtitle file of a video (srt, vtt, ass or ssa), instead of the one before",
  request: {
    params: idParams,
    headers: z.object({
      "x-file-name": z
        .string()
        .min(1)
        .max(2000)
        .meta({ description: "File name, percent-encoded UTF-8" }),
    }),
    body: bytes("application/octet-stream"),
  },
  responses: {
    200: json(SubtitlesView, "Stored; used by the next question"),
    ...problems(400, 401, 403, 404, 413, 415, 422, 429, 507),
  },
});

export const subtitles = defineRoute({
  method: "get",
  path: "/api/v1/videos/{id}/subtitles",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary: "Describe the uploaded subtitle file of a video",
  request: { params: idParams },
  responses: {
    200: json(SubtitlesView, "The uploaded subtitles"),
    ...problems(401, 404, 422, 429),
  },
});

export const dropSubtitles = defineRoute({
  method: "delete",
  path: "/api/v1/videos/{id}/subtitles",
  tags: ["videos"],
  roles: ["ask"],
  summary: "Remove the uploaded subtitle file of a video",
  request: { params: idParams },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 422, 429) },
});

export const media = defineRoute({
  method: "get",
  path: "/api/v1/videos/{id}/media",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary: "Get the video file or a byte range",
  request: {
    params: idParams,
    headers: z.object({ range: z.string().optional() }),
  },
  responses: {
    200: { ...bytes("application/octet-stream"), description: "The file" },
    206: { ...bytes("application/octet-stream"), description: "The byte range" },
    ...problems(401, 404, 416, 422, 429),
  },
});

export const thumbnail = defineRoute({
  method: "get",
  path: "/api/v1/videos/{id}/thumbnail",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary: "Get a thumbnail, 320 pixels wide; the time is rounded to half a second",
  request: {
    params: idParams,
    query: z.strictObject({ t_s: z.coerce.number().min(0).max(1_000_000) }),
  },
  responses: {
    200: { ...bytes("image/jpeg"), description: "JPEG" },
    ...problems(401, 404, 415, 422, 429),
  },
});

export const frame = defineRoute({
  method: "get",
  path: "/api/v1/frames/{hash}",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary: "Get a frame that evidence of the caller's videos refers to",
  request: {
    params: params({ hash: Hash }),
    query: z.strictObject({
      width: z.coerce.number().int().min(16).max(4096).optional(),
    }),
  },
  responses: {
    200: { ...bytes("image/jpeg"), description: "JPEG" },
    ...problems(401, 404, 422, 429),
  },
});
