import { z } from "zod";
import {
  EvidenceList,
  EvidencePatch,
  Export,
  NewEvidence,
  NewReview,
  QuestionView,
} from "../api.ts";
import { body, item, json, one, problems, route } from "./parts.ts";

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
