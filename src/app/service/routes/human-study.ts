import { z } from "zod";
import { NewStudyAnswer, StudyNext, StudyProgress, StudyQuery } from "../api-study.ts";
import { body, bytes, defineRoute, json, params, problems } from "./define-route.ts";

export const studyNext = defineRoute({
  method: "get",
  path: "/api/v1/human-study/next",
  tags: ["reviews"],
  roles: ["review"],
  summary: "Get this rater's next question of the human study; its time begins",
  request: { query: StudyQuery },
  responses: { 200: json(StudyNext, "The question"), ...problems(401, 403, 404, 422, 429) },
});

export const studyAnswer = defineRoute({
  method: "post",
  path: "/api/v1/human-study/answers",
  tags: ["reviews"],
  roles: ["review"],
  summary: "Answer a question of the human study",
  request: { body: body(NewStudyAnswer) },
  responses: {
    201: json(StudyProgress, "The answer is stored"),
    ...problems(401, 403, 404, 409, 415, 422, 429, 507),
  },
});

export const studyMedia = defineRoute({
  method: "get",
  path: "/api/v1/human-study/items/{item}/media",
  tags: ["reviews"],
  roles: ["review"],
  summary: "Get the video of a question of the human study, or a byte range",
  request: {
    params: params({ item: z.coerce.number().int().min(0) }),
    query: StudyQuery,
    headers: z.object({ range: z.string().optional() }),
  },
  responses: {
    200: { ...bytes("application/octet-stream"), description: "The file" },
    206: { ...bytes("application/octet-stream"), description: "The byte range" },
    ...problems(401, 403, 404, 416, 422, 429),
  },
});
