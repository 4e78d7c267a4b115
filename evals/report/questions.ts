import { orderingOf } from "../../src/core/ordering.ts";
import type { Outcome, ReportQuestion, ReportSaid } from "../../src/pages/report-data.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { ReportRun } from "./run.ts";

type SampleReply = ReportRun["said"][number];

/** Every sample of the runs, with the reply of each run. */
export function questionsOf(runs: readonly ReportRun[]): ReportQuestion[] {
  const samples = new Map<string, { sample: Sample; groups: Record<string, string> }>();
  for (const { results } of runs)
    for (const sample of results.samples)
      samples.set(sample.id, {
        sample,
        groups: withoutUnknown(results.benchmark.groups(sample), results.unknownGroups),
      });
  const said = runs.map(({ said: of }) => Map.groupBy(of, ({ sample }) => sample.id));
  return [...samples.values()].map(({ sample, groups }) => ({
    id: sample.id,
    video: sample.video,
    text: sample.question,
    options: sample.options,
    right: show(sample.answer),
    evidence_s: sample.evidence_s ?? [],
    groups: Object.entries(groups).map(([kind, group]) => `${kind}: ${group}`),
    said: said.flatMap((of, run) => {
      const found = of.get(sample.id) ?? [];
      return found.length === 0 ? [notAsked(run)] : found.map((one) => saidOf(one, run));
    }),
  }));
}

function withoutUnknown(groups: Record<string, string>, unknown: readonly string[]) {
  return Object.fromEntries(Object.entries(groups).filter(([kind]) => !unknown.includes(kind)));
}

function notAsked(run: number): ReportSaid {
  return {
    run,
    epoch: 1,
    outcome: "not asked",
    answer: null,
    explanation: "no result",
    reply: null,
    frames_s: [],
    ordering: null,
    evidence: [],
    calls: [],
  };
}

function saidOf(said: SampleReply, run: number): ReportSaid {
  const { epoch, extraction, score, reply, line } = said;
  return {
    run,
    epoch,
    outcome: outcomeOf(said),
    answer: extraction?.answer == null ? null : show(extraction.answer),
    explanation: score.explanation,
    reply,
    frames_s: line?.frames_s ?? [],
    ordering: orderingSaid(line),
    evidence: line?.evidence ?? [],
    calls: line?.calls ?? [],
  };
}

function orderingSaid(line: SampleReply["line"]): ReportSaid["ordering"] {
  const found = orderingOf(line?.diagnostics);
  if (found === null) return null;
  return { found, order: Array.isArray(line?.answer) ? line.answer : found.clips };
}

function outcomeOf({ score, extraction }: SampleReply): Outcome {
  if (score.value === 1) return "right";
  if (score.value !== null && score.value > 0) return "partly right";
  if (extraction === null) return "failed";
  if (extraction.answer === null) return "unanswered";
  return score.value === null ? "not scored" : "wrong";
}

function show(answer: string | readonly number[]): string {
  return typeof answer === "string" ? answer : answer.join(", ");
}
