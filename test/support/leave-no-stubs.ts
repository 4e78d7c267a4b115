import { afterAll, vi } from "vitest";

/** Test files share a process: what one stubs must not reach the next. */
afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});
