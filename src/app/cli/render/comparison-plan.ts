import { points } from "../../../../evals/compare/contrast-words.ts";
import type { ComparisonPlan, PlannedSize } from "../../../../evals/compare/plan-comparison.ts";
import { metricTitle } from "../../../../evals/score/metrics.ts";
import type { Size } from "../../../../evals/statistics/sample-size.ts";
import { countOf } from "../../../core/count-of.ts";
import { percent } from "../../../core/percent.ts";
import { table } from "../output.ts";

/** The pilot, the sizes for each difference, and what they rest on. */
export function renderComparisonPlan(plan: ComparisonPlan): string {
  const { sizes, power, alpha, comparisons, questions_per_video } = plan;
  const isRange = sizes.some(({ range }) => range !== null);
  const several = comparisons > 1 ? `, for ${comparisons} comparisons` : "";
  const lines = [
    pilotLine(plan),
    "",
    `Questions needed to find a true difference with a power of ${percent(power)} at a level of ${Number(alpha.toPrecision(3))}${several}, at ${Number(questions_per_video.toFixed(2))} per video:`,
    "",
    table([
      [
        "points",
        ...(isRange
          ? ["correlation 0: videos", "questions", "correlation 1: videos", "questions"]
          : ["videos", "questions", "cautious: videos", "questions"]),
        "McNemar: videos",
      ],
      ...sizes.map((size) => row(size, plan)),
    ]),
    "",
    "Videos and questions: clustered t-test, which the sign-flip permutation by video follows closely.",
    ...(isRange
      ? [
          "The pilot does not tell the correlation within a video, so both of its limits are assumed: 0 if questions of a video are independent, 1 if they all differ alike. Plan for 1, or use a pilot with more videos.",
        ]
      : plan.pilot === null
        ? []
        : [
            plan.spread.videos < 2
              ? "Cautious: n too small (one video)."
              : "Cautious: with the upper 80 % limit of the pilot's variance. Half of all pilots underestimate it.",
          ]),
    "McNemar: exact test with one question per video.",
    ...sizes.flatMap(simulationLine),
  ];
  return lines.join("\n");
}

/** Why a pilot tells nothing about the correlation within a video. */
const UNMEASURED = {
  "one-video": "n too small (one video)",
  "equal-differences": "not measurable (all differences are equal)",
};

function pilotLine({ pilot, metric, spread }: ComparisonPlan): string {
  const { binary, square, correlation, unmeasured, questions, videos, difference } = spread;
  const facts = [
    binary
      ? `${percent(square)} of the questions score differently`
      : `standard deviation of the differences ${points(Math.sqrt(square - difference ** 2)).slice(1)} points`,
    unmeasured !== null
      ? `correlation within a video: ${UNMEASURED[unmeasured]}`
      : correlation === null
        ? "one question per video"
        : `correlation within a video ${correlation.toFixed(2)}`,
  ].join(", ");
  if (pilot === null) return `Assumed: ${facts}.`;
  return `Pilot: ${pilot.a} and ${pilot.b}, by ${metricTitle(metric)}: ${countOf(questions, "question")} on ${countOf(videos, "video")}; ${facts}.`;
}

function row(
  { difference, clustered, cautious, range, mcnemar }: PlannedSize,
  plan: ComparisonPlan,
) {
  const cells = (size: Size | null) =>
    size === null ? ["–", "–"] : [String(size.videos), String(size.questions)];
  return [
    String(Number((100 * difference).toFixed(4))),
    ...cells(range === null ? clustered : range.correlation_0),
    ...cells(range === null ? (plan.pilot === null ? null : cautious) : range.correlation_1),
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
