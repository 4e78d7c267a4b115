import type { Plot, ReportData, ReportTable } from "../../src/pages/report-data.ts";
import { disagreement, FEW_CLUSTERS_NOTE, pValue } from "../compare/contrast-words.ts";
import type { Difference } from "../statistics/paired-statistics.ts";
import { FEWEST_CLUSTERS, type Mean } from "../statistics/statistics.ts";
import type { AttributionResult, ScatterPoint } from "./attribution.ts";
import type { TestAccount } from "./clip-test.ts";
import type { Attribution, Share } from "./numbers.ts";
import { budgetText, stoppedWarning } from "./stopped-samples.ts";

type Stages = NonNullable<AttributionResult["stages"]>;
type Swap = NonNullable<AttributionResult["swap"]>;

/** Which stage the errors come from: tables, and recognition against ordering as in the paper's figure 7. */
export function attributionReport(found: AttributionResult): ReportData {
  const { samples, failed, stopped, recogniser, reasoner, stages, swap } = found;
  const budget = stoppedWarning(stopped);
  return {
    title: "Recognition against reasoning",
    parts: [
      {
        title: "Recognition against reasoning",
        summary: [...(stages === null ? [] : stageSentences(stages)), ...swapSentences(swap)],
        about: [
          `${samples} samples, recogniser ${recogniser}, reasoner ${reasoner}.`,
          "Figures in percent, differences in percentage points; brackets hold 95 % intervals, clustered by source video, for differences paired by question.",
        ],
        warnings: [
          ...(failed.length > 0
            ? [
                `${failed.length} samples failed and are in no figure, the first by: ${failed[0]?.message}`,
              ]
            : []),
          ...(budget === null ? [] : [budget]),
          ...(stages === null ? [] : [...conflicts(stages), ...testWarnings(stages)]),
          ...(stages === null
            ? [
                "This set has no step names (released VCRBench has none), so there are no gold descriptions; build-vcrbench makes sets that have them.",
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

/** Where the interval of what recognition costs and its test disagree. */
function conflicts({ exact, step }: Stages): string[] {
  return [["exact order", exact.difference] as const, ["step", step.difference] as const].flatMap(
    ([score, difference]) => {
      const conflict = disagreement({ ...difference, p_holm: difference.p });
      return conflict === null ? [] : [`Recognition costs, ${score}: ${conflict}`];
    },
  );
}

function testWarnings({ tests }: Stages): string[] {
  const text = (name: string, { asked, unreadable, stopped }: TestAccount) => {
    const left = Object.values(stopped).reduce((sum, clips) => sum + clips, 0);
    return [
      ...(left === 0
        ? []
        : [
            `${name}: ${left} of ${asked + left} clips were not tested because a budget was spent (${budgetText(stopped)}), and are in no figure.`,
          ]),
      ...(unreadable === 0
        ? []
        : [`${name}: ${unreadable} of ${asked} replies choose no step, and count as wrong.`]),
    ];
  };
  return [
    ...tests.recognition.flatMap((of) => text(`Event recognition by ${of.recogniser}`, of)),
    ...text("Told apart", tests.told_apart),
  ];
}

function stageSentences({ exact }: Stages): string[] {
  return [
    `${tenths(exact.recognised)} % of the orders are right with recognised descriptions, ${tenths(exact.gold)} % with gold ones: recognition costs ${differenceText(exact.difference)} points, reasoning ${withInterval(exact.left)}.`,
  ];
}

function swapSentences(swap: Swap | null): string[] {
  if (swap === null) return [];
  return [
    `The second model changes the exact orders by ${differenceText(swap.recogniser.exact)} points as recogniser, and by ${differenceText(swap.reasoner.exact)} as reasoner.`,
  ];
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
      title: "What errors cost, in points",
      about:
        "Recognition costs what gold descriptions (the step names) add. Reasoning costs what is still missing with them." +
        (exact.difference.n_too_small ? ` ${FEW_CLUSTERS_NOTE}` : ""),
      head: ["", "exact order", "step"],
      words: 1,
      rows: [
        row("right with recognised descriptions", ({ recognised }) => tenths(recognised)),
        row("right with gold descriptions", ({ gold }) => tenths(gold)),
        row("recognition costs (gold less recognised)", ({ difference }) =>
          differenceText(difference),
        ),
        row("sign-flip p of that", ({ difference }) => pValue(difference.p)),
        row("reasoning costs (100 less gold)", ({ left }) => withInterval(left)),
      ],
    },
    {
      title: "Shares of the errors",
      about: `Of the errors from recognised descriptions: those that go with gold ones (recognition) and those that stay (reasoning). Shown if at least ${FEWEST_CLUSTERS} source videos hold errors; the shares are not cut: one below 0 says that gold descriptions do harm.`,
      head: ["", "exact order", "step"],
      words: 1,
      rows: [
        row("recognition", ({ shares }) => shareText(shares?.recognition)),
        row("reasoning", ({ shares }) => shareText(shares?.reasoning)),
        row("videos with errors", ({ clusters_with_errors }) => String(clusters_with_errors)),
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
      about:
        "Percentage points. In one role, over both models in the other." +
        (swap.recogniser.exact.n_too_small ? ` ${FEW_CLUSTERS_NOTE}` : ""),
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

function shareText(share: Share | undefined): string {
  return share === undefined
    ? "n too small"
    : `${tenths(share.share)}${bracketed(share.low, share.high)}`;
}

function differenceText({ difference, low, high, identical, n_too_small }: Difference): string {
  if (identical) return "0.0 (identical)";
  const sign = difference > 0 ? "+" : "";
  const unknown = n_too_small ? " (n too small)" : " (not measurable)";
  const interval = low === null ? unknown : bracketed(low, high);
  return `${sign}${tenths(difference)}${interval}`;
}
