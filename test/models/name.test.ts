import { expect, test } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import { readSettings } from "../../src/core/settings.ts";
import { modelOf, nameOf, parseModelName } from "../../src/models/name.ts";
import { findTarget } from "../../src/models/target.ts";

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

test.each([
  ["openai:gpt-4.1", "openai", "gpt-4.1"],
  ["google-genai:gemini-2.5-flash", "google-genai", "gemini-2.5-flash"],
  ["google-genai:models/gemini-2.5-flash", "google-genai", "gemini-2.5-flash"],
  ["google-genai:tunedModels/x", "google-genai", "tunedModels/x"],
  ["openai:models/a", "openai", "models/a"],
  ["openai:Qwen/Qwen2.5-VL-7B-Instruct", "openai", "Qwen/Qwen2.5-VL-7B-Instruct"],
  ["openai:llava:13b", "openai", "llava:13b"],
  ["langchain:anthropic:claude-sonnet-4-5", "langchain", "anthropic:claude-sonnet-4-5"],
  ["ollama:qwen2.5vl:7b", "langchain", "ollama:qwen2.5vl:7b"],
  ["langchain:openai:gpt-4.1", "langchain", "openai:gpt-4.1"],
])("%s is read", (name, provider, model) => {
  expect(parseModelName(name)).toEqual({ provider, model });
});

test.each([
  "gpt-4.1",
  "acme:large",
  "openai:",
  ":x",
  "",
  "OpenAI:gpt-4.1",
  "langchain:",
  "langchain:anthropic",
  "langchain:anthropic:",
  "langchain:acme:large",
  "langchain:toString:x",
  "constructor:x",
  "anthropic:",
  "google-genai:models/",
])("%j is refused in one sentence with an example and the providers", (name) => {
  const failure = failureOf(() => parseModelName(name));
  expect(failure.kind).toBe("unknown-model");
  expect(failure.message).toContain("openai:gpt-4.1");
  expect(failure.message).toMatch(/one of the providers openai, .*anthropic, ollama/);
  expect(failure.message).toContain(JSON.stringify(name));
});

test("a missing key is named, never its value", () => {
  const openai = failureOf(() => findTarget("openai:gpt-4.1", { base_url: null }, {}));
  expect(openai.kind).toBe("missing-key");
  expect(openai.message).toContain("OPENAI_API_KEY");
  const google = failureOf(() =>
    findTarget("google-genai:gemini-2.5-pro", { base_url: "http://x" }, {}),
  );
  expect(google.kind).toBe("missing-key");
  expect(google.message).toContain("GOOGLE_API_KEY or GEMINI_API_KEY");
});

test("a service of a provider has its own key and address", () => {
  const claude = "anthropic:claude-sonnet-4-5";
  const missing = failureOf(() => findTarget(claude, { base_url: null }, {}));
  expect(missing.kind).toBe("missing-key");
  expect(missing.message).toBe(
    `No key for ${claude}: set the environment variable ANTHROPIC_API_KEY.`,
  );
  expect(findTarget(claude, { base_url: null }, { ANTHROPIC_API_KEY: "k" })).toMatchObject({
    name: `langchain:${claude}`,
    baseUrl: "https://api.anthropic.com",
    key: "k",
    keyVariable: "ANTHROPIC_API_KEY",
  });
  expect(findTarget("ollama:llava", { base_url: null }, {})).toMatchObject({
    baseUrl: "http://127.0.0.1:11434",
    key: "no-key",
    keyVariable: null,
  });
  const elsewhere = { OLLAMA_BASE_URL: "http://127.0.0.1:8/" };
  expect(findTarget("ollama:llava", { base_url: null }, elsewhere).baseUrl).toBe(
    "http://127.0.0.1:8",
  );
});

test("keys, addresses and own servers", () => {
  expect(findTarget("openai:gpt-4.1", { base_url: null }, { OPENAI_API_KEY: "k" })).toMatchObject({
    baseUrl: "https://api.openai.com/v1",
    key: "k",
    keyVariable: "OPENAI_API_KEY",
  });
  expect(findTarget("openai:llava", { base_url: "http://127.0.0.1:8000/v1/" }, {})).toMatchObject({
    baseUrl: "http://127.0.0.1:8000/v1",
    key: "no-key",
  });
  expect(
    findTarget("openai:llava", { base_url: null }, { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }),
  ).toMatchObject({ baseUrl: "http://127.0.0.1:1/v1" });
  expect(
    findTarget("google-genai:gemini-2.5-pro", { base_url: null }, { GEMINI_API_KEY: "g" }),
  ).toMatchObject({
    baseUrl: "https://generativelanguage.googleapis.com",
    key: "g",
    keyVariable: "GEMINI_API_KEY",
  });
  expect(
    findTarget("openai:x", { base_url: "http://127.0.0.1:1/v1/\n" }, { OPENAI_API_KEY: " k\r\n" }),
  ).toMatchObject({ baseUrl: "http://127.0.0.1:1/v1", key: "k" });
  expect(failureOf(() => findTarget("openai:x", { base_url: "localhost:8000" }, {})).kind).toBe(
    "wrong-setting",
  );
  const secret = failureOf(() =>
    findTarget("openai:x", { base_url: "http://me:secret@host/v1" }, {}),
  );
  expect(secret.kind).toBe("wrong-setting");
  expect(JSON.stringify([secret.message, secret.facts])).not.toContain("secret");
});

test.each(["sk-ab\ncd", "sk-ab…cd"])("the key %j is refused by its variable", (key) => {
  const failure = failureOf(() =>
    findTarget("openai:x", { base_url: null }, { OPENAI_API_KEY: key }),
  );
  expect(failure.kind).toBe("missing-key");
  expect(failure.message).toBe(
    "Cannot use the key for openai:x: the environment variable OPENAI_API_KEY is not valid in a header (a line break, or a character above U+00FF).",
  );
});

test.each(["key", "api_key", "api-key", "access_token", "x-api-key", "token", "sig"])(
  "an address with a key in its query (%s) is refused without repeating it, since addresses are stored",
  (name) => {
    const base_url = `http://host/v1?api-version=1&${name}=q5x8`;
    const { kind, message, facts } = failureOf(() => findTarget("openai:x", { base_url }, {}));
    expect(kind).toBe("wrong-setting");
    expect(message).toContain(`(${name})`);
    expect(JSON.stringify([message, facts])).not.toContain("q5x8");
  },
);

test("a query without a key is part of an address", () => {
  const base_url = "http://host/v1?api-version=2024-10-21&monkey=1";
  expect(findTarget("openai:x", { base_url }, {}).baseUrl).toBe(base_url);
});

test("a role uses its own model, else the common one", () => {
  const settings = readSettings({
    strategy: "rrd",
    model: "openai:common",
    reasoning: { model: "openai:thinker" },
  });
  expect(nameOf(settings, "recogniser")).toBe("openai:common");
  expect(nameOf(settings, "reasoner")).toBe("openai:thinker");
  expect(nameOf(settings, "judge")).toBe("openai:common");
  const failure = failureOf(() => modelOf(readSettings({ strategy: "direct" }), "reasoner"));
  expect(failure.kind).toBe("unknown-model");
  expect(failure.message).toContain("--model");
});
