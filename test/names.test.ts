import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { strategies } from "../graphs/define-strategy.ts";
import { nameViolations } from "../scripts/names.ts";
import { tools } from "../tools/agent/define-tool.ts";
import { tempFolder } from "./support/temp.ts";

test("no name of a definition is outside its home", async () => {
  const { files, violations } = await nameViolations(join(import.meta.dirname, ".."));
  expect(files).toBeGreaterThan(200);
  expect(violations).toEqual([]);
});

test("a planted name is refused everywhere except at home, in a list or in a comment", async () => {
  const [name = ""] = strategies.names();
  const [tool = ""] = tools.names();
  const root = await tempFolder();
  const files = {
    [`graphs/${name}/strategy.ts`]: `export const name = "${name}";\n`,
    "src/app/registry.ts": `export const names = ["${name}"];\n`,
    "evals/sweep/presets/ladder.ts": `export const rungs = ['${name}'];\n`,
    "tools/remark.ts": `/* such as "${name}" */\nexport const url = "http://a.b"; // "${name}"\n`,
    "evals/run/run.ts": `export const a = 1;\nexport const is = (s: string) => s === "${name}";\n`,
    "graphs/stages/segment.ts": `export const b = { '${name}': 1 };\n`,
    "src/pages/form.js": `export const c = \`${name}\`;\n`,
    [`tools/agent/${tool}.ts`]: `export const name = "${tool}";\n`,
    "graphs/rrd/loop.ts": `import { run } from "${name}";\nconst more = await import("${name}");\n`,
    "tools/video/sheet.ts": `export const key = "${tool}";\n`,
    "graphs/agent/offered-tools.ts": `export const first = "${tool}";\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const { violations } = await nameViolations(root);
  expect(violations.map((one) => one.split(" names ")[0])).toEqual([
    "evals/run/run.ts:2",
    "graphs/agent/offered-tools.ts:1",
    "graphs/stages/segment.ts:1",
    "src/pages/form.js:1",
  ]);
});
