import { answersFromEvidence, type EvidenceStage } from "../../graphs/evidence-stages.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { Settings } from "../../src/core/settings.ts";
import { merged } from "../run/eval-settings.ts";
import type { GoldArm } from "../run/gold-arm.ts";
import { readSweep, type Sweep } from "../sweep/sweep-settings.ts";
import { combinations } from "./outcome-table.ts";
import type { GoldPlan } from "./plan-gold.ts";

/* The runs of an attribution: one that recognises, and one for each combination of stages made right. */

export const NAME = "attribution";

/** Name of the run in which the strategy recognises by itself; that of the stronger model; and those with gold. */
const RECOGNISED = "recognised";
const ORACLE = "oracle";
const OVER = "over-evidence";

/**
 * The runs as a sweep. Combination 0 is the strategy as it is if it answers from descriptions; any other strategy answers
 * combination 0 from the evidence that it recognised, in a run of its own, so that all combinations are answered in the
 * same way.
 */
export function goldSweep(input: unknown, settings: Settings, plan: GoldPlan): Sweep {
  const { stages, oracle, usable, samples } = plan;
  const { total_cost_limit, ...base } = merged(input, {}) as Record<string, unknown>;
  const readsText = Object.values(samples).some(({ text }) => text === "oracle");
  const stronger = { recognition: { model: oracle, ...(readsText ? { ocr: "model" } : {}) } };
  const arms = [
    { name: RECOGNISED, settings: {}, right: null },
    ...(oracle === null ? [] : [{ name: ORACLE, settings: stronger, right: null }]),
    ...combinations(stages.length)
      .filter((mask) => mask > 0 || !answersFromEvidence(settings))
      .map((mask) => rightIn(stages, mask))
      .map((right) => ({ name: nameOf(right), settings: {}, right })),
  ];
  const read = readSweep({
    name: NAME,
    base,
    total_cost_limit: typeof total_cost_limit === "number" ? total_cost_limit : null,
    arms: arms.map(({ name, settings: own }) => ({ name, settings: own })),
  });
  const ids = usable.map(({ id }) => id);
  const recognising: GoldArm = { samples: ids, over: null, oracle: null, stages: [] };
  const given = {
    over: cellOf(read, RECOGNISED),
    oracle: oracle === null ? null : cellOf(read, ORACLE),
  };
  return {
    ...read,
    // Without axes there is one cell for each arm, in the same order.
    cells: read.cells.map(({ name, input: own }, place) => {
      const right = arms[place]?.right ?? null;
      const gold =
        right === null
          ? recognising
          : { samples: ids, ...given, stages: right, ...hashOfGold(plan, right) };
      return { name, input: { ...(own as object), gold } };
    }),
  };
}

/** The hash by which runs of two attributions with different gold can be told apart. */
function hashOfGold(
  { oracle, samples }: GoldPlan,
  right: readonly EvidenceStage[],
): Pick<GoldArm, "gold_hash"> {
  if (right.length === 0) return {};
  const given = Object.entries(samples).map(([id, gold]) => [
    id,
    right.map((stage) => gold[stage]),
  ]);
  const isOracle = right.some((stage) =>
    Object.values(samples).some((gold) => gold[stage] === "oracle"),
  );
  return { gold_hash: hashOf([isOracle ? oracle : null, given]) };
}

/** The run of each combination, in the order of the masks. */
export function runsByMask(sweep: Sweep, stages: readonly EvidenceStage[]): string[] {
  return combinations(stages.length).map((mask) => {
    const name = cellOf(sweep, nameOf(rightIn(stages, mask)));
    return name ?? cellOf(sweep, RECOGNISED) ?? "";
  });
}

/** The name of a cell: that of its arm, after a number. */
function cellOf({ cells }: Sweep, arm: string): string | null {
  return cells.find(({ name }) => name.replace(/^\d+-/, "") === arm)?.name ?? null;
}

function nameOf(right: readonly EvidenceStage[]): string {
  return right.length === 0 ? OVER : `gold-${right.join("+")}`;
}

function rightIn(stages: readonly EvidenceStage[], mask: number): EvidenceStage[] {
  return stages.filter((_, place) => mask & (1 << place));
}
