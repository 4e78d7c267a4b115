import { defineStrategy } from "../define-strategy.ts";
import { drawAnswer } from "./draw-answer.ts";

/** The papers' random baseline. */
export const random = defineStrategy({
  name: "random",
  summary: "A seeded draw: a baseline to compare with.",
  approach: "other",
  shows: "nothing",
  tasks: ["order", "choice"],
  reads: [],
  roles: [],
  graph: async () => (await import("./graph.ts")).randomGraph,
  withoutVideo: drawAnswer,
});
