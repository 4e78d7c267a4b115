import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  isOwnCode,
  isWithinPackage,
  runningModule,
} from "../../../src/app/load-module/running-package.ts";

const root = join(import.meta.dirname, "../../..");

test("in a clone, every export is the source file and never a compiled one", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(exports)) {
    const file = fileURLToPath(runningModule(join("video-rrd", name)));
    expect(file).not.toContain("/dist/");
    expect(existsSync(file), file).toBe(true);
  }
  expect(() => runningModule("video-rrd/inner")).toThrow(
    "Cannot find 'video-rrd/inner': use video-rrd, video-rrd/testing or video-rrd/client",
  );
});

test("code of the package is told from files of users in its folder", () => {
  expect(isOwnCode(join(root, "src/app/index.ts"))).toBe(true);
  expect(isOwnCode(join(root, "examples/strategy.ts"))).toBe(false);
  expect(isOwnCode(join(root, "../elsewhere/src/x.ts"))).toBe(false);
  expect(isWithinPackage(join(root, "node_modules/zod/index.js"))).toBe(true);
  expect(isWithinPackage(`${root}-other/node_modules/zod/index.js`)).toBe(false);
});
