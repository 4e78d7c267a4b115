import { afterAll } from "vitest";
import { endFile } from "./file-end.ts";

/** In a set-up file, which runs for each test file; modules that test files share are evaluated once. */
afterAll(endFile);
