import { afterEach, expect, test, vi } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import { readHeaders, readSettings, settingsHash } from "../../src/core/settings.ts";

afterEach(() => vi.unstubAllEnvs());

function refusal(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

// A new setting whose `leaf` does not say `added: true` changes these hashes.
test("settings that were added later leave the hash of earlier runs unchanged until they are set", () => {
  const base = { strategy: "rrd", model: "openai:gpt-4.1" };
  expect(settingsHash(readSettings(base))).toBe(
    "562940510c27e38552b54b3b1c9f5c81350ed027021a736be16c2adcbd21bf28",
  );
  expect(settingsHash(readSettings({ strategy: "extractive", seed: 3 }))).toBe(
    "7ee23234f39a703f42031e81ee15eed5513804adfad088b71c416f522825e642",
  );
  const hashes = [{}, { top_p: 0.9 }, { top_k: 20 }, { extra_body: { min_p: 0.1 } }].map(
    (generation) => settingsHash(readSettings({ ...base, generation })),
  );
  expect(new Set(hashes).size).toBe(4);
});

test("members of an extra body may have any name that is not reserved", () => {
  const extra_body = { constructor: 1, toString: "x", best_of: 3 };
  const settings = readSettings({ strategy: "direct", generation: { extra_body } });
  expect(settings.generation.extra_body).toEqual(extra_body);
});

test("an extra body is an object or its JSON, and reading it twice changes nothing", () => {
  const given = { min_p: 0.05, chat_template_kwargs: { enable_thinking: false } };
  const read = (extra_body: unknown) =>
    readSettings({ strategy: "rrd", generation: { extra_body } });
  const settings = read(JSON.stringify(given));
  expect(settings.generation.extra_body).toEqual(given);
  expect(settings).toEqual(read(given));
  expect(readSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
});

test.each([
  ["{min_p: 1}", ["--extra-body", "a JSON object such as"]],
  ["[1, 2]", ["--extra-body", "a JSON object such as"]],
  ["3", ["--extra-body", "a JSON object such as"]],
  ['{"temperature": 1}', ["without `temperature`", "use `--temperature`"]],
  ['{"messages": []}', ["without `messages`", "the program sets it"]],
  [{ model: "other" }, ["without `model`", "use `--model`"]],
])("the extra body %j is refused in one sentence", (extra_body, words) => {
  const { kind, message } = refusal(() =>
    readSettings({ strategy: "direct", generation: { extra_body } }),
  );
  expect(kind).toBe("wrong-setting");
  for (const word of words) expect(message).toContain(word);
});

test("headers name environment variables, whose values are inserted", () => {
  vi.stubEnv("GATEWAY_KEY", "Bearer s3cret");
  vi.stubEnv("TEAM", "vision\n");
  const { runtime } = readSettings({
    runtime: { headers: "X-Gateway=$GATEWAY_KEY, x-team=$" + "{TEAM}" },
  });
  expect(runtime.headers).not.toContain("s3cret");
  expect(readHeaders(runtime.headers)).toEqual({
    "x-gateway": "Bearer s3cret",
    "x-team": "vision",
  });
  expect(readHeaders(null)).toEqual({});
});

test.each(["X-Key=s3cret-value", "X-Key", "=$A", "X Key=$A", "X-Key=$A,Y=s3cret-value", "Host=$A"])(
  "the header %j is refused without repeating a possible secret",
  (headers) => {
    const failure = refusal(() => readSettings({ runtime: { headers } }));
    expect(failure.kind).toBe("wrong-setting");
    expect(failure.message).toContain("Invalid --header (runtime.headers): use ");
    expect(failure.message).toContain("NAME=$VARIABLE");
    expect(JSON.stringify([failure.message, failure.facts])).not.toContain(headers);
    expect(JSON.stringify([failure.message, failure.facts])).not.toContain("s3cret");
  },
);

test.each([
  ["", "is not set"],
  ["one\ntwo", "not valid in a header"],
])("a variable with the value %j is named, not shown", (value, words) => {
  vi.stubEnv("GATEWAY_KEY", value);
  const { kind, message } = refusal(() => readHeaders("X-Gateway=$GATEWAY_KEY"));
  expect(kind).toBe("missing-key");
  expect(message).toContain("GATEWAY_KEY");
  expect(message).toContain(words);
  if (value !== "") expect(message).not.toContain("two");
});
