/** What went wrong, as a closed list: callers branch on `kind`, never on the words of a message. */
export type FailureKind =
  | "wrong-usage"
  | "wrong-setting"
  | "file-unreadable"
  | "not-media"
  | "no-video"
  | "no-audio"
  | "no-subtitles"
  | "damaged"
  | "media-limit"
  | "ffmpeg-missing"
  | "ocr"
  | "mathematics"
  | "missing-key"
  | "unknown-model"
  | "unknown-prompt"
  | "model-unreachable"
  | "model-rejected"
  | "model-overloaded"
  | "model-unusable"
  | "disk-full"
  | "store-busy"
  | "store-damaged"
  | "store-format"
  | "data-malformed"
  | "not-found"
  | "cancelled"
  | "limit-met";

/**
 * The one error type of the project.
 * `message` is one sentence for a person: what was expected and what came.
 * `facts` carries what a program needs (file, flag, status, seconds ...); it never holds keys or media.
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

export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Failure && (kind === undefined || error.kind === kind);
}

/** The code of a system error (`ENOENT`, `ENOSPC` ...), or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Turns anything thrown into a `Failure`.
 * System errors become `disk-full` or `file-unreadable`, aborts become `cancelled`; the rest keeps `fallback` as its kind.
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
      `Expected room on the disk for ${doing}, but it is full${where}: free some space and run the same command again.`,
      { doing, path, code },
      { cause: error },
    );
  if (code === "ABORT_ERR" || (error instanceof Error && error.name === "AbortError"))
    return new Failure("cancelled", `Cancelled while ${doing}.`, { doing }, { cause: error });
  if (code === "ENOENT")
    return new Failure(
      "file-unreadable",
      path !== undefined && isNamed
        ? `Expected ${path} to be there, but there is nothing of that name.`
        : `Expected ${path ?? "a file"} to be there for ${doing}, but there is nothing of that name.`,
      { doing, path, code },
      { cause: error },
    );
  if (
    code === "EACCES" ||
    code === "EPERM" ||
    code === "EISDIR" ||
    code === "EROFS" ||
    code === "ENOTDIR"
  )
    return new Failure(
      "file-unreadable",
      `Expected to reach a file for ${doing}, but the system said ${code}${where}.`,
      { doing, path, code },
      { cause: error },
    );
  const said = error instanceof Error ? error.message : String(error);
  return new Failure(
    fallback,
    `Failed while ${doing}: ${oneLine(said)}`,
    { doing },
    { cause: error },
  );
}

/** Folds white space and cuts to `max` characters, for words that came from elsewhere. */
export function oneLine(text: string, max = 300): string {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length > max ? `${folded.slice(0, max - 1)}…` : folded;
}
