import type { AuditEntry } from "../../core/audit.ts";
import { fromJson } from "./from-json.ts";

/** A row of the table `audit`. */
export function auditEntry(row: Record<string, unknown>): AuditEntry {
  const text = (value: unknown) => (value === null ? null : String(value));
  return {
    id: Number(row.id),
    at: Number(row.at),
    who: String(row.who),
    address: String(row.address),
    action: String(row.action),
    video: text(row.video),
    name: text(row.name),
    question: text(row.question),
    evidence: text(row.evidence),
    details: fromJson(String(row.details), "an entry of the audit log") as AuditEntry["details"],
  };
}
