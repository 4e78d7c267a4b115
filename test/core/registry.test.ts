import { expect, test } from "vitest";
import { createRegistry } from "../../src/core/registry.ts";

test("definitions are listed in their order and found by name", () => {
  const kinds = createRegistry<{ name: string }>("a fruit");
  const plum = { name: "plum" };
  kinds.add({ name: "pear" }, plum);
  kinds.add(plum);
  expect(kinds.names()).toEqual(["pear", "plum"]);
  expect(kinds.get("plum")).toBe(plum);
  expect(kinds.find("fig")).toBeUndefined();
  expect(() => kinds.get("fig")).toThrow('Unknown fruit "fig": use pear, plum.');
});

test("two definitions cannot share a name", () => {
  const kinds = createRegistry<{ name: string }>("an animal");
  kinds.add({ name: "cat" });
  expect(() => kinds.add({ name: "cat" })).toThrow(
    'Cannot add an animal named "cat": the name is in use.',
  );
});
