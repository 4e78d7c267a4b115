import type { SweepPlan } from "../../../../evals/sweep/sweep.ts";
import { money } from "../../../core/money.ts";
import { table } from "../output.ts";
import { hoursText } from "./plan.ts";

const NOT_KNOWN = "not known";

const amount = (count: number | null) => (count === null ? NOT_KNOWN : String(count));

/** The planned calls and cost of each run of a sweep, as a table with remarks. */
export function renderSweepPlan(plan: SweepPlan): string {
  const { cells, calls, frames, cost, hours, judging, event_test_calls, remarks } = plan;
  const rows = cells.map(({ name, plan: of }) => [
    name,
    String(of.results),
    of.calls === null ? NOT_KNOWN : `${of.exact ? "" : of.bound ? "<= " : "~"}${of.calls}`,
    amount(of.frames),
    money(of.cost.about),
    money(of.cost.most),
  ]);
  return [
    table([
      ["run", "samples", "calls", "frames", "cost about", "cost with full replies"],
      ...rows,
      ["all", "", amount(calls), amount(frames), money(cost.about), money(cost.most)],
    ]),
    ...(event_test_calls === 0
      ? []
      : [
          `Event recognition test: ${event_test_calls} more calls, each with the frames of one clip.`,
        ]),
    ...judging.map(
      (one) =>
        `Judging ${one.run} (${one.kind}): at most ${one.plan.calls.most} calls, ${money(one.plan.cost_most)} without repeated ones, if every reply is wrong and has 500 tokens.`,
    ),
    ...(hours.length === 0
      ? []
      : [
          `Time for all runs: at least ${hours.map((one) => `${hoursText(one.hours)} with ${one.workers === 1 ? "1 worker" : `${one.workers} workers`}`).join(", ")}. \`eval --dry-run\` says what limits one run, and what this is estimated from.`,
        ]),
    ...remarks,
    "~: unreadable replies are requested again. Full replies: each has --max-tokens.",
    "Each run is counted separately; calls that runs share are made once.",
  ].join("\n");
}
