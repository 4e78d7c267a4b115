import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { type Declaration, exportsOf, isDocumented, namedTypes } from "../support/public-api.ts";

const root = join(import.meta.dirname, "../..");
const modules = ["src/app/index.ts", "src/testing/index.ts"].map((path) => join(root, path));
const where = ({ file, name }: Declaration) => `${relative(root, file)} ${name}`;

test.each(modules)("%s exports the types that it refers to", (module) => {
  const offered = [...exportsOf(module).values()];
  const known = new Set(offered.map(where));
  expect(known.size).toBeGreaterThan(10);
  const missing = offered.flatMap((declaration) =>
    namedTypes(declaration)
      .filter((type) => !known.has(where(type)))
      .map((type) => `${where(type)}, of ${declaration.name}`),
  );
  expect([...new Set(missing)].sort()).toEqual([]);
});

test.each(modules)("every export of %s has a docstring", (module) => {
  const bare = [...exportsOf(module).values()].filter((one) => !isDocumented(one)).map(where);
  expect(bare.sort()).toEqual([]);
});
