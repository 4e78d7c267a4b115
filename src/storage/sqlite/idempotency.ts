import type { DatabaseSync } from "node:sqlite";
import type { IdempotentRequests } from "../../core/idempotency.ts";
import { idempotentRequest } from "../rows/idempotent-request.ts";
import { guard } from "./transaction.ts";

export function createIdempotentRequests(db: DatabaseSync): IdempotentRequests {
  const one = db.prepare("SELECT * FROM idempotent WHERE owner = ? AND key = ?");
  const put = db.prepare(
    `INSERT OR REPLACE INTO idempotent (owner, key, about, request, made, created_at, status, location, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const drop = db.prepare("DELETE FROM idempotent WHERE owner = ? AND key = ?");
  const count = db.prepare("SELECT count(*) AS n FROM idempotent WHERE owner = ?");
  const sweep = db.prepare("DELETE FROM idempotent WHERE created_at < ?");
  return {
    async idempotent(owner, key) {
      const row = guard("looking up a request", () => one.get(owner, key));
      return row === undefined ? undefined : idempotentRequest(row);
    },
    async putIdempotent({ owner, key, about, request, made, created_at, response }) {
      const { status = null, location = null, body = null } = response ?? {};
      guard("noting a request", () =>
        put.run(owner, key, about, request, made, created_at, status, location, body),
      );
    },
    async dropIdempotent(owner, key) {
      guard("forgetting a request", () => drop.run(owner, key));
    },
    async countIdempotent(owner) {
      return Number(guard("counting requests", () => count.get(owner))?.n);
    },
    async sweepIdempotent(before) {
      guard("forgetting requests", () => sweep.run(before));
    },
  };
}

/** Erases the responses about a deleted upload or question. */
export function eraseResponses(db: DatabaseSync): (id: string) => void {
  const erase = db.prepare("UPDATE idempotent SET body = NULL WHERE about = ?");
  return (id) => {
    erase.run(id);
  };
}
