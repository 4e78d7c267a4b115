import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import { readSecret } from "../../src/core/read-secret.ts";
import { readHeaders } from "../../src/core/settings.ts";
import { findTarget } from "../../src/models/target.ts";
import { tempFolder } from "../support/temp.ts";

const folder = await tempFolder();
const MODEL = "openai:gpt-4.1";
const key = (env: NodeJS.ProcessEnv) => findTarget(MODEL, { base_url: null }, env);

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

test("a key in a file is read at each call, without the line break at its end", async () => {
  const file = join(folder, "key");
  await writeFile(file, "sk-first\n");
  const env = { OPENAI_API_KEY: "", OPENAI_API_KEY_FILE: file };
  expect(key(env)).toMatchObject({ key: "sk-first", keyVariable: "OPENAI_API_KEY_FILE" });
  await writeFile(file, "sk-second\r\n");
  expect(key(env).key).toBe("sk-second");
  expect(key({ ...env, OPENAI_API_KEY: "sk-set" })).toMatchObject({
    key: "sk-set",
    keyVariable: "OPENAI_API_KEY",
  });
});

test("a second variable of a provider and a header may name files too", async () => {
  const file = join(folder, "token");
  await writeFile(file, "  abc  \n");
  const gemini = findTarget(
    "google-genai:gemini-2.5-pro",
    { base_url: null },
    { GEMINI_API_KEY_FILE: file },
  );
  expect(gemini).toMatchObject({ key: "abc", keyVariable: "GEMINI_API_KEY_FILE" });
  expect(readHeaders("X-Gateway=$GATEWAY", { GATEWAY_FILE: file })).toEqual({ "x-gateway": "abc" });
});

test("a file that cannot be read or is empty is refused by the variable's name, without its path", async () => {
  const [missing, empty, isFolder] = ["missing", "empty", "folder"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await writeFile(empty, " \n");
  await mkdir(isFolder);
  for (const [path, says] of [
    [missing, "ENOENT"],
    [isFolder, "EISDIR"],
    [empty, "is empty"],
  ] as const) {
    const failure = failureOf(() => key({ OPENAI_API_KEY_FILE: path }));
    expect(failure.kind).toBe("missing-key");
    expect(failure.message).toContain("OPENAI_API_KEY_FILE");
    expect(failure.message).toContain(says);
    expect(JSON.stringify([failure.message, failure.facts])).not.toContain(folder);
  }
  expect(readSecret("OPENAI_API_KEY", { OPENAI_API_KEY_FILE: "" })).toBeNull();
});
