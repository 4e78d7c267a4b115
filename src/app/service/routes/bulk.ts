import { z } from "zod";
import { BulkAsked, BulkQuery, BulkRows, EXPORTS } from "../api-bulk.ts";
import { QUESTION_FILTERS } from "../question-filters.ts";
import { defineRoute, json, problems, text } from "./define-route.ts";

const rows = (description: string) => ({ schema: z.string().meta({ description }) });

export const bulkAsk = defineRoute({
  method: "post",
  path: "/api/v1/questions/bulk",
  tags: ["questions"],
  roles: ["ask"],
  summary: "Queue the questions of a table, or none if a row is wrong",
  request: {
    query: BulkQuery,
    body: {
      content: {
        "application/json": { schema: BulkRows },
        "text/csv": rows("A header, and a question in each line"),
        "application/x-ndjson": rows("A JSON object in each line"),
      },
    },
  },
  responses: {
    202: json(BulkAsked, "Queued; with `partial`, `errors` has the rows that are wrong"),
    200: json(BulkAsked, "Checked with `dry_run`; nothing is queued"),
    ...problems(401, 403, 404, 413, 415, 422, 429, 507),
  },
});

export const exportAll = defineRoute({
  method: "get",
  path: "/api/v1/export",
  tags: ["questions"],
  roles: ["ask", "review"],
  summary:
    "Stream questions with answers, evidence and reviews; or reviewed answers as rows of a data file; or corrected evidence as sidecars",
  request: {
    query: z.strictObject({
      as: z.enum(EXPORTS),
      scope: z.enum(["own", "all"]).default("own").meta({
        description: "Questions of this key, or of all keys (role `review`)",
      }),
      ...QUESTION_FILTERS,
    }),
  },
  responses: {
    200: {
      ...text("application/x-ndjson", "The export"),
      content: {
        "application/x-ndjson": { schema: z.string() },
        "text/csv": { schema: z.string() },
        "application/json": { schema: z.unknown() },
      },
    },
    ...problems(401, 403, 404, 422, 429),
  },
});
