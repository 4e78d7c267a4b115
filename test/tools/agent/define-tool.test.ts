import { expect, test } from "vitest";
import { z } from "zod";
import { toolSpecs } from "../../../graphs/agent/tool-specs.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import { functionTool } from "../../../src/models/json.ts";
import { defineTool, tools } from "../../../tools/agent/define-tool.ts";

const prompts = await loadPrompts();

const loudness = () =>
  defineTool({
    name: "loudness",
    description: "Tells how loud a part of the video is.",
    parameters: z.object({ from_s: z.number().min(0).describe("start of the part, in seconds") }),
    needs: ["sound"],
    cost: "nothing",
    run: () => ({ type: "items", items: [] }),
  });

test("a tool with its own description is sent with the descriptions of its parameters and of `seen`", () => {
  const [first] = toolSpecs([loudness()], { prompts }).tools.map(functionTool);
  expect(first?.function).toMatchObject({
    name: "loudness",
    description: "Tells how loud a part of the video is.",
    parameters: {
      properties: {
        from_s: { type: "number", minimum: 0, description: "start of the part, in seconds" },
        seen: { description: expect.stringContaining("pictures you were shown last") },
      },
      required: ["from_s"],
    },
  });
});

test("the prompt of a tool comes from `--prompts`, and its hash is reported", () => {
  const offered = tools.all();
  const { prompts: rendered } = toolSpecs(offered, { prompts });
  expect(rendered.map(({ name }) => name)).toEqual(
    [...tools.names(), "answer"].map((name) => `agent/tools/${name}`),
  );
  for (const { name, hash } of rendered) expect(hash).toBe(prompts.hashes()[name]);
});

test.each(["view-frames", "Zoom", "", "9lives", "a".repeat(65)])(
  "the name %j is refused",
  (name) => {
    expect(() => defineTool({ ...loudness(), name })).toThrow(
      expect.objectContaining({
        kind: "wrong-usage",
        message: expect.stringContaining("use lower-case letters, digits and underscores"),
      }),
    );
  },
);

test("a parameter without a description is an error that names it", () => {
  const parameters = z.object({ from_s: z.number().describe("seconds"), loud: z.boolean() });
  expect(() => defineTool({ ...loudness(), parameters })).toThrow(
    /^Missing description of the parameter loud of the tool loudness: add \.describe/,
  );
});

test("a parameter called `seen` is an error, because every call may have one", () => {
  const parameters = z.object({ seen: z.string().describe("what was seen") });
  expect(() => defineTool({ ...loudness(), parameters })).toThrow(
    /parameter seen of the tool loudness/,
  );
});

test("every parameter of a built-in tool has a description", () => {
  for (const { name, parameters } of tools.all()) {
    const schema = z.toJSONSchema(parameters, { io: "input" }) as {
      properties: Record<string, { description?: string }>;
    };
    for (const [parameter, { description }] of Object.entries(schema.properties))
      expect(description, `${name} ${parameter}`).toMatch(/\w/);
  }
});
