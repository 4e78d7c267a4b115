import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { AuditFilter, AuditLog } from "../../core/audit.ts";
import { auditEntry } from "../rows/audit-entry.ts";
import { guard, transaction } from "./transaction.ts";

const WHERE = `(:since IS NULL OR at >= :since) AND (:until IS NULL OR at < :until)
  AND (:who IS NULL OR who = :who) AND (:action IS NULL OR action = :action)
  AND (:video IS NULL OR video = :video)`;

export function createAuditLog(db: DatabaseSync): AuditLog {
  const append = db.prepare(
    `INSERT INTO audit (at, who, address, action, video, name, question, evidence, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = db.prepare(
    `SELECT * FROM audit WHERE ${WHERE} AND (:before IS NULL OR id < :before) ORDER BY id DESC LIMIT :limit`,
  );
  const count = db.prepare(`SELECT count(*) AS n FROM audit WHERE ${WHERE}`);
  const allow = db.prepare("INSERT INTO audit_pruning (before) VALUES (?)");
  const remove = db.prepare("DELETE FROM audit WHERE at < ?");
  const forbid = db.prepare("DELETE FROM audit_pruning");

  const log: AuditLog = {
    async append({ at, who, address, action, video, name, question, evidence, details }) {
      const ids = [video ?? null, name ?? null, question ?? null, evidence ?? null];
      guard("writing the audit log", () =>
        append.run(at, who, address, action, ...ids, JSON.stringify(details ?? {})),
      );
    },
    async list(filter, limit, before) {
      return guard("reading the audit log", () =>
        list.all({ ...valuesOf(filter), limit, before }),
      ).map(auditEntry);
    },
    async count(filter) {
      return Number(guard("counting the audit log", () => count.get(valuesOf(filter)))?.n);
    },
    async prune(before, by) {
      return transaction(db, "pruning the audit log", () => {
        allow.run(before);
        const removed = Number(remove.run(before).changes);
        forbid.run();
        const details = { before: new Date(before).toISOString(), removed };
        void log.append({ ...by, at: Date.now(), action: "audit.pruned", details });
        return removed;
      });
    },
  };
  return log;
}

function valuesOf(filter: AuditFilter): Record<string, SQLInputValue> {
  const { since, until, who, action, video } = filter;
  return {
    since: since ?? null,
    until: until ?? null,
    who: who ?? null,
    action: action ?? null,
    video: video ?? null,
  };
}
