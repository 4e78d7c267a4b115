import { UsageQuery, UsageView } from "../api-usage.ts";
import { defineRoute, json, problems } from "./define-route.ts";

export const usage = defineRoute({
  method: "get",
  path: "/api/v1/usage",
  tags: ["service"],
  roles: ["ask", "review", "operate"],
  summary: "Get what the key used, by day, model or strategy; with the role `operate`, of all keys",
  request: { query: UsageQuery },
  responses: { 200: json(UsageView, "The usage"), ...problems(401, 403, 422, 429) },
});
