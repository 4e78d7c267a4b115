import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Lock, missingPlatforms } from "../scripts/lock.ts";

const text = await readFile(join(import.meta.dirname, "../package-lock.json"), "utf8");

test("the lock file names no registry, so that any registry works", () => {
  expect(text).not.toContain('"resolved"');
  expect(text).not.toMatch(/registry\.|localhost|127\.0\.0\.1/);
});

test("it names the binaries of every platform, which npm ci requires", () => {
  expect(missingPlatforms(Lock.parse(JSON.parse(text)))).toEqual([]);
});

test("a missing binary is written with its platform", () => {
  const lock = Lock.parse({
    packages: {
      "node_modules/tool": {
        version: "1.2.3",
        dev: true,
        license: "MIT",
        optionalDependencies: {
          "@tool/linux-x64-musl": "1.2.3",
          "@tool/win32-x64": "1.2.3",
          fsevents: "^2.0.0",
        },
      },
      "node_modules/@tool/win32-x64": { version: "1.2.3" },
    },
  });
  expect(missingPlatforms(lock)).toEqual([
    {
      path: "node_modules/@tool/linux-x64-musl",
      entry: {
        version: "1.2.3",
        cpu: ["x64"],
        dev: true,
        libc: ["musl"],
        license: "MIT",
        optional: true,
        os: ["linux"],
      },
    },
  ]);
});
