import { expect, test } from "vitest";
import { wordsWithout } from "../../src/models/json.ts";

test.each([
  ["sk-0123456789", "Wrong key sk-0123456789.", "Wrong key (key)."],
  ["ollama", "registry.ollama.ai has no such model", "registry.ollama.ai has no such model"],
  ["x", "extra fields", "extra fields"],
  ["", "said", "said"],
])("of the key %j is told what may be: %s", (key, said, told) => {
  expect(wordsWithout(key, said)).toBe(told);
});
