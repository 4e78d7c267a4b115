import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importViolations } from "../scripts/imports.ts";
import { tempFolder } from "./support/temp.ts";

async function plant(files: Record<string, string>): Promise<string> {
  const root = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

test("the project's own imports point one way", async () => {
  const { modules, violations } = await importViolations(join(import.meta.dirname, ".."));
  expect(modules).toBeGreaterThan(20);
  expect(violations).toEqual([]);
});

test("an upward import is refused, also of types only", async () => {
  const root = await plant({
    "tools/search.ts": "export const search = 1;\n",
    "graphs/ordering.ts": "export type Order = number[];\n",
    "src/core/shapes.ts":
      'import { search } from "../../tools/search.ts";\nexport const shape = search;\n',
    "src/media/probe.ts":
      'import type { Order } from "../../graphs/ordering.ts";\nexport type Probe = Order;\n',
  });
  const { violations } = await importViolations(root);
  expect(violations.toSorted()).toEqual([
    "src/core-imports-only-below: src/core/shapes.ts -> tools/search.ts",
    "src/media-imports-only-below: src/media/probe.ts -> graphs/ordering.ts",
  ]);
});

test("peers do not import each other", async () => {
  const root = await plant({
    "src/storage/open.ts": "export const open = 1;\n",
    "src/models/call.ts": 'import { open } from "../storage/open.ts";\nexport const call = open;\n',
  });
  const { violations } = await importViolations(root);
  expect(violations).toEqual([
    "src/models-imports-only-below: src/models/call.ts -> src/storage/open.ts",
  ]);
});

test("a strategy's folder is imported by the app only", async () => {
  const root = await plant({
    "graphs/ask/plan.ts": "export const plan = 1;\n",
    "graphs/look/graph.ts": 'export { plan } from "../ask/plan.ts";\n',
    "graphs/ask/graph.ts": 'export { plan } from "./plan.ts";\n',
    "graphs/stages/cite.ts": 'export { plan } from "../ask/plan.ts";\n',
    "graphs/plan.ts": 'export const load = () => import("./ask/plan.ts");\n',
    "src/app/registry.ts": 'export { plan } from "../../graphs/ask/plan.ts";\n',
  });
  const { violations } = await importViolations(root);
  expect(violations.toSorted()).toEqual([
    "only-the-app-imports-a-strategy: graphs/plan.ts -> graphs/ask/plan.ts",
    "only-the-app-imports-a-strategy: graphs/stages/cite.ts -> graphs/ask/plan.ts",
    "strategies-import-no-other-strategy: graphs/look/graph.ts -> graphs/ask/plan.ts",
  ]);
});

test("the published test server is independent of the package", async () => {
  const root = await plant({
    "src/testing/server.ts": 'export { hash } from "../core/hash.ts";\n',
    "src/core/hash.ts": "export const hash = 1;\n",
    "src/app/cli.ts": 'export { hash } from "../testing/server.ts";\n',
  });
  const { violations } = await importViolations(root);
  expect(violations.toSorted()).toEqual([
    "nothing-of-the-package-imports-testing: src/app/cli.ts -> src/testing/server.ts",
    "testing-imports-nothing-of-the-package: src/testing/server.ts -> src/core/hash.ts",
  ]);
});

test("a cycle is refused", async () => {
  const root = await plant({
    "tools/frames.ts": 'import { shots } from "./shots.ts";\nexport const frames = () => shots;\n',
    "tools/shots.ts": 'import { frames } from "./frames.ts";\nexport const shots = () => frames;\n',
  });
  const { violations } = await importViolations(root);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatch(/^no-cycles: /);
});
