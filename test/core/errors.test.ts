import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { Failure, isFailure, oneLine, toFailure } from "../../src/core/errors.ts";

const system = (code: string) => Object.assign(new Error(code), { code, path: "/v/a.mp4" });

test.each([
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
  ["EROFS", "disk-unwritable"],
  ["EACCES", "file-unreadable"],
  ["ABORT_ERR", "cancelled"],
  ["ECONNRESET", "damaged"],
])("the system's %s becomes %s", (code, kind) => {
  expect(toFailure(system(code), "damaged", "reading a video").kind).toBe(kind);
});

test("a missing file is named, and its cause is preserved", async () => {
  const error: unknown = await readFile("/no/such/file").catch((thrown: unknown) => thrown);
  const failure = toFailure(error, "damaged", "reading a video");
  expect(failure).toMatchObject({ kind: "file-unreadable", facts: { path: "/no/such/file" } });
  expect(failure.message).toBe("Cannot find /no/such/file while reading a video.");
  expect(toFailure(error, "damaged", "reading /no/such/file").message).toBe(
    "Cannot find /no/such/file.",
  );
  expect(failure.cause).toBe(error);
});

test.each([
  ["EACCES", "no permission; change its permissions or choose another file"],
  ["EISDIR", "a folder has that name; choose another name"],
  ["ENOTDIR", "a part of the path is a file; choose another path"],
])("a file that cannot be opened because of %s says why and what to do", (code, why) => {
  expect(toFailure(system(code), "damaged", "reading /v/a.mp4").message).toBe(
    `No access to a file while reading /v/a.mp4: ${why} (${code}).`,
  );
});

test("a failure is not converted again", () => {
  const failure = new Failure("no-audio", "No sound.");
  expect(toFailure(failure, "damaged", "reading")).toBe(failure);
  expect(isFailure(failure)).toBe(true);
  expect(isFailure(failure, "no-audio")).toBe(true);
  expect(isFailure(failure, "no-video")).toBe(false);
  expect(isFailure(new Error("x"))).toBe(false);
});

test("external messages are shortened to one line", () => {
  expect(oneLine("  a\n\tb  ")).toBe("a b");
  expect(oneLine("x".repeat(400))).toHaveLength(300);
  expect(oneLine("ab🎉cd", 4)).toBe("ab…");
  expect(toFailure("line one\nline two", "damaged", "reading").message).not.toContain("\n");
});
