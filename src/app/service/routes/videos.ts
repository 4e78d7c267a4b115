import { z } from "zod";
import { Hash } from "../../../core/shapes.ts";
import { FromUrl, NewUpload, UploadView, VideoView } from "../api.ts";
import { body, bytes, defineRoute, idParams, json, params, problems } from "./define-route.ts";

export const startUpload = defineRoute({
  method: "post",
  path: "/api/uploads",
  tags: ["videos"],
  summary: "Start a resumable upload",
  request: { body: body(NewUpload) },
  responses: {
    201: json(UploadView, "Upload started"),
    ...problems(401, 403, 413, 415, 422, 429, 507),
  },
});

export const upload = defineRoute({
  method: "get",
  path: "/api/uploads/{id}",
  tags: ["videos"],
  summary: "Get the offset of an upload",
  request: { params: idParams },
  responses: { 200: json(UploadView, "The upload"), ...problems(401, 404, 422, 429) },
});

export const continueUpload = defineRoute({
  method: "patch",
  path: "/api/uploads/{id}",
  tags: ["videos"],
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
  path: "/api/uploads/{id}",
  tags: ["videos"],
  summary: "Cancel an unfinished upload",
  request: { params: idParams },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 409, 422, 429) },
});

export const postVideo = defineRoute({
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
        .meta({ description: "File name, percent-encoded UTF-8" }),
    }),
    body: bytes("application/octet-stream"),
  },
  responses: {
    201: json(VideoView, "The video"),
    ...problems(400, 401, 403, 413, 415, 422, 429, 507),
  },
});

export const fetchVideo = defineRoute({
  method: "post",
  path: "/api/videos/from-url",
  tags: ["videos"],
  summary: "Fetch a video from a host that --allow-url allows",
  request: { body: body(FromUrl) },
  responses: {
    201: json(VideoView, "The video"),
    ...problems(400, 401, 403, 413, 415, 422, 429, 507),
  },
});

export const listVideos = defineRoute({
  method: "get",
  path: "/api/videos",
  tags: ["videos"],
  summary: "List the caller's videos, newest first",
  responses: {
    200: json(z.object({ videos: z.array(VideoView) }), "The videos"),
    ...problems(401, 429),
  },
});

export const video = defineRoute({
  method: "get",
  path: "/api/videos/{id}",
  tags: ["videos"],
  summary: "Get a video",
  request: { params: idParams },
  responses: { 200: json(VideoView, "The video"), ...problems(401, 404, 422, 429) },
});

export const deleteVideo = defineRoute({
  method: "delete",
  path: "/api/videos/{id}",
  tags: ["videos"],
  summary: "Remove a video and all data derived from it",
  request: { params: idParams },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 422, 429) },
});

export const media = defineRoute({
  method: "get",
  path: "/api/videos/{id}/media",
  tags: ["videos"],
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
  path: "/api/videos/{id}/thumbnail",
  tags: ["videos"],
  summary: "Get a thumbnail, 320 pixels wide; the time is rounded to half a second",
  request: {
    params: idParams,
    query: z.object({ t_s: z.coerce.number().min(0).max(1_000_000) }),
  },
  responses: {
    200: { ...bytes("image/jpeg"), description: "JPEG" },
    ...problems(401, 404, 415, 422, 429),
  },
});

export const frame = defineRoute({
  method: "get",
  path: "/api/frames/{hash}",
  tags: ["videos"],
  summary: "Get a frame that evidence of the caller's videos refers to",
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
