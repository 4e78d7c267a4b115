import { cutText } from "./cut-text.ts";
import { type FailureKind, meaningOf } from "./failure-kinds.ts";

export type { FailureKind } from "./failure-kinds.ts";

/**
 * The one error type of the project.
 * `message` says what went wrong, where, and what to do.
 * `facts` holds data for programs (file, flag, status, seconds ...); it never holds keys or media.
 */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    kind: FailureKind,
    message: string,
    facts: Record<string, unknown> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "Failure";
    this.kind = kind;
    this.facts = facts;
  }
}

/** Whether an error is one that this package throws. */
export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Failure && (kind === undefined || error.kind === kind);
}

/** Whether a failure ends the run, because the next question would fail too. */
export function endsRun(error: unknown): boolean {
  return isFailure(error) && meaningOf(error.kind).scope === "run";
}

/** The code of a system error (`ENOENT`, `ENOSPC` ...), or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Why a file cannot be opened, by the code of a system error. */
const NO_ACCESS: Record<string, string> = {
  EACCES: "no permission; change its permissions or choose another file",
  EPERM: "no permission; change its permissions or choose another file",
  EISDIR: "a folder has that name; choose another name",
  ENOTDIR: "a part of the path is a file; choose another path",
};

/**
 * Converts anything thrown into a `Failure`.
 * System errors become `disk-full`, `disk-unwritable` or `file-unreadable`, aborts become `cancelled`; any other error
 * gets the kind `fallback`. `doing` completes "Failed while ...".
 */
export function toFailure(error: unknown, fallback: FailureKind, doing: string): Failure {
  if (error instanceof Failure) return error;
  const code = systemCode(error);
  const path =
    typeof error === "object" && error !== null && "path" in error ? String(error.path) : undefined;
  const isNamed = path === undefined || doing.includes(path);
  const where = isNamed ? "" : ` (${path})`;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Failure(
      "disk-full",
      `The disk is full${where}: ${doing} failed. Free some space and run the same command again.`,
      { doing, path, code },
      { cause: error },
    );
  if (code === "EROFS") return diskUnwritable(doing, `${code}${where}`, error);
  if (code === "ABORT_ERR" || (error instanceof Error && error.name === "AbortError"))
    return new Failure("cancelled", `Cancelled while ${doing}.`, { doing }, { cause: error });
  if (code === "ENOENT")
    return new Failure(
      "file-unreadable",
      path !== undefined && isNamed
        ? `Cannot find ${path}.`
        : `Cannot find ${path ?? "a file"} while ${doing}.`,
      { doing, path, code },
      { cause: error },
    );
  const denied = NO_ACCESS[code ?? ""];
  if (denied !== undefined)
    return new Failure(
      "file-unreadable",
      `No access to a file while ${doing}: ${denied} (${code})${where}.`,
      { doing, path, code },
      { cause: error },
    );
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(
    fallback,
    `Failed while ${doing}: ${oneLine(reason)}`,
    { doing },
    { cause: error },
  );
}

/** The failure of a write to a file system that has become read-only; `reason` comes from the system or SQLite. */
export function diskUnwritable(doing: string, reason: string, cause: unknown): Failure {
  return new Failure(
    "disk-unwritable",
    `The disk refuses writes while ${doing} (${oneLine(reason)}). Make it writable and run the same command again.`,
    { doing },
    { cause },
  );
}

/** Whether the disk accepts no writes now but may accept them later. */
export function isDiskFailure(error: unknown): boolean {
  return isFailure(error, "disk-full") || isFailure(error, "disk-unwritable");
}

/** Collapses white space and cuts to `max` characters, for text from other programs, files and users. */
export function oneLine(text: string, max = 300): string {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length > max ? `${cutText(folded, max - 1)}…` : folded;
}
