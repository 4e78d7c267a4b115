import { z } from "zod";
import { Id } from "./api.ts";
import { requestBody } from "./api-shared.ts";

/* Schemas of questions asked, and exported, in bulk. */

/** Rows that one request may ask. */
export const MAX_ROWS = 1000;

export const BulkQuery = z.strictObject({
  partial: z
    .stringbool()
    .default(false)
    .meta({ description: "Whether the right rows are asked although others are wrong" }),
  dry_run: z.stringbool().default(false).meta({ description: "Whether the rows are only checked" }),
});

/** Rows as JSON: the columns `video` (id or name), `question`, `options`, `task`, `goal`, `settings`, and settings by path. */
export const BulkRows = requestBody({
  rows: z.array(z.record(z.string(), z.unknown())).max(MAX_ROWS),
}).meta({ id: "BulkRows" });

const RowError = z.object({
  /** `row 12` or `line 12`, counted from 1 without a header. */
  row: z.string(),
  /** The column; null: the whole row. */
  column: z.string().nullable(),
  detail: z.string(),
});
export type RowError = z.infer<typeof RowError>;

export const BulkAsked = z
  .object({
    items: z.array(z.object({ row: z.string(), id: Id })),
    errors: z.array(RowError),
    checked: z.int().meta({ description: "Rows that can be asked" }),
  })
  .meta({ id: "BulkAsked" });

export const EXPORTS = ["jsonl", "csv", "rows", "sidecar"] as const;
export type ExportKind = (typeof EXPORTS)[number];
