/**
 * Milliseconds after which a call returns `running` in place of its result: desktop clients give up after 60 s, and the
 * call needs time for its own work.
 */
export const RESULT_MS = 38_000;
