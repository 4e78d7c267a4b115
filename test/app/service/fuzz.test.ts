import { test } from "vitest";
import { fuzz, withService } from "./fuzzing.ts";

withService();

test("requests made from the document, valid and spoilt, get an answer that it names, and never a 5xx", () =>
  fuzz(400, 8));
