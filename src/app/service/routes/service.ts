import { z } from "zod";
import { NewSession, ReportView, ServiceView, SessionView } from "../api.ts";
import { listOf } from "../list-pages.ts";
import { body, defineRoute, json, params, problems, text } from "./define-route.ts";

export const health = defineRoute({
  method: "get",
  path: "/healthz",
  tags: ["service"],
  roles: "public",
  summary: "Check that the process responds",
  responses: { 200: json(z.object({ status: z.literal("ok") }), "The process responds") },
});

const Check = z.object({ ok: z.boolean(), detail: z.string() });
const Ready = z.object({ ready: z.boolean(), checks: z.record(z.string(), Check) });

export const readiness = defineRoute({
  method: "get",
  path: "/readyz",
  tags: ["service"],
  roles: "public",
  summary:
    "Check that the service can work: the data folder is writable, ffmpeg is installed, no shutdown is in progress. Missing workers are reported and do not count",
  responses: { 200: json(Ready, "Ready"), 503: json(Ready, "Not ready; `checks` has the reasons") },
});

export const metrics = defineRoute({
  method: "get",
  path: "/metrics",
  tags: ["service"],
  roles: ["operate"],
  summary: "Metrics for Prometheus",
  responses: {
    200: text("text/plain", "Metrics in the Prometheus text format"),
    ...problems(401, 403, 429),
  },
});

export const service = defineRoute({
  method: "get",
  path: "/api/v1/service",
  tags: ["service"],
  roles: ["ask", "review", "operate"],
  summary: "Get the models, strategies, settings and limits of the service",
  responses: { 200: json(ServiceView, "The service"), ...problems(401, 422, 429) },
});

export const session = defineRoute({
  method: "post",
  path: "/api/v1/session",
  tags: ["service"],
  roles: "public",
  summary:
    "Exchange a token for a session cookie, for clients that cannot send headers (images, players, event streams)",
  request: { body: body(NewSession) },
  responses: { 200: json(SessionView, "The cookie is set"), ...problems(401, 403, 422, 429) },
});

export const endSession = defineRoute({
  method: "delete",
  path: "/api/v1/session",
  tags: ["service"],
  roles: ["ask", "review", "operate"],
  summary: "Sign out; ends the session of the cookie",
  responses: { 204: { description: "Signed out" }, ...problems(401, 403, 422, 429) },
});

export const listReports = defineRoute({
  method: "get",
  path: "/api/v1/reports",
  tags: ["reports"],
  roles: ["operate"],
  summary: "List the evaluation reports in the folder of --reports, newest first, on one page",
  responses: {
    200: json(listOf(ReportView), "The reports"),
    ...problems(401, 422, 429),
  },
});

export const report = defineRoute({
  method: "get",
  path: "/reports/{name}",
  tags: ["reports"],
  roles: ["operate"],
  summary: "Get an evaluation report",
  request: { params: params({ name: z.string().min(1).max(300) }) },
  responses: { 200: text("text/html", "The HTML report"), ...problems(401, 404, 422, 429) },
});
