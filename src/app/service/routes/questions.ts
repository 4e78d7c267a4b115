import { z } from "zod";
import { ListedQuestion, NewQuestion, QuestionView } from "../api.ts";
import { TraceView } from "../api-trace.ts";
import { listOf, listQuery } from "../list-pages.ts";
import { QUESTION_FILTERS } from "../question-filters.ts";
import { body, created, defineRoute, idParams, json, problems, text } from "./define-route.ts";

export const listQuestions = defineRoute({
  method: "get",
  path: "/api/v1/questions",
  tags: ["questions"],
  roles: ["ask", "review"],
  summary: "List the questions about all videos of the caller",
  request: {
    query: listQuery(["created"], QUESTION_FILTERS),
  },
  responses: {
    200: json(listOf(ListedQuestion), "One page of questions"),
    ...problems(401, 422, 429),
  },
});

export const askQuestion = defineRoute({
  method: "post",
  path: "/api/v1/videos/{id}/questions",
  tags: ["questions"],
  roles: ["ask"],
  summary: "Queue a question",
  request: { params: idParams, body: body(NewQuestion) },
  responses: {
    202: created(QuestionView, "Queued"),
    ...problems(401, 403, 404, 415, 422, 429, 507),
  },
});

export const question = defineRoute({
  method: "get",
  path: "/api/v1/questions/{id}",
  tags: ["questions"],
  roles: ["ask", "review"],
  summary: "Get a question with its state and answer",
  request: { params: idParams },
  responses: { 200: json(QuestionView, "The question"), ...problems(401, 404, 422, 429) },
});

export const cancelQuestion = defineRoute({
  method: "post",
  path: "/api/v1/questions/{id}/cancel",
  tags: ["questions"],
  roles: ["ask"],
  summary: "Cancel a queued or running question",
  request: { params: idParams },
  responses: {
    202: json(QuestionView, "The question is being cancelled"),
    ...problems(401, 403, 404, 409, 422, 429),
  },
});

export const questionTrace = defineRoute({
  method: "get",
  path: "/api/v1/questions/{id}/trace",
  tags: ["questions"],
  roles: ["ask", "review"],
  summary: "Get every model call of a question: what was sent, the reply, tokens, price and time",
  request: { params: idParams },
  responses: {
    200: json(TraceView, "The calls of the last run, in the order of their replies"),
    ...problems(401, 403, 404, 422, 429),
  },
});

export const questionEvents = defineRoute({
  method: "get",
  path: "/api/v1/questions/{id}/events",
  tags: ["questions"],
  roles: ["ask", "review"],
  summary:
    "Stream the events of a question; resumes after `Last-Event-ID`; closes with `event: end`",
  request: {
    params: idParams,
    headers: z.object({ "last-event-id": z.string().max(20).optional() }),
    query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
  },
  responses: { 200: text("text/event-stream", "Events"), ...problems(401, 404, 422, 429) },
});
