import { Id } from "../api.ts";
import { NewRating, NextReview, QueueQuery, RaterQuery, RatingList } from "../api-reviews.ts";
import { body, defineRoute, idParams, json, params, problems } from "./define-route.ts";

export const nextReview = defineRoute({
  method: "get",
  path: "/api/v1/reviews/next",
  tags: ["reviews"],
  summary: "Get the next answer that this rater has not reviewed, and how far the review is",
  roles: ["ask", "review"],
  request: { query: QueueQuery },
  responses: { 200: json(NextReview, "The next answer"), ...problems(401, 403, 404, 422, 429) },
});

export const ratings = defineRoute({
  method: "get",
  path: "/api/v1/questions/{id}/ratings",
  tags: ["reviews"],
  summary: "List all verdicts about an answer, with those that were taken back",
  roles: ["ask", "review"],
  request: { params: idParams },
  responses: { 200: json(RatingList, "The verdicts"), ...problems(401, 403, 404, 422, 429) },
});

export const rate = defineRoute({
  method: "post",
  path: "/api/v1/questions/{id}/ratings",
  tags: ["reviews"],
  summary:
    "Give a verdict about an answer; a further rater settles a conflict, and a second verdict of a rater replaces the first",
  roles: ["ask", "review"],
  request: { params: idParams, body: body(NewRating) },
  responses: {
    201: json(RatingList, "The verdicts"),
    ...problems(401, 403, 404, 409, 415, 422, 429, 507),
  },
});

export const undoRating = defineRoute({
  method: "delete",
  path: "/api/v1/questions/{id}/ratings/{rating}",
  tags: ["reviews"],
  summary: "Take back an own verdict; it stays in the list",
  roles: ["ask", "review"],
  request: { params: params({ id: Id, rating: Id }), query: RaterQuery },
  responses: {
    200: json(RatingList, "The verdicts"),
    ...problems(401, 403, 404, 409, 422, 429, 507),
  },
});
