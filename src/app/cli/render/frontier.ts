import type { Frontier } from "../../../../evals/frontier/frontier.ts";
import {
  areaRows,
  choiceLines,
  FRONTIER_ABOUT,
  frontierCaveats,
  frontierRows,
  noRangeText,
} from "../../../../evals/frontier/report.ts";
import { countOf } from "../../../core/count-of.ts";
import { printable, table } from "../output.ts";

/** The runs from the cheapest to the dearest, the strategies over their common range, and the cheapest for a target. */
export function renderFrontier(frontier: Frontier): string {
  const { benchmark, common, videos, left_out, budget } = frontier;
  const areas = areaRows(frontier);
  const noRange = noRangeText(frontier);
  const choices = choiceLines(frontier);
  const caveats = frontierCaveats(frontier);
  return [
    `${benchmark}: ${countOf(common, "question")} on ${countOf(videos, "video")} that every run has`,
    "",
    table(frontierRows(frontier).map((row) => row.map(printable))),
    ...(caveats.length === 0 ? [] : ["", ...caveats.map(printable)]),
    ...(areas.length === 0 ? [] : ["", table(areas)]),
    ...(noRange === null ? [] : ["", noRange]),
    ...(choices.length === 0 ? [] : ["", ...choices.map(printable)]),
    "",
    FRONTIER_ABOUT,
    ...(left_out.length === 0
      ? []
      : [`Left out, because their ${budget} are not known: ${left_out.join(", ")}.`]),
  ].join("\n");
}
