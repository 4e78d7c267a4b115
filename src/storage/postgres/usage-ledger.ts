import type { UsageLedger } from "../../core/usage-ledger.ts";
import { AMOUNTS, usageSum } from "../rows/usage-sum.ts";
import type { AddedBatches } from "./added-batches.ts";
import { createConditions } from "./conditions.ts";
import type { Database } from "./database.ts";

const NOTE_BATCH = "INSERT INTO added_batches (id) VALUES ($1) ON CONFLICT DO NOTHING";

const UPSERT = `INSERT INTO usage (owner, day, strategy, model, ${AMOUNTS.join(", ")})
  VALUES ($1, $2, $3, $4, ${AMOUNTS.map((_, index) => `$${index + 5}`).join(", ")})
  ON CONFLICT (owner, day, strategy, model)
  DO UPDATE SET ${AMOUNTS.map((name) => `${name} = usage.${name} + excluded.${name}`).join(", ")}`;

export function createUsageLedger(db: Database, batches: AddedBatches): UsageLedger {
  return {
    async addUsage(entries, batch) {
      await db.transaction("noting what was used", async (send) => {
        if ((await send(NOTE_BATCH, [batch])).count === 0) return;
        for (const { owner, day, strategy, model, ...amounts } of entries) {
          const values = AMOUNTS.map((name) => amounts[name]);
          await send(UPSERT, [owner, day, strategy, model, ...values]);
        }
      });
      await batches.sweep();
    },
    async usage({ owner, since, until }, by) {
      const group = by === "key" ? "owner" : by;
      const sums = AMOUNTS.map((name) => `sum(${name}) AS ${name}`).join(", ");
      const where = createConditions();
      where.add((from, to) => `day BETWEEN ${from} AND ${to}`, since, until);
      where.given((name) => `owner = ${name}`, owner);
      const rows = await db.rows(
        "reading what was used",
        `SELECT owner, ${group} AS "group", ${sums} FROM usage WHERE ${where.sql()}
         GROUP BY owner, usage.${group} ORDER BY owner, usage.${group}`,
        where.values,
      );
      return rows.map(usageSum);
    },
  };
}
