import { isOrder } from "../../graphs/replies/order/clip-lists.ts";
import { respects } from "../benchmarks/partial-order.ts";
import { defineScorer } from "./define-scorer.ts";

/** Right if every clip is in its place; of a sample with a partial order, if the answer respects it. */
export const order = defineScorer({
  name: "order",
  summary: "every clip in its place",
  tasks: ["order"],
  score(answer, { answer: right, partial_order: pairs }) {
    const places = [...right];
    if (pairs !== undefined) {
      const isRight =
        Array.isArray(answer) && isOrder(answer, places.length) && respects(answer, pairs);
      return {
        value: isRight ? 1 : 0,
        answer,
        explanation: `right is ${places.join(", ")} or another order in which ${listed(pairs)}`,
      };
    }
    const equal =
      Array.isArray(answer) &&
      answer.length === places.length &&
      answer.every((clip, place) => clip === places[place]);
    return { value: equal ? 1 : 0, answer, explanation: `right is ${places.join(", ")}` };
  },
});

function listed(pairs: readonly (readonly [number, number])[]): string {
  return pairs.length === 0
    ? "each clip is once"
    : pairs.map(([earlier, later]) => `${earlier} is before ${later}`).join(", ");
}
