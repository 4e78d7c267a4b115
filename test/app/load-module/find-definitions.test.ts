import { expect, test } from "vitest";
import { z } from "zod";
import { scorers } from "../../../evals/scorers/define-scorer.ts";
import { defineStrategy, type StrategyDefinition } from "../../../graphs/define-strategy.ts";
import { findDefinitions } from "../../../src/app/load-module/find-definitions.ts";
import { settingMeta } from "../../../src/core/settings.ts";
import { defineTool } from "../../../tools/agent/define-tool.ts";

const strategy = (more: Partial<StrategyDefinition> = {}) => ({
  ...defineStrategy({
    name: "mine",
    summary: "Answers A.",
    approach: "other",
    shows: "nothing",
    tasks: ["choice"],
    reads: [],
    roles: [],
    run: async () => ({ answer: "A" }),
  }),
  ...more,
});
const tool = defineTool({
  name: "listen",
  description: "Listens.",
  parameters: z.object({}),
  needs: [],
  cost: "nothing",
  run: () => ({ type: "items", items: [] }),
});
const none = () => false;
const find = (exported: Record<string, unknown>) => findDefinitions(exported, "strategy", none);

test("definitions of all kinds are found once each, the default export first; other exports are left out", () => {
  const mine = strategy();
  const second = strategy({ name: "second" });
  const found = find({
    helper: () => 1,
    list: [mine],
    Schema: z.object({}),
    again: mine,
    second,
    default: mine,
    tool,
    number: 3,
  });
  expect(
    found.map(({ kind, definition, isDefault }) => [kind, definition.name, isDefault]),
  ).toEqual([
    ["tool", "listen", false],
    ["strategy", "mine", true],
    ["strategy", "second", false],
  ]);
});

test("a built-in definition that is exported again is not one of the file", () => {
  const [first] = scorers.all();
  const known = (_kind: string, value: unknown) => value === first;
  expect(findDefinitions({ default: first }, "scorer", known)).toEqual([]);
});

test.each<[string, object, RegExp]>([
  [
    "a missing member",
    strategy({ tasks: undefined }),
    /^invalid strategy "mine": its tasks must be/,
  ],
  ["a name for a path", strategy({ name: "../x" }), /its name must be letters, digits, dashes/],
  ["a run without define", { name: "x", approach: "other" }, /Make it with defineStrategy/],
  ["an object of something else", { colour: "red" }, /^invalid strategy: its name must be/],
  ["a group that exists", strategy({ settings: { runtime: z.strictObject({}) } }), /"runtime"/],
  [
    "a flag that exists",
    strategy({
      settings: {
        own: z.strictObject({
          a: z
            .int()
            .default(1)
            .meta(settingMeta({ flag: "frames" })),
        }),
      },
    }),
    /invalid flag --frames of its setting own\.a: recognition\.frames has it/,
  ],
  [
    "two settings with one flag",
    strategy({
      settings: {
        own: z.strictObject({ a_b: z.int().default(1) }),
        own_a: z.strictObject({ b: z.int().default(1) }),
      },
    }),
    /invalid flag --own-a-b of its setting own_a\.b: own\.a_b has it/,
  ],
  [
    "a setting without a default",
    strategy({ settings: { own: z.strictObject({ a: z.int() }) } }),
    /its setting own\.a has no default/,
  ],
])("%s is refused with the member", (_what, exported, message) => {
  expect(() => find({ default: exported })).toThrow(message);
});
