import type { Plot, ReportData, ReportTable } from "../src/pages/report-data.ts";
import type { Attributed, ScatterPoint } from "./attribution.ts";
import type { Attribution, Share } from "./attribution-numbers.ts";
import type { Difference } from "./paired-statistics.ts";
import type { Mean } from "./statistics.ts";

type Stages = NonNullable<Attributed["stages"]>;
type Swap = NonNullable<Attributed["swap"]>;

/** Which stage the errors come from: tables, and recognition against ordering as in the paper's figure 7. */
export function attributionReport(found: Attributed): ReportData {
  const { samples, failed, recogniser, reasoner, stages, swap } = found;
  return {
    title: "Recognition against reasoning",
    parts: [
      {
        title: "Recognition against reasoning",
        about: [
          `${samples} samples, recogniser ${recogniser}, reasoner ${reasoner}.`,
          "All figures in percent; in brackets 95 % intervals, paired by question and clustered by source video. A share below 0 says that gold descriptions did harm.",
        ],
        warnings: [
          ...(failed.length > 0
            ? [
                `${failed.length} samples failed and stand in no figure, the first by: ${failed[0]?.message}`,
              ]
            : []),
          ...(stages === null
            ? [
                "This set has no step names (released VCRBench has none), so nothing can be said of gold descriptions; build-vcrbench makes sets that have them.",
              ]
            : []),
        ],
        tables: [...(stages === null ? [] : stageTables(stages)), ...swapTables(swap)],
        plots: stages === null ? [] : [scatterPlot(stages)],
        apart: null,
        runs: [],
        questions: [],
      },
    ],
  };
}

function stageTables(stages: Stages): ReportTable[] {
  const { exact, step, told_apart, scatter, procedures } = stages;
  const row = (name: string, of: (attribution: Attribution) => string) => [
    name,
    of(exact),
    of(step),
  ];
  const point = ({ recognition, ...order }: Omit<ScatterPoint, "recogniser" | "reasoner">) => [
    withInterval(recognition),
    tenths(order.exact),
    tenths(order.step),
  ];
  const head = ["event recognition", "exact order", "step"];
  return [
    {
      title: "What explains the errors",
      about:
        "Recognition explains what goes away when the step names stand in place of recognised descriptions; reasoning what stays.",
      head: ["", "exact order", "step"],
      words: 1,
      rows: [
        row("errors explained by recognition", ({ recognition }) => shareText(recognition)),
        row("errors explained by reasoning", ({ reasoning }) => shareText(reasoning)),
        row("right with recognised descriptions", ({ recognised }) => tenths(recognised)),
        row("right with gold descriptions", ({ gold }) => tenths(gold)),
        row("gold less recognised", ({ difference }) => differenceText(difference)),
      ],
    },
    {
      title: "What recognition gets right",
      about:
        "Event recognition: the step of a clip among three of its procedure, by the recogniser from the clip's frames. Told apart: the step of a description among all of its procedure, by the reasoner from the text alone.",
      head: ["recogniser", ...head, "told apart"],
      words: 1,
      rows: scatter.map((one, index) => [
        one.recogniser,
        ...point(one),
        index > 0 || told_apart === null ? "–" : withInterval(told_apart),
      ]),
    },
    {
      title: "By procedure",
      head: ["procedure", ...head],
      words: 1,
      rows: procedures.map((one) => [one.goal, ...point(one)]),
    },
  ];
}

function swapTables(swap: Swap | null): ReportTable[] {
  if (swap === null) return [];
  return [
    {
      title: "Models swapped",
      head: ["recogniser", "reasoner", "exact order", "step"],
      words: 2,
      rows: swap.cells.map((cell) => [
        cell.recogniser,
        cell.reasoner,
        tenths(cell.exact),
        tenths(cell.step),
      ]),
    },
    {
      title: "The second model less the first",
      about: "In one role, over both models in the other.",
      head: ["role", "exact order", "step"],
      words: 1,
      rows: (["recogniser", "reasoner"] as const).map((role) => [
        role,
        differenceText(swap[role].exact),
        differenceText(swap[role].step),
      ]),
    },
  ];
}

function scatterPlot({ scatter, procedures }: Stages): Plot {
  const place = ({ recognition, step }: Pick<ScatterPoint, "recognition" | "step">) => ({
    x: 100 * recognition.mean,
    y: step,
    low: null,
    high: null,
  });
  return {
    title: "Recognition against ordering",
    kind: "points",
    x: "event recognition, %",
    y: "step accuracy",
    series: [
      ...scatter.map((point) => ({
        name: `all samples, ${point.recogniser}`,
        points: [{ ...place(point), label: point.recogniser }],
      })),
      {
        name: "each procedure",
        points: procedures.map((point) => ({ ...place(point), label: point.goal })),
      },
    ],
    chance: null,
  };
}

function tenths(share: number): string {
  return (100 * share).toFixed(1);
}

function bracketed(low: number | null, high: number | null): string {
  return low === null || high === null ? "" : ` [${tenths(low)}, ${tenths(high)}]`;
}

function withInterval({ mean, low, high }: Mean): string {
  return `${tenths(mean)}${bracketed(low, high)}`;
}

function shareText({ share, low, high }: Share): string {
  return share === null ? "no errors" : `${tenths(share)}${bracketed(low, high)}`;
}

/** A single cluster has nothing to be resampled. */
function differenceText({ difference, low, high, clusters }: Difference): string {
  const sign = difference > 0 ? "+" : "";
  return `${sign}${tenths(difference)}${clusters > 1 ? bracketed(low, high) : ""}`;
}
