import { afterAll, vi } from "vitest";
import { forgetServerFiles } from "../../tools/mcp/server-files.ts";

/** Test files share a process: stubs of one, and what it named, must not affect the next. */
afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
  forgetServerFiles();
});
