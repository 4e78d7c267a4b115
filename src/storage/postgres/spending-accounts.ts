import { randomUUID } from "node:crypto";
import { Failure } from "../../core/errors.ts";
import type { NamedAccount, SpendingAccounts } from "../../core/spending-accounts.ts";
import type { Database } from "./database.ts";
import type { Processes } from "./processes.ts";
import { repeatLater } from "./repeat-later.ts";
import type { Row } from "./value.ts";

const DOING = "counting dollars";
/** This process may have paused for long after its heartbeat. */
const MOST_TRIES = 5;
const ACCOUNT = `run, ceiling::double precision, spent::double precision, reserved::double precision,
  unconfirmed::double precision`;

/** Accounts as rows. A reservation is one statement; it belongs to the process until it is settled. */
export function createSpendingAccounts(db: Database, processes: Processes): SpendingAccounts {
  async function read(run: string): Promise<NamedAccount | undefined> {
    await db.run(DOING, "SELECT count_lost_holds($1)", [run]);
    return accountOf(await db.row(DOING, `SELECT ${ACCOUNT} FROM spending WHERE run = $1`, [run]));
  }

  async function known(run: string): Promise<NamedAccount> {
    return (await read(run)) ?? { run, limit: null, spent: 0, reserved: 0, unconfirmed: 0 };
  }

  /** Undefined once the dollars are held, else the run whose account refuses. */
  async function hold(id: string, run: string, dollars: number): Promise<string | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const row = await db.row(DOING, "SELECT * FROM reserve_spending($1, $2, $3, $4, $5)", [
        ...[run, id, processes.id, dollars, processes.margin_ms],
      ]);
      if (row?.outcome === "held") return undefined;
      if (row?.outcome === "refused") return String(row.refused_by);
      // This process has no row yet, or one that expires soon.
      await processes.renew();
    }
    throw new Failure("store-unreachable", "The database did not keep this process registered.");
  }

  async function settle(id: string, billed: number): Promise<NamedAccount | undefined> {
    const sql = `SELECT ${ACCOUNT} FROM settle_spending($1, $2)`;
    return accountOf(await db.row(DOING, sql, [id, billed]));
  }

  return {
    async open(run, limit, before, within) {
      const values = [run, limit, before, within ?? null];
      await db.run(DOING, "SELECT open_spending($1, $2, $3, $4)", values);
      return known(run);
    },
    read,
    async reserve(run, dollars) {
      const id = randomUUID();
      const leave = processes.stay();
      try {
        const refused = await hold(id, run, dollars);
        if (refused !== undefined) {
          leave();
          return { refused: await known(refused) };
        }
      } catch (error) {
        leave();
        // The reply may have been lost. The caller sends no request, so nothing is billed.
        void repeatLater(() => settle(id, 0), processes.closing);
        throw error;
      }
      return { settle: (billed) => settle(id, billed).finally(leave) };
    },
  };
}

function accountOf(row: Row | undefined): NamedAccount | undefined {
  if (row === undefined) return undefined;
  const { run, ceiling, spent, reserved, unconfirmed } = row;
  return {
    run: String(run),
    limit: ceiling === null ? null : Number(ceiling),
    spent: Number(spent),
    reserved: Number(reserved),
    unconfirmed: Number(unconfirmed),
  };
}
