/** What a kind of failure means to each caller. */
interface Meaning {
  /**
   * What it ends at least: `call` one tool call of an agent, which receives the message; `question` one question or
   * video; `run` the whole run, because the next question would fail too. Outside a tool call, `call` ends the question.
   */
  scope: "call" | "question" | "run";
  /** How a command ends: by a user error, by an interruption, or by a failure. */
  exit: "usage" | "interrupted" | "failed";
  /** HTTP status of the response; null: an internal error, whose message is not shown. */
  http: 404 | 409 | 415 | 422 | 429 | 503 | 507 | null;
}

/** Every kind of failure. Callers branch on the kind, never on the text of a message. */
export const FAILURE_KINDS = {
  "wrong-usage": { scope: "call", exit: "usage", http: 422 },
  "wrong-setting": { scope: "run", exit: "usage", http: 422 },
  "file-unreadable": { scope: "question", exit: "failed", http: null },
  "not-media": { scope: "question", exit: "failed", http: 415 },
  "no-video": { scope: "question", exit: "failed", http: 415 },
  "no-audio": { scope: "question", exit: "failed", http: 415 },
  "no-subtitles": { scope: "call", exit: "failed", http: null },
  damaged: { scope: "question", exit: "failed", http: 415 },
  "media-limit": { scope: "call", exit: "failed", http: 415 },
  "ffmpeg-missing": { scope: "run", exit: "failed", http: 503 },
  ocr: { scope: "call", exit: "failed", http: null },
  mathematics: { scope: "call", exit: "failed", http: null },
  "package-missing": { scope: "run", exit: "failed", http: 503 },
  "missing-key": { scope: "run", exit: "failed", http: 422 },
  "unknown-model": { scope: "run", exit: "usage", http: 422 },
  "unknown-prompt": { scope: "run", exit: "failed", http: null },
  "model-unreachable": { scope: "question", exit: "failed", http: null },
  "model-rejected": { scope: "question", exit: "failed", http: null },
  "model-overloaded": { scope: "question", exit: "failed", http: null },
  "program-failed": { scope: "question", exit: "failed", http: null },
  "mcp-server": { scope: "call", exit: "failed", http: 503 },
  "scorer-failed": { scope: "run", exit: "failed", http: null },
  "model-unusable": { scope: "question", exit: "failed", http: null },
  "disk-full": { scope: "run", exit: "failed", http: 507 },
  "disk-unwritable": { scope: "run", exit: "failed", http: 503 },
  "store-busy": { scope: "run", exit: "failed", http: 503 },
  "store-damaged": { scope: "run", exit: "failed", http: null },
  "store-format": { scope: "run", exit: "failed", http: null },
  "store-unreachable": { scope: "run", exit: "failed", http: 503 },
  "data-malformed": { scope: "question", exit: "failed", http: 422 },
  "code-failed": { scope: "question", exit: "failed", http: null },
  "worker-lost": { scope: "question", exit: "failed", http: null },
  "not-found": { scope: "call", exit: "failed", http: 404 },
  cancelled: { scope: "run", exit: "interrupted", http: 409 },
  "limit-met": { scope: "run", exit: "failed", http: 429 },
} as const satisfies Record<string, Meaning>;

/** What a failure is about; it decides on exit code and HTTP status. */
export type FailureKind = keyof typeof FAILURE_KINDS;

/** What a failure of this kind means. */
export function meaningOf(kind: FailureKind): Meaning {
  return FAILURE_KINDS[kind];
}
