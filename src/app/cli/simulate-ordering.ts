import type { Command } from "commander";
import { Failure } from "../../core/errors.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, table } from "./output.ts";
import { progressLine } from "./progress.ts";
import { typedNumber, wholeNumber } from "./setting-flags.ts";

interface Flags {
  error: string;
  bias: string;
  shared: string;
  draws: string;
  seed: string;
  listNoise?: string;
  grid?: boolean;
  json?: boolean;
}

const HEADLINE =
  "Simulation with the clip counts of VCRBench and a judge of known error rates. No model was called.";

export function configureSimulateOrdering(command: Command): void {
  withExamples(
    command
      .option("--error <share>", "share of pairs judged wrongly without bias", "0.1")
      .option("--bias <logits>", "bias towards the event shown first, in logits", "1")
      .option(
        "--shared <share>",
        "share of pairs whose two directions have correlated errors",
        "0.5",
      )
      .option("--draws <n>", "simulated videos for each combination", "20000")
      .option("--seed <n>", "seed of the random numbers", "0")
      .option(
        "--list-noise <positions>",
        "noise on each position in a listwise reply (default: 0.72)",
      )
      .option("--grid", "simulate a grid of biases, shares and error rates instead of one judge")
      .option("--json", "print one JSON value")
      .action((flags: Flags) =>
        run(async (signal) => {
          const { extremes, GRID, LIST_NOISE, simulate } = await import(
            "../../../evals/ordering-simulation/simulate.ts"
          );
          const common = {
            draws: wholeNumber("--draws", flags.draws),
            seed: wholeNumber("--seed", flags.seed),
            listNoise: numberOf("--list-noise", flags.listNoise ?? String(LIST_NOISE)),
          };
          const judges =
            flags.grid === true
              ? GRID
              : [
                  {
                    error: numberOf("--error", flags.error),
                    bias: numberOf("--bias", flags.bias),
                    shared: numberOf("--shared", flags.shared),
                  },
                ];
          const line = progressLine("simulating");
          const cells: CellRows[] = [];
          try {
            for (const [index, judge] of judges.entries()) {
              const rows = await simulate(
                { ...judge, ...common },
                {
                  signal,
                  progress: (done, total) =>
                    line.update(index * total + done, judges.length * total, "draws"),
                },
              );
              cells.push({ ...judge, rows });
            }
          } finally {
            line.done();
          }
          const { draws, seed, listNoise: list_noise } = common;
          const header = { simulation: HEADLINE, draws, seed, list_noise };
          const [only] = cells;
          if (flags.grid !== true && only !== undefined) {
            if (flags.json) printJson({ ...header, ...only });
            else
              print(
                `${HEADLINE}\n\n${heading(only)}\n${rowsTable(only.rows)}\n\n${footnote(common)}`,
              );
            return undefined;
          }
          const { best, worst } = extremes(cells, "tournament", "merge-sort");
          if (flags.json) printJson({ ...header, cells, best, worst });
          else {
            print(`${HEADLINE}\n`);
            for (const cell of cells) print(`${heading(cell)}\n${rowsTable(cell.rows)}\n`);
            print(`Largest gain of tournament over merge-sort: ${heading(best)}`);
            print(`Smallest gain: ${heading(worst)}\n`);
            print(footnote(common));
          }
          return undefined;
        }),
      ),
    "simulate-ordering",
    "simulate-ordering --error 0.2 --bias 0 --shared 1 --json",
    "simulate-ordering --grid",
  );
}

interface CellRows {
  error: number;
  bias: number;
  shared: number;
  rows: { method: string; exact: number; step: number; calls: number; depth: number }[];
}

function heading({ error, bias, shared }: CellRows): string {
  return `error ${error}, bias ${bias}, shared ${shared}`;
}

function rowsTable(rows: CellRows["rows"]): string {
  return table([
    ["method", "exact %", "step %", "calls", "depth"],
    ...rows.map((row) => [
      row.method,
      ...[row.exact, row.step, row.calls, row.depth].map((value) => value.toFixed(1).padStart(5)),
    ]),
  ]);
}

function footnote({ draws, listNoise }: { draws: number; listNoise: number }): string {
  const half = 100 * 1.96 * Math.sqrt(0.25 / draws);
  return `${draws} draws a cell: shares are exact to ${half.toFixed(1)} points (95 %). Listwise arms (all-at-once, vote, hybrid) assume a noise of ${listNoise} positions and cannot be compared with the others.`;
}

function numberOf(flag: string, given: string): number {
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw new Failure("wrong-usage", `Invalid ${flag} ${JSON.stringify(given)}: use a number.`, {
    flag,
    given,
  });
}
