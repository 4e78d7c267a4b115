import type { SweepPlan } from "../../../../evals/sweep/sweep.ts";
import { money } from "../../../core/money.ts";
import { table } from "../output.ts";

const NOT_KNOWN = "not known";

const amount = (count: number | null) => (count === null ? NOT_KNOWN : String(count));

/** The planned calls and cost of each run of a sweep, as a table with remarks. */
export function renderSweepPlan({ cells, calls, frames, cost, remarks }: SweepPlan): string {
  const rows = cells.map(({ name, plan }) => [
    name,
    String(plan.results),
    plan.calls === null ? NOT_KNOWN : `${plan.exact ? "" : plan.bound ? "<= " : "~"}${plan.calls}`,
    amount(plan.frames),
    money(plan.cost.about),
    money(plan.cost.most),
  ]);
  return [
    table([
      ["run", "samples", "calls", "frames", "cost about", "cost with full replies"],
      ...rows,
      ["all", "", amount(calls), amount(frames), money(cost.about), money(cost.most)],
    ]),
    ...remarks,
    "~: unreadable replies are requested again. Full replies: each has --max-tokens.",
    "Each run is counted separately; calls that runs share are made once.",
  ].join("\n");
}
