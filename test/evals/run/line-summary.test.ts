import fc from "fast-check";
import { expect, test } from "vitest";
import { readLineSummary } from "../../../evals/run/line-summary.ts";
import { RunLine } from "../../../evals/run/run-line.ts";
import { isFailure } from "../../../src/core/errors.ts";

const line = {
  ...{ sample: "s", epoch: 1, attempt: 0, video: "v.mp4", question: "q", status: "answered" },
  ...{ reply: "(A)", reply_by: "model", answer: "A", cites: [], set: null, evidence: [] },
  scores: { sound: { value: 1, answer: "A", explanation: "" } },
  ...{ frames_s: [], calls: [], limits_met: [], diagnostics: {} },
  usage: { calls: 1, frames: 0, input: 5, output: 2, cost: null, paid: 0.5, reasoning: 1 },
  ...{ started_at: "2026-01-01T00:00:00.000Z", seconds: 1 },
};

const MEMBERS = [
  ...["attempt", "status", "limits_met", "usage", "scores", "error"],
  ...["usage.calls", "usage.cost", "usage.paid", "usage.reasoning", "usage.estimated"],
  ...["scores.sound", "scores.sound.value"],
];

function withMember(path: string, value: unknown): object {
  const changed: Record<string, unknown> = structuredClone(line);
  const names = path.split(".");
  const last = names.pop() as string;
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, changed);
  parent[last] = value;
  return changed;
}

const summary = RunLine.pick({ attempt: true, status: true, limits_met: true, usage: true });

test("a line is accepted for resuming exactly if it is valid, and keeps its values", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 0, 1.5, null, undefined, "", [], {}));
  fc.assert(
    fc.property(fc.constantFrom(...MEMBERS), value, (path, given) => {
      const changed = withMember(path, given);
      const scores = { explanation: "", answer: null };
      const { scores: all } = changed as typeof line;
      // Only the values of scores are read.
      const complete =
        typeof all === "object" && all !== null && !Array.isArray(all)
          ? Object.fromEntries(
              Object.entries(all).map(([name, score]) => [
                name,
                typeof score === "object" && score !== null && !Array.isArray(score)
                  ? { ...scores, value: score.value }
                  : score,
              ]),
            )
          : all;
      const isValid = RunLine.safeParse({ ...changed, scores: complete }).success;
      try {
        const read = readLineSummary(changed, "/run");
        expect(isValid).toBe(true);
        expect(summary.parse(read)).toEqual(summary.parse(changed));
      } catch (error) {
        if (!isFailure(error, "data-malformed")) throw error;
        expect(isValid).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});
