import { z } from "zod";
import { NewQuestion, QuestionView } from "../api.ts";
import { body, json, one, problems, route, text } from "./parts.ts";

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
