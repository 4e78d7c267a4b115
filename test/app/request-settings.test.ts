import { expect, test } from "vitest";
import { callerSettings, parseRequestSettings } from "../../src/app/service/request-settings.ts";
import { listSettings } from "../../src/core/settings.ts";

const own = { settings: { model: "openai:own" }, models: ["openai:allowed"] };

test("the allowed models apply to the model of every role", () => {
  const named = listSettings().filter(({ role }) => role !== null);
  expect(named.map(({ role }) => role)).toEqual([
    "any",
    "recogniser",
    "transcriber",
    "reasoner",
    "verifier",
    "embedder",
  ]);
  const asked = new Set(callerSettings().map(({ path }) => path));
  // The engine that hears speech may be a program, so only the operator names it.
  expect(named.filter(({ path }) => !asked.has(path)).map(({ role }) => role)).toEqual([
    "transcriber",
  ]);
  for (const { path } of named.filter(({ path }) => asked.has(path))) {
    expect(() => parseRequestSettings({ [path]: "openai:other" }, own), path).toThrow(
      /is not allowed/,
    );
    expect(parseRequestSettings({ [path]: "openai:allowed" }, own)).toEqual({
      [path]: "openai:allowed",
    });
    expect(parseRequestSettings({ [path]: "openai:own" }, own)).toEqual({ [path]: "openai:own" });
  }
});

test("an allowed model is allowed in both spellings, and no other model of its provider", () => {
  const claude = { settings: {}, models: ["anthropic:claude-sonnet-4-5"] };
  for (const model of ["anthropic:claude-sonnet-4-5", "langchain:anthropic:claude-sonnet-4-5"])
    expect(parseRequestSettings({ model }, claude)).toEqual({ model });
  for (const model of ["anthropic:claude-opus-4-5", "langchain:ollama:claude-sonnet-4-5"])
    expect(() => parseRequestSettings({ model }, claude)).toThrow(/is not allowed/);
});

test("a request sets only what a caller may, dotted or nested", () => {
  const callers = new Set(callerSettings().map(({ path }) => path));
  for (const { path } of listSettings()) {
    const [group = "", name] = path.split(".");
    const nested = name === undefined ? { [group]: null } : { [group]: { [name]: null } };
    for (const input of [{ [path]: null }, nested])
      if (callers.has(path)) expect(() => parseRequestSettings(input, own)).not.toThrow();
      else expect(() => parseRequestSettings(input, own), path).toThrow(`cannot set "${path}`);
  }
});
