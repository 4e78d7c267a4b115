import { beforeAll, describe, expect, test } from "vitest";
import { builtIn, commandLine, copyWithout, typeCheck } from "./support/without-definition.ts";

/* Nothing but the registry knows a definition: without its folder and its line the rest is whole. All: definitions.soak.ts. */

const all = await builtIn();
/** One of each kind. */
const taken = [...new Map(all.map((definition) => [definition.registry, definition])).values()];

describe(`a copy without ${taken.map(({ path }) => path).join(" and ")}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await copyWithout(taken);
  });

  test("type-checks", { timeout: 240_000 }, async () => {
    expect(await typeCheck(folder)).toEqual({ code: 0, output: "" });
  });

  test("prints its help, which lists the other definitions", async () => {
    expect(await commandLine(folder, "ask", "--help")).toMatchObject({
      code: 0,
      output: expect.stringContaining("Usage: video-rrd ask"),
    });
    const { output } = await commandLine(folder, "eval", "--help");
    expect(output).toMatch(/\[benchmark\]|benchmark +vcrbench, mmr-v/);
    expect(output).toContain("vcrbench, mmr-v");
  });
});

test("this test covers every line of the registry", async () => {
  const names = all.map(({ identifier }) => identifier);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(["vcrbench", "mmrV", "videoMathQa", "letter"]));
});
