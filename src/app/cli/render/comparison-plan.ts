import { points } from "../../../../evals/compare/contrast-words.ts";
import type { ComparisonPlan, PlannedSize } from "../../../../evals/compare/plan-comparison.ts";
import { metricTitle } from "../../../../evals/score/metrics.ts";
import type { Size } from "../../../../evals/statistics/sample-size.ts";
import { percent } from "../../../core/percent.ts";
import { table } from "../output.ts";

/** The pilot, the sizes for each difference, and what they rest on. */
export function renderComparisonPlan(plan: ComparisonPlan): string {
  const { sizes, power, alpha, comparisons, questions_per_video } = plan;
  const several = comparisons > 1 ? `, for ${comparisons} comparisons` : "";
  const lines = [
    pilotLine(plan),
    "",
    `Questions needed to find a true difference with a power of ${percent(power)} at a level of ${Number(alpha.toPrecision(3))}${several}, at ${Number(questions_per_video.toFixed(2))} per video:`,
    "",
    table([
      ["points", "videos", "questions", "cautious: videos", "questions", "McNemar: videos"],
      ...sizes.map((size) => row(size, plan)),
    ]),
    "",
    "Videos and questions: clustered t-test, which the sign-flip permutation by video follows closely.",
    ...(plan.pilot === null
      ? []
      : [
          "Cautious: with the upper 80 % limit of the pilot's variance. Half of all pilots underestimate it.",
        ]),
    "McNemar: exact test with one question per video.",
    ...sizes.flatMap(simulationLine),
  ];
  return lines.join("\n");
}

function pilotLine({ pilot, metric, spread }: ComparisonPlan): string {
  const { binary, square, correlation, questions, videos, difference } = spread;
  const facts = [
    binary
      ? `${percent(square)} of the questions score differently`
      : `standard deviation of the differences ${points(Math.sqrt(square - difference ** 2)).slice(1)} points`,
    correlation === null
      ? "one question per video"
      : `correlation within a video ${correlation.toFixed(2)}`,
  ].join(", ");
  if (pilot === null) return `Assumed: ${facts}.`;
  return `Pilot: ${pilot.a} and ${pilot.b}, by ${metricTitle(metric)}: ${questions} questions on ${videos} videos; ${facts}.`;
}

function row({ difference, clustered, cautious, mcnemar }: PlannedSize, plan: ComparisonPlan) {
  const cells = (size: Size | null) =>
    size === null ? ["–", "–"] : [String(size.videos), String(size.questions)];
  return [
    String(Number((100 * difference).toFixed(4))),
    ...cells(clustered),
    ...cells(plan.pilot === null ? null : cautious),
    mcnemar === null ? "–" : String(mcnemar),
  ];
}

function simulationLine({ difference, clustered, simulated }: PlannedSize): string[] {
  if (simulated === null || clustered === null) return [];
  const { power, low, high, studies } = simulated;
  return [
    `Simulated from the pilot: on ${clustered.videos} videos the sign-flip permutation finds ${Number((100 * difference).toFixed(4))} points in ${percent(power)} of ${studies} studies (95 % interval ${percent(low)} to ${percent(high)}).`,
  ];
}
