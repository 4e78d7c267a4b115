import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import { builtInPrices, costOf, readPrices } from "../../src/models/prices.ts";
import { tempFolder } from "../support/temp.ts";

const folder = await tempFolder();

async function fileOf(text: string): Promise<string> {
  const file = join(folder, "prices.yaml");
  await writeFile(file, text);
  return file;
}

test("cost is in dollars per million tokens, and null without a price", () => {
  expect(costOf(builtInPrices()["openai:gpt-4o"], { input: 1_000_000, output: 500_000 })).toBe(7.5);
  expect(costOf(builtInPrices()["openai:llava"], { input: 1, output: 1 })).toBeNull();
});

test("cached input has its own price if there is one, else the price of input", () => {
  const tokens = { input: 1_000_000, cached_input: 400_000, output: 100_000, reasoning: 90_000 };
  expect(costOf({ input: 2, cached_input: 0.5, output: 10 }, tokens)).toBeCloseTo(1.2 + 0.2 + 1, 9);
  expect(costOf({ input: 2, output: 10 }, tokens)).toBeCloseTo(2 + 1, 9);
});

test("a file adds models and replaces prices", async () => {
  const prices = await readPrices(
    await fileOf(
      "openai:gpt-4o: { input: 1, output: 2 }\nopenai:Qwen/Qwen2.5-VL-7B-Instruct:\n  input: 0\n  output: 0\n",
    ),
  );
  expect(prices["openai:gpt-4o"]).toEqual({ input: 1, output: 2 });
  expect(costOf(prices["openai:Qwen/Qwen2.5-VL-7B-Instruct"], { input: 9, output: 9 })).toBe(0);
  expect(prices["openai:gpt-4.1"]).toEqual(builtInPrices()["openai:gpt-4.1"]);
});

test("a price counts for both spellings of a model", async () => {
  const price = { input: 3, output: 15 };
  for (const name of ["anthropic:claude-x", "langchain:anthropic:claude-x"])
    expect(await readPrices(await fileOf(`${name}: { input: 3, output: 15 }`))).toMatchObject({
      "langchain:anthropic:claude-x": price,
    });
});

test.each([
  ["openai:gpt-4o: { input: cheap, output: 2 }", "openai:gpt-4o.input"],
  ["openai:gpt-4o: { input: -1, output: 2 }", "openai:gpt-4o.input"],
  ["openai:gpt-4o: { input: 1, cached_input: dear, output: 2 }", "openai:gpt-4o.cached_input"],
  ["[1, 2]", "the file"],
  ["a: [", "a"],
])("%j is refused by name", async (text, where) => {
  const file = await fileOf(text);
  const failure = await readPrices(file).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ kind: "wrong-setting" });
  expect(String(failure)).toContain(file);
  expect(String(failure)).toContain(where);
});

test("a missing file is named", async () => {
  await expect(readPrices(join(folder, "none.yaml"))).rejects.toMatchObject({
    kind: "file-unreadable",
  });
});
