import { test } from "vitest";
import { fuzz, withService } from "./fuzzing.ts";

withService();

test("valid and malformed requests from the API document get a documented answer, never a 5xx", () =>
  fuzz(400, 8));
