import { z } from "zod";
import { EvidencePatch, NewEvidence } from "../../../core/corrections.ts";
import { EvidenceList, Export, NewReview, QuestionView } from "../api.ts";
import {
  body,
  created,
  defineRoute,
  evidenceParams,
  idParams,
  ifMatch,
  json,
  problems,
} from "./define-route.ts";

export const evidence = defineRoute({
  method: "get",
  path: "/api/v1/questions/{id}/evidence",
  tags: ["evidence"],
  roles: ["ask", "review"],
  summary: "Get the current evidence",
  request: { params: idParams },
  responses: { 200: json(EvidenceList, "The evidence set"), ...problems(401, 404, 409, 422, 429) },
});

export const addEvidence = defineRoute({
  method: "post",
  path: "/api/v1/questions/{id}/evidence",
  tags: ["evidence"],
  roles: ["ask", "review"],
  summary: "Add an item; creates a new evidence set",
  request: { headers: ifMatch, params: idParams, body: body(NewEvidence) },
  responses: {
    201: json(EvidenceList, "The new evidence set"),
    ...problems(401, 403, 404, 409, 412, 415, 422, 428, 429, 507),
  },
});

export const editEvidence = defineRoute({
  method: "patch",
  path: "/api/v1/questions/{id}/evidence/{evidence}",
  tags: ["evidence"],
  roles: ["ask", "review"],
  summary: "Correct an item or restore a rejected one; creates a new evidence set",
  request: { headers: ifMatch, params: evidenceParams, body: body(EvidencePatch) },
  responses: {
    200: json(EvidenceList, "The new evidence set"),
    ...problems(401, 403, 404, 409, 412, 415, 422, 428, 429, 507),
  },
});

export const rejectEvidence = defineRoute({
  method: "delete",
  path: "/api/v1/questions/{id}/evidence/{evidence}",
  tags: ["evidence"],
  roles: ["ask", "review"],
  summary: "Reject an item; creates a new evidence set",
  request: { headers: ifMatch, params: evidenceParams },
  responses: {
    200: json(EvidenceList, "The new evidence set"),
    ...problems(401, 403, 404, 409, 412, 422, 428, 429, 507),
  },
});

export const reasonAgain = defineRoute({
  method: "post",
  path: "/api/v1/questions/{id}/reason-again",
  tags: ["evidence"],
  roles: ["ask"],
  summary:
    "Reason again over the current evidence without recognition; creates a new question with `from` set to this one",
  request: { params: idParams },
  responses: {
    202: created(QuestionView, "Queued"),
    ...problems(401, 403, 404, 409, 422, 429, 507),
  },
});

export const review = defineRoute({
  method: "put",
  path: "/api/v1/questions/{id}/review",
  tags: ["evidence"],
  roles: ["ask", "review"],
  summary: "Approve or correct the answer",
  request: { headers: ifMatch, params: idParams, body: body(NewReview) },
  responses: {
    200: json(QuestionView, "The reviewed question"),
    ...problems(401, 403, 404, 409, 412, 415, 422, 428, 429, 507),
  },
});

export const exportQuestion = defineRoute({
  method: "get",
  path: "/api/v1/questions/{id}/export",
  tags: ["evidence"],
  roles: ["ask", "review"],
  summary:
    "Export a question as JSON, as an evidence page, or as a row of an evaluation set (reviewed answers only)",
  request: { params: idParams, query: z.strictObject({ as: z.enum(["json", "html", "row"]) }) },
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
