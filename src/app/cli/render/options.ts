import type { OrderConsistency, PositionScore } from "../../../../evals/score/option-positions.ts";
import { countOf } from "../../../core/count-of.ts";
import { percent } from "../../../core/percent.ts";
import { table } from "../output.ts";

/** Accuracy by the position of the right option, and how often each position is chosen. */
export function renderPositions(positions: readonly PositionScore[]): string {
  return table([
    ["position of the right option", "results", "accuracy", "named"],
    ...positions.map(({ position, results, accuracy, offered, named }) => [
      String(position),
      String(results),
      percent(accuracy?.mean ?? null),
      offered === 0 ? "none" : `${percent(named / offered)} of ${offered}`,
    ]),
  ]);
}

export function renderConsistency(orders: OrderConsistency): string {
  const share = (mean: OrderConsistency["right_in_all"]) => percent(mean?.mean ?? null);
  const { questions, left_out } = orders;
  const shares = table([
    [`orders of the options, ${countOf(questions, "question")} with all orders`, "share"],
    ["same answer in all orders", share(orders.same_in_all)],
    ["same answer in pairs of orders", share(orders.same_in_pairs)],
    ["right in all orders", share(orders.right_in_all)],
  ]);
  if (left_out === 0) return shares;
  const lacking = left_out === 1 ? "1 question lacks" : `${left_out} questions lack`;
  return `${shares}\nleft out: ${lacking} the result of at least one order`;
}
