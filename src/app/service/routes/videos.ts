import { z } from "zod";
import { Hash } from "../../../core/shapes.ts";
import { FromUrl, NewUpload, UploadView, VideoView } from "../api.ts";
import { body, bytes, json, one, params, problems, route } from "./parts.ts";

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
  summary: "The frame nearest to a time, to half a second, 320 pixels wide",
  request: {
    params: one,
    query: z.object({ t_s: z.coerce.number().min(0).max(1_000_000) }),
  },
  responses: {
    200: { ...bytes("image/jpeg"), description: "JPEG" },
    ...problems(401, 404, 415, 422, 429),
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
