import type { DatabaseSync } from "node:sqlite";
import type { UsageLedger } from "../../core/usage-ledger.ts";
import { AMOUNTS, usageSum } from "../rows/usage-sum.ts";
import { guard, transaction } from "./transaction.ts";

export function createUsageLedger(db: DatabaseSync): UsageLedger {
  const upsert = db.prepare(
    `INSERT INTO usage (owner, day, strategy, model, ${AMOUNTS.join(", ")})
     VALUES (?, ?, ?, ?, ${AMOUNTS.map(() => "?").join(", ")})
     ON CONFLICT (owner, day, strategy, model)
     DO UPDATE SET ${AMOUNTS.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
  );
  return {
    async addUsage(entries) {
      transaction(db, "noting what was used", () => {
        for (const { owner, day, strategy, model, ...amounts } of entries)
          upsert.run(owner, day, strategy, model, ...AMOUNTS.map((name) => amounts[name]));
      });
    },
    async usage({ owner, since, until }, by) {
      const group = by === "key" ? "owner" : by;
      const sums = AMOUNTS.map((name) => `sum(${name}) AS ${name}`).join(", ");
      const query = `SELECT owner, ${group} AS "group", ${sums} FROM usage
        WHERE day BETWEEN ? AND ? ${owner === null ? "" : "AND owner = ?"}
        GROUP BY owner, ${group} ORDER BY owner, ${group}`;
      const values = [since, until, ...(owner === null ? [] : [owner])];
      return guard("reading what was used", () => db.prepare(query).all(...values)).map(usageSum);
    },
  };
}
