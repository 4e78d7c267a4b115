import { expect, test } from "vitest";
import { type EventBody, totalUsage, usageByStage } from "../../src/core/events.ts";
import { NO_USAGE, type Usage } from "../../src/core/shapes.ts";

function call(stage: string, usage: Partial<Usage>): { stage: string } & EventBody {
  return {
    stage,
    type: "call",
    call: {
      key: "k",
      role: "reasoner",
      model: "openai:m",
      prompts: {},
      label: "",
      finish: "stop",
      cached: false,
      usage: { ...NO_USAGE, ...usage },
      seconds: 1,
      frames: [],
      text: "",
    },
  };
}

test("usage by stage is the sum of its calls", () => {
  const events = [
    call("recognise", { calls: 1, frames: 8, input: 100, output: 10, cost: 0.5, paid: 0 }),
    { stage: "recognise", type: "note", text: "42 calls" } as const,
    call("order", { calls: 1, input: 7, cost: 0.25, paid: 0.25 }),
    call("recognise", { calls: 1, frames: 4, input: 50, output: 5, cost: 0.25, paid: 0.25 }),
  ];
  expect([...usageByStage(events)]).toEqual([
    ["recognise", { calls: 2, frames: 12, input: 150, output: 15, cost: 0.75, paid: 0.25 }],
    ["order", { ...NO_USAGE, calls: 1, input: 7, cost: 0.25, paid: 0.25 }],
  ]);
  expect(totalUsage(events)).toEqual({
    calls: 3,
    frames: 12,
    input: 157,
    output: 15,
    cost: 1,
    paid: 0.5,
  });
  expect(totalUsage([])).toEqual(NO_USAGE);
});

test("one call without a price makes the total unknown", () => {
  const events = [call("a", { cost: 1, paid: 1 }), call("a", { cost: null, paid: null })];
  expect(totalUsage(events)).toMatchObject({ cost: null, paid: null });
});
