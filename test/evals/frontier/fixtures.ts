import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { EvalHeader } from "../../../evals/run/run-header.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { choice } from "../benchmarks/fixtures.ts";

interface Made {
  strategy: string;
  model?: string;
  frames: number;
  /** Pictures of recognition among them. */
  indexed?: number;
  /** Whether question `place` is right. */
  right: (place: number) => boolean;
  cost?: number | null;
}

export const QUESTIONS = 120;

/** A run over 60 videos with two questions each; A is right. */
export function run(
  name: string,
  { strategy, model, frames, indexed = 0, right, cost = 0.01 }: Made,
): Results {
  const samples = Array.from({ length: QUESTIONS }, (_, place) => ({
    ...choice("ABC"),
    id: `s${place}`,
    video: `v${place >> 1}.mp4`,
    row: { video: "v", question: "q", options: ["(A) x", "(B) y"], correctAnswer: "(A)" },
  }));
  const call = (role: string, pictures: number) =>
    ({ role, frames: pictures, input: 100 * pictures, output: 10 }) as RunLine["calls"][number];
  const calls = [
    ...(indexed > 0 ? [call("recogniser", indexed)] : []),
    call("reasoner", frames - indexed),
  ];
  const usage = {
    calls: calls.length,
    frames,
    input: 100 * frames,
    output: 10 * calls.length,
    cost,
    paid: cost,
  };
  return {
    name,
    benchmark: mmrV,
    samples,
    said: samples.map((sample, place) => ({
      sample,
      epoch: 1,
      reply: right(place) ? "[[A]]" : "[[B]]",
      why: "",
      line: {
        ...{ diagnostics: {}, limits_met: [], status: "answered" },
        ...{ frames_s: [1, 2], calls, usage },
      } as unknown as RunLine,
    })),
    epochs: 1,
    missing: 0,
    skipped: 0,
    data: { hash: "d", subset: "mcq" },
    unknownGroups: [],
    notes: [],
    header: {
      status: "finished",
      settings: readSettings({ strategy, ...(model === undefined ? {} : { model }) }),
    } as unknown as EvalHeader,
  };
}

/** Right on this share of the questions; a larger share includes those of a smaller one. */
export const rightOn = (share: number) => (place: number) =>
  (place * 37) % QUESTIONS < share * QUESTIONS;
