import { expect, test } from "vitest";
import { withoutNull } from "../../../tools/mcp/optional-parameters.ts";

test("an optional parameter of a server in Python keeps its type, items and values", () => {
  const orNull = (schema: object, more: object = {}) => ({
    anyOf: [schema, { type: "null" }],
    ...more,
  });
  const schema = {
    type: "object",
    properties: {
      limit: orNull({ type: "integer", minimum: 1 }, { default: null, title: "Limit" }),
      tags: orNull({ type: "array", items: orNull({ type: "string" }) }, { default: [] }),
      unit: { oneOf: [{ type: "null" }, { enum: ["km", "mi"], type: "string" }], default: "km" },
    },
    required: [],
  };
  expect(withoutNull(schema)).toEqual({
    type: "object",
    properties: {
      limit: { type: "integer", minimum: 1, title: "Limit" },
      tags: { type: "array", items: { type: "string" }, default: [] },
      unit: { enum: ["km", "mi"], type: "string", default: "km" },
    },
    required: [],
  });
});

test("other alternatives, and parameters that are named like them, stay as they are", () => {
  const schema = {
    type: "object",
    properties: {
      id: { anyOf: [{ type: "integer" }, { type: "string" }] },
      any: { anyOf: [{ type: "integer" }, { type: "string" }, { type: "null" }], default: null },
      anyOf: { type: "string", default: null },
    },
    required: ["id"],
  };
  expect(withoutNull(schema)).toEqual(schema);
});
