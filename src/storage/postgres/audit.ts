import type { AuditFilter, AuditLog, NewAuditEntry } from "../../core/audit.ts";
import { auditEntry } from "../rows/audit-entry.ts";
import { type Conditions, createConditions } from "./conditions.ts";
import type { Database } from "./database.ts";
import type { Value } from "./value.ts";

const APPEND = `INSERT INTO audit (at, who, address, action, video, name, question, evidence, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export function createAuditLog(db: Database): AuditLog {
  return {
    async append(entry) {
      await db.run("writing the audit log", APPEND, valuesOf(entry), "once");
    },
    async list(filter, limit, before) {
      const where = matching(filter);
      where.given((id) => `id < ${id}`, before);
      const rows = await db.rows(
        "reading the audit log",
        `SELECT * FROM audit WHERE ${where.sql()} ORDER BY id DESC LIMIT ${Math.trunc(limit)}`,
        where.values,
      );
      return rows.map(auditEntry);
    },
    async count(filter) {
      const where = matching(filter);
      const sql = `SELECT count(*) AS n FROM audit WHERE ${where.sql()}`;
      return Number((await db.row("counting the audit log", sql, where.values))?.n);
    },
    async prune(before, by) {
      const doing = "pruning the audit log";
      return db.transaction(
        doing,
        async (send) => {
          await send("SELECT set_config('video_rrd.prune_before', $1, true)", [String(before)]);
          const { count: removed } = await send("DELETE FROM audit WHERE at < $1", [before]);
          const details = { before: new Date(before).toISOString(), removed };
          await send(APPEND, valuesOf({ ...by, at: Date.now(), action: "audit.pruned", details }));
          return removed;
        },
        "once",
      );
    },
  };
}

function valuesOf(entry: NewAuditEntry): Value[] {
  const { at, who, address, action, video, name, question, evidence, details } = entry;
  const ids = [video ?? null, name ?? null, question ?? null, evidence ?? null];
  return [at, who, address, action, ...ids, JSON.stringify(details ?? {})];
}

function matching({ since, until, who, action, video }: AuditFilter): Conditions {
  const where = createConditions();
  where.given((value) => `at >= ${value}`, since);
  where.given((value) => `at < ${value}`, until);
  where.given((value) => `who = ${value}`, who);
  where.given((value) => `action = ${value}`, action);
  where.given((value) => `video = ${value}`, video);
  return where;
}
