import { expect, test, vi } from "vitest";
import { missingWorkers } from "../../../evals/workers/missing-workers.ts";
import type { WorkerInfo } from "../../../src/core/shared-runs.ts";

const one: WorkerInfo = {
  ...{
    id: "a",
    host: "h",
    pid: 1,
    version: "1",
    concurrency: 2,
    draining: false,
    running: 0,
    questions: 0,
  },
  ...{ stages: ["index", "reason"], at_work: {}, refused: {} },
};

test("what is missing is said after a while, once, and again if it changes", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const said: string[] = [];
  const missing = missingWorkers((text) => said.push(text));
  const look = (...workers: WorkerInfo[]) => {
    vi.advanceTimersByTime(3_001);
    missing.look("r1", workers);
  };
  missing.look("r1", []);
  expect(said).toEqual([]);
  look();
  look();
  look({ ...one, stages: ["index"] });
  look({ ...one, refused: { r1: "No key." } }, { ...one, draining: true });
  look(one, { ...one, refused: { r1: "No key." } });
  look(one);
  vi.useRealTimers();
  expect(said).toEqual([
    expect.stringContaining("No worker is running"),
    expect.stringContaining("only some with --stages index"),
    "The only worker cannot answer this run: the questions wait. No key.",
    "A worker is answering the run.",
  ]);
});
