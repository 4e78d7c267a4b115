import { z } from "zod";
import { USAGE_GROUPS } from "../../core/usage-ledger.ts";

/* Schemas of `GET /api/v1/usage`. */

const Day = z.iso.date();

export const UsageQuery = z.strictObject({
  since: Day.optional().meta({ description: "First day (UTC); default: 29 days before `until`" }),
  until: Day.optional().meta({ description: "Last day (UTC); default: today" }),
  by: z.enum(USAGE_GROUPS).default("day"),
  key: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Only this key. Other keys than the own one need the role `operate`" }),
});

const Amounts = z.object({
  questions: z.int().meta({ description: "Questions asked, counted for the model they name" }),
  calls: z.int(),
  input: z.int().meta({ description: "Tokens sent" }),
  output: z.int().meta({ description: "Tokens generated" }),
  cost: z.number().meta({ description: "Dollars as if no reply had been stored before" }),
  paid: z.number().meta({ description: "Dollars spent; stored replies are free" }),
  unpriced: z.int().meta({ description: "Calls without a known price, missing in the dollars" }),
});

const OfKey = z.string().nullable().meta({ description: "The key; null: without keys" });

export const UsageView = z
  .object({
    since: Day,
    until: Day,
    by: z.enum(USAGE_GROUPS),
    items: z.array(
      Amounts.extend({
        key: OfKey,
        group: z
          .string()
          .nullable()
          .meta({ description: "The day, model, strategy or key; null: no model" }),
      }),
    ),
    total: Amounts,
    storage: z
      .array(z.object({ key: OfKey, bytes: z.int() }))
      .meta({ description: "Bytes stored now: videos and the data derived from them" }),
  })
  .meta({ id: "UsageReport" });
export type UsageView = z.infer<typeof UsageView>;
