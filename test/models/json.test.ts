import { expect, test } from "vitest";
import { wordsWithout } from "../../src/models/json.ts";
import { secretsOf } from "../../src/models/target.ts";

test.each([
  ["sk-0123456789", "Wrong key sk-0123456789.", "Wrong key (key)."],
  ["ollama", "registry.ollama.ai has no such model", "registry.ollama.ai has no such model"],
  ["x", "extra fields", "extra fields"],
  ["", "said", "said"],
])("of the key %j the allowed part is shown: %s", (key, said, told) => {
  expect(wordsWithout(secretsOf({ key, headers: {} }), said)).toBe(told);
});

test("the values of headers appear neither whole nor by their long words", () => {
  const secrets = secretsOf({
    key: "x",
    headers: { "x-gateway": "Bearer s3cret-token", "x-pin": "17" },
  });
  expect(wordsWithout(secrets, "x-gateway was Bearer s3cret-token, x-pin 17")).toBe(
    "x-gateway was (key), x-pin (key)",
  );
  expect(wordsWithout(secrets, "the token s3cret-token has expired")).toBe(
    "the token (key) has expired",
  );
});
