import { diskUnwritable, Failure, oneLine, systemCode, toFailure } from "../../core/errors.ts";

/** No connection could be opened, so nothing was sent. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super("not connected", { cause });
    this.name = "NotConnected";
  }
}

/** Error codes, https://www.postgresql.org/docs/15/errcodes-appendix.html */
const SQLSTATE = {
  deadlock: new Set(["40P01", "40001"]),
  login: new Set(["28000", "28P01"]),
  noDatabase: "3D000",
  noRight: "42501",
  noTable: "42P01",
  full: new Set(["53100", "53200"]),
  readOnly: "25006",
  damaged: new Set(["XX001", "XX002", "58030"]),
  /** `statement_timeout` and `lock_timeout` of the server, the user or the address. */
  timeLimit: new Set(["57014", "55P03"]),
};

/** The server is stopping, starting, out of connections, or gone. */
const LOST_STATE = /^(?:08...|57P0[123]|53300)$/;

/** Codes of system calls for a lost connection, or for one that cannot be opened. */
const LOST_CALL = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["EAI_AGAIN", "ENOTFOUND"],
]);

/** The client's own errors, which have no code. */
const LOST_MESSAGE =
  /^(?:Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error)/;

export function isDeadlock(error: unknown): boolean {
  return SQLSTATE.deadlock.has(systemCode(error) ?? "");
}

/** Whether the connection was lost, so that it is unknown whether the statement was carried out. */
export function isLost(error: unknown): boolean {
  if (error instanceof NotConnected) return isLost(error.cause);
  const code = systemCode(error);
  if (code !== undefined) return LOST_CALL.has(code) || LOST_STATE.test(code);
  return error instanceof Error && LOST_MESSAGE.test(error.message);
}

/** Whether the server accepts no connection at this moment, but says that it will. */
export function isStarting(error: unknown): boolean {
  return error instanceof NotConnected && systemCode(error.cause) === "57P03";
}

/** Converts an error of PostgreSQL, its client or the system into a `Failure` that names the action `doing`. */
export function postgresFailure(error: unknown, doing: string): Failure {
  if (error instanceof Failure) return error;
  const cause = error instanceof NotConnected ? error.cause : error;
  const code = systemCode(cause) ?? "";
  const reason = oneLine(cause instanceof Error ? cause.message || code : String(cause));
  const fail = (kind: Failure["kind"], message: string) =>
    new Failure(kind, message, { doing, code }, { cause });
  if (SQLSTATE.login.has(code))
    return fail(
      "store-unreachable",
      `PostgreSQL refuses the login (${reason}): ${doing} failed. Check the user and the password of --store.`,
    );
  if (code === SQLSTATE.noDatabase)
    return fail(
      "store-unreachable",
      `PostgreSQL has no such database (${reason}): ${doing} failed. Create it with \`createdb\`, or check --store.`,
    );
  if (code === SQLSTATE.noRight)
    return fail(
      "store-unreachable",
      `The user of --store lacks a right (${reason}): ${doing} failed. Grant CREATE on the database, or create the schema for this user.`,
    );
  if (code === SQLSTATE.noTable)
    return fail(
      "store-format",
      `The database lacks a table of the store (${reason}): ${doing} failed. Restore the schema from a backup.`,
    );
  if (SQLSTATE.full.has(code))
    return fail(
      "disk-full",
      `The disk of the database is full: ${doing} failed. Free some space and run the same command again.`,
    );
  if (code === SQLSTATE.readOnly) return diskUnwritable(doing, `PostgreSQL: ${reason}`, cause);
  if (SQLSTATE.timeLimit.has(code))
    return fail(
      "store-busy",
      `The database ended a statement at its time limit (${reason}): ${doing} failed. Run the same command again, or raise statement_timeout and lock_timeout for the user of --store.`,
    );
  if (SQLSTATE.damaged.has(code))
    return fail("store-damaged", `The database is damaged (${reason}): ${doing} failed.`);
  if (error instanceof NotConnected || isLost(error))
    return fail(
      "store-unreachable",
      `Cannot reach the database of the store (${reason}): ${doing} failed. Start PostgreSQL or check --store, then run the same command again.`,
    );
  return toFailure(cause, "store-damaged", doing);
}
