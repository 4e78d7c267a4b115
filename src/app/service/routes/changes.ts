import { defineRoute, problems, text } from "./define-route.ts";

export const changes = defineRoute({
  method: "get",
  path: "/api/v1/changes",
  tags: ["service"],
  roles: ["ask", "review"],
  summary: "Stream which videos and questions change from now on, by anyone",
  description:
    "Server-sent events. Each message is `{ videos: [id], questions: [id], more }`; `more` is true if there were too many to list. Nothing is repeated: after a reconnection, read again what you show. The stream ends after ten minutes.",
  responses: {
    200: text("text/event-stream", "Messages of changes"),
    ...problems(401, 403, 422, 429),
  },
});
