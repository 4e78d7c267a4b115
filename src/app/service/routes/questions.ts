import { z } from "zod";
import { NewQuestion, QuestionView } from "../api.ts";
import { body, defineRoute, idParams, json, problems, text } from "./define-route.ts";

export const listQuestions = defineRoute({
  method: "get",
  path: "/api/videos/{id}/questions",
  tags: ["questions"],
  summary: "List the questions about a video, oldest first",
  request: { params: idParams },
  responses: {
    200: json(z.object({ questions: z.array(QuestionView) }), "The questions"),
    ...problems(401, 404, 422, 429),
  },
});

export const askQuestion = defineRoute({
  method: "post",
  path: "/api/videos/{id}/questions",
  tags: ["questions"],
  summary: "Queue a question",
  request: { params: idParams, body: body(NewQuestion) },
  responses: { 202: json(QuestionView, "Queued"), ...problems(401, 403, 404, 415, 422, 429, 507) },
});

export const question = defineRoute({
  method: "get",
  path: "/api/questions/{id}",
  tags: ["questions"],
  summary: "Get a question with its state and answer",
  request: { params: idParams },
  responses: { 200: json(QuestionView, "The question"), ...problems(401, 404, 422, 429) },
});

export const cancelQuestion = defineRoute({
  method: "post",
  path: "/api/questions/{id}/cancel",
  tags: ["questions"],
  summary: "Cancel a queued or running question",
  request: { params: idParams },
  responses: {
    202: json(QuestionView, "The question is being cancelled"),
    ...problems(401, 403, 404, 409, 422, 429),
  },
});

export const questionEvents = defineRoute({
  method: "get",
  path: "/api/questions/{id}/events",
  tags: ["questions"],
  summary:
    "Stream the events of a question; resumes after `Last-Event-ID`; closes with `event: end`",
  request: {
    params: idParams,
    headers: z.object({ "last-event-id": z.string().max(20).optional() }),
    query: z.object({ after: z.coerce.number().int().min(0).optional() }),
  },
  responses: { 200: text("text/event-stream", "Events"), ...problems(401, 404, 422, 429) },
});
