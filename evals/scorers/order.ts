import { defineScorer } from "./define-scorer.ts";

/** Right if every clip is in its place. */
export const order = defineScorer({
  name: "order",
  summary: "every clip in its place",
  tasks: ["order"],
  score(answer, { answer: right }) {
    const places = [...right];
    const equal =
      Array.isArray(answer) &&
      answer.length === places.length &&
      answer.every((clip, place) => clip === places[place]);
    return { value: equal ? 1 : 0, answer, explanation: `right is ${places.join(", ")}` };
  },
});
