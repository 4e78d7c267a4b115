import { Command } from "commander";
import { expect, test } from "vitest";
import { readSweep } from "../../../evals/sweep/sweep-settings.ts";
import { addSettingFlags, givenSettings } from "../../../src/app/cli/setting-flags.ts";
import { callerSettings, parseRequestSettings } from "../../../src/app/service/request-settings.ts";
import { readSettings } from "../../../src/core/settings.ts";

function given(...args: string[]) {
  const command = addSettingFlags(new Command(), () => true).exitOverride();
  command.parse(args, { from: "user" });
  return givenSettings(command);
}

test("settings of generation are read from flags", () => {
  const flags = given(
    ...["--strategy", "direct", "--top-p", "0.9", "--top-k", "20", "--reasoning-effort", "none"],
    ...["--thinking-budget", "-1", "--extra-body", '{"min_p": 0.05}'],
    ...["--header", "X-Gateway=$GATEWAY_KEY", "--header", "X-Team=$TEAM"],
  );
  const { generation, runtime } = readSettings(flags);
  expect(generation).toEqual({
    top_p: 0.9,
    top_k: 20,
    reasoning_effort: "none",
    thinking_budget: -1,
    extra_body: { min_p: 0.05 },
  });
  expect(runtime.headers).toBe("X-Gateway=$GATEWAY_KEY,X-Team=$TEAM");
  expect(
    readSettings(given("--top-p", "none", "--strategy", "direct")).generation.top_p,
  ).toBeNull();
});

test("settings of generation are axes of a sweep, by flag or path", () => {
  const { cells } = readSweep({
    base: { benchmark: "mmr-v", data: "MMR-V", strategy: "blind", model: "openai:q" },
    axes: { "top-p": [0.5, 0.9], "generation.extra_body": ['{"min_p": 0.1}', null] },
  });
  expect(cells).toHaveLength(4);
  expect(cells[0]?.input).toMatchObject({
    generation: { top_p: 0.5, extra_body: '{"min_p": 0.1}' },
  });
});

test("a question to the service may set generation, but no body and no header", () => {
  const own = { settings: {}, models: null };
  const paths = callerSettings().map(({ path }) => path);
  expect(paths).toContain("generation.top_p");
  expect(parseRequestSettings({ generation: { top_p: 0.5 } }, own)).toEqual({
    "generation.top_p": 0.5,
  });
  for (const asked of [
    { generation: { extra_body: { model: "other" } } },
    { generation: { extra_body: "{}" } },
    { "generation.extra_body": { a: 1 } },
    { runtime: { headers: "X=$HOME" } },
  ])
    expect(() => parseRequestSettings(asked, own)).toThrow(
      expect.objectContaining({ kind: "wrong-setting" }),
    );
});
