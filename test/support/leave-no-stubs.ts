import { afterAll, vi } from "vitest";

/** Test files share a process: stubs of one must not affect the next. */
afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});
