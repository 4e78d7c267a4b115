import { expect, test } from "vitest";
import { endsRun, Failure } from "../../src/core/errors.ts";
import { FAILURE_KINDS, type FailureKind } from "../../src/core/failure-kinds.ts";

const kindsWhere = (holds: (kind: FailureKind) => boolean) =>
  (Object.keys(FAILURE_KINDS) as FailureKind[]).filter(holds).toSorted();

test("a caller's own mistake is status 4xx and never ends as an internal failure", () => {
  for (const kind of kindsWhere((kind) => FAILURE_KINDS[kind].exit === "usage"))
    expect(FAILURE_KINDS[kind].http, kind).toBe(422);
});

test("a full disk, a missing key and a cancellation end a run; a damaged video and a model's reply do not", () => {
  const ends = (kind: FailureKind) => endsRun(new Failure(kind, "x"));
  expect(
    ["disk-full", "missing-key", "cancelled"].map((kind) => ends(kind as FailureKind)),
  ).toEqual([true, true, true]);
  expect(
    ["damaged", "model-unusable", "not-found"].map((kind) => ends(kind as FailureKind)),
  ).toEqual([false, false, false]);
});

test("failures of one tool call are sent to the agent's model", () => {
  expect(kindsWhere((kind) => FAILURE_KINDS[kind].scope === "call")).toEqual([
    "mathematics",
    "mcp-server",
    "media-limit",
    "no-subtitles",
    "not-found",
    "ocr",
    "wrong-usage",
  ]);
});
