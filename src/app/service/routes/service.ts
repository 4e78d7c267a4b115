import { z } from "zod";
import { NewSession, ReportView, ServiceView, SessionView } from "../api.ts";
import { body, json, params, problems, route, text } from "./parts.ts";

export const health = route({
  method: "get",
  path: "/healthz",
  tags: ["service"],
  summary: "Whether the process answers",
  responses: { 200: json(z.object({ status: z.literal("ok") }), "It does") },
});

const Check = z.object({ ok: z.boolean(), detail: z.string() });
const Ready = z.object({ ready: z.boolean(), checks: z.record(z.string(), Check) });

export const readiness = route({
  method: "get",
  path: "/readyz",
  tags: ["service"],
  summary:
    "Whether work can be taken: the store can be written, ffmpeg is there, no stop is under way",
  responses: { 200: json(Ready, "Ready"), 503: json(Ready, "Not ready, and why") },
});

export const metrics = route({
  method: "get",
  path: "/metrics",
  tags: ["service"],
  summary: "Figures for Prometheus",
  responses: { 200: text("text/plain", "Prometheus text"), ...problems(401, 429) },
});

export const service = route({
  method: "get",
  path: "/api/service",
  tags: ["service"],
  summary: "What can be asked here: models, strategies, settings, limits",
  responses: { 200: json(ServiceView, "The service"), ...problems(401, 429) },
});

export const session = route({
  method: "post",
  path: "/api/session",
  tags: ["service"],
  summary:
    "Trade a token for a cookie, for what cannot send a header (pictures, players, event streams)",
  request: { body: body(NewSession) },
  responses: { 200: json(SessionView, "The cookie is set"), ...problems(401, 403, 422, 429) },
});

export const endSession = route({
  method: "delete",
  path: "/api/session",
  tags: ["service"],
  summary: "Sign out: the cookie is worth nothing afterwards",
  responses: { 204: { description: "Signed out" }, ...problems(401, 403, 429) },
});

export const listReports = route({
  method: "get",
  path: "/api/reports",
  tags: ["reports"],
  summary: "Evaluation reports in the folder given by --reports",
  responses: {
    200: json(z.object({ reports: z.array(ReportView) }), "The reports"),
    ...problems(401, 429),
  },
});

export const report = route({
  method: "get",
  path: "/reports/{name}",
  tags: ["reports"],
  summary: "One evaluation report",
  request: { params: params({ name: z.string().min(1).max(300) }) },
  responses: { 200: text("text/html", "The page"), ...problems(401, 404, 422, 429) },
});
