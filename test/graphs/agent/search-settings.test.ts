import { expect, test } from "vitest";
import { searchSettings, toolNames, toolsNamed } from "../../../graphs/toolbox/search-settings.ts";
import {
  listSettings,
  readSettings,
  resolveSettings,
  type Settings,
} from "../../../src/core/settings.ts";
import type { Task } from "../../../src/core/shapes.ts";

const toolsOf = (tools: string) => [
  ...toolsNamed(searchSettings(readSettings({ strategy: "agent", search: { tools } }))),
];

const budgetOf = (settings: Settings, task: Task) => resolveSettings(settings, task).budget;

test("tools are removed by a minus or selected by name, in their own order", () => {
  const without = (...names: string[]) => toolNames().filter((tool) => !names.includes(tool));
  expect(toolsOf("all")).toEqual(toolNames());
  expect(toolsOf("-zoom")).toEqual(without("zoom"));
  expect(toolsOf(" -zoom, -read_text ")).toEqual(without("zoom", "read_text"));
  expect(toolsOf("view_frames,overview")).toEqual(["overview", "view_frames"]);
});

test.each(["", "-zoom,overview", "binoculars", "-answer", "zoom,"])(
  "%j names no tools",
  (tools) => {
    expect(() => toolsOf(tools)).toThrow(
      /^Invalid --tools .*: use .*-calculate,-solve.*view_frames/,
    );
  },
);

test("an agent has 8 calls and 40 frames by default, and other strategies have no limit", () => {
  const none = { calls: null, frames: null, tokens: null, seconds: null, cost: null };
  expect(budgetOf(readSettings({ strategy: "agent" }), "choice")).toEqual({
    ...none,
    calls: 8,
    frames: 40,
  });
  const given = readSettings({ strategy: "agent", budget: { calls: 20, tokens: 5 } });
  expect(budgetOf(given, "open")).toEqual({ ...none, calls: 20, frames: 40, tokens: 5 });
  expect(budgetOf(readSettings({ strategy: "agent" }), "order")).toEqual(none);
  expect(budgetOf(readSettings({ strategy: "rrd" }), "choice")).toEqual(none);
});

test("strategies share the settings of a search that both of them declare", () => {
  const readers = (path: string) => listSettings().find((one) => one.path === path)?.strategies;
  expect(readers("search.steps")).toEqual(["agent", "react"]);
  expect(readers("search.verify")).toEqual(["agent"]);
  const read = readSettings({ strategy: "react", search: { steps: 3, tools: "-zoom" } });
  expect(searchSettings(read)).toMatchObject({ steps: 3, tools: "-zoom", cells: 24 });
  expect(() => readSettings({ strategy: "react", search: { verifier: "openai:m" } })).toThrow(
    /`react` does not read `--verifier`.*use one of the strategies agent\./,
  );
});
