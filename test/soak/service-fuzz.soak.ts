import { test } from "vitest";
import { fuzz, withService } from "../app/service/fuzzing.ts";

withService();

test("thousands of requests from the API document: no 5xx", () => fuzz(6000));
