import { expect, test, vi } from "vitest";
import { runningText, stageProgress, updateStages } from "../../../src/app/cli/stage-progress.ts";
import type { Event, EventBody } from "../../../src/core/events.ts";
import { fold, noProgress, shareOf } from "../../../src/pages/service/stages.js";

/* Stages that run at the same time, as an index of a spoken film emits them. Times are seconds. */
const START = 1_800_000_000_000;
const step = (done: number, total: number | null, unit: string): EventBody => ({
  ...{ type: "progress", done, total, unit },
});
const started: EventBody = { type: "stage", state: "start" };
const ended = (seconds: number): EventBody => ({ type: "stage", state: "end", seconds });
const RECORDED: [at_s: number, stage: string, body: EventBody][] = [
  [0, "text", started],
  [0, "speech", started],
  [1, "text", step(500, 3000, "frames")],
  [2, "speech", step(20, 600, "seconds of sound transcribed")],
  [3, "text", step(3000, 3000, "frames")],
  [9, "speech", step(200, 600, "seconds of sound transcribed")],
  [12, "text", step(3, 40, "pictures read")],
  [14, "text", ended(14)],
  [20, "speech", step(590, 600, "seconds of sound transcribed")],
  [21, "speech", ended(21)],
];

function eventsUntil(at_s: number): Event[] {
  return RECORDED.filter(([at]) => at <= at_s).map(([at, stage, body], index) => ({
    ...{ seq: index + 1, question: "index", at: START + at * 1000, stage },
    ...body,
  }));
}

test("the line names the running stages, the one that moved last first, each with its own time", () => {
  const lineAt = (at_s: number) => {
    const stages = new Map();
    for (const event of eventsUntil(at_s)) updateStages(stages, event);
    return runningText(stages, START + at_s * 1000);
  };
  expect(lineAt(0)).toBe("… text: 0 s · speech: 0 s");
  expect(lineAt(2)).toBe(
    "… speech: 20 of 600 seconds of sound transcribed, 2 s · text: 500 of 3000 frames, 2 s",
  );
  expect(lineAt(12)).toBe(
    "… text: 3 of 40 pictures read, 12 s · speech: 200 of 600 seconds of sound transcribed, 12 s",
  );
  expect(lineAt(16)).toBe("… speech: 200 of 600 seconds of sound transcribed, 16 s");
  expect(lineAt(21)).toBe("");
});

test("a bar of the page shows a share only while its stage moves", () => {
  const sharesAt = (at_s: number) => {
    const progress = noProgress();
    for (const event of eventsUntil(at_s)) fold(progress, event as never);
    const running = progress.stages.filter((stage) => stage.running);
    return Object.fromEntries(running.map((stage) => [stage.name, shareOf(stage, progress)]));
  };
  expect(sharesAt(0)).toEqual({ text: null, speech: null });
  expect(sharesAt(2)).toEqual({ text: 500 / 3000, speech: 20 / 600 });
  // All frames are scanned, and the pictures are not read yet.
  expect(sharesAt(3)).toEqual({ text: null, speech: 20 / 600 });
  expect(sharesAt(9)).toEqual({ text: null, speech: 200 / 600 });
  expect(sharesAt(12)).toEqual({ text: 3 / 40, speech: 200 / 600 });
  expect(sharesAt(20)).toEqual({ speech: 590 / 600 });
});

test("a stage that runs twice at once has ended once both have, and is printed once", () => {
  const bodies = [started, started, ended(1), ended(3), started, ended(2)];
  const events = bodies.map((body, index): Event => {
    return { seq: index + 1, question: "q", at: START + index * 1000, stage: "ask", ...body };
  });
  const stages = new Map();
  const progress = noProgress();
  const running = events.map((event) => {
    updateStages(stages, event);
    fold(progress, event as never);
    return [runningText(stages, event.at), progress.stages[0]?.running];
  });
  expect(running).toEqual([
    ["… ask: 0 s", true],
    ["… ask: 1 s", true],
    ["… ask: 2 s", true],
    ["", false],
    ["… ask: 0 s", true],
    ["", false],
  ]);
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const view = stageProgress();
    for (const event of events) view.onEvent(event);
    view.done();
    expect(write.mock.calls).toEqual([["✓ ask: 3.0 s\n"], ["✓ ask: 2.0 s\n"]]);
  } finally {
    write.mockRestore();
  }
});

test("something is printed within the first second and a half, and while nothing reports progress", () => {
  vi.useFakeTimers({ now: START });
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text).trim());
    return true;
  });
  try {
    const view = stageProgress();
    vi.advanceTimersByTime(2000);
    expect(written).toEqual(["… open video: 1 s"]);
    view.onEvent({ seq: 1, question: "q", at: Date.now(), stage: "ask", ...started });
    vi.advanceTimersByTime(11_000);
    expect(written.slice(1)).toEqual(["… ask: 4 s", "… ask: 9 s"]);
    view.onEvent({ seq: 2, question: "q", at: Date.now(), stage: "ask", ...ended(11) });
    expect(written.at(-1)).toBe("✓ ask: 11.0 s");
    view.done();
    vi.advanceTimersByTime(60_000);
    expect(written).toHaveLength(4);
  } finally {
    write.mockRestore();
    vi.useRealTimers();
  }
});

test("a command that is usually fast prints nothing before its time, except notes", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const view = stageProgress({ after_ms: 60_000 });
    for (const event of eventsUntil(21)) view.onEvent(event);
    view.onEvent({ seq: 99, question: "q", at: START, stage: "text", type: "note", text: "Mind." });
    view.done();
    expect(write.mock.calls).toEqual([["note: Mind.\n"]]);
  } finally {
    write.mockRestore();
  }
});
