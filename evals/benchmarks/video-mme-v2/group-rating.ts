import type { ScoredReply } from "../scored-reply.ts";

/*
 * The four questions on a video are scored as one group: by how many are right (`relevance`), or by how far a chain of
 * them holds (`logic`). The released code takes every four rows; here they are found by video, so that a subset of
 * the data can be scored, and a video without all four of its questions is left out.
 */

interface Group {
  type: string;
  structure: string;
  level: string;
  /** 1 right, 0 wrong, -1: no letter was read. */
  values: number[];
}

/** The released `final_rating`: mean percentages of the groups. */
export function finalRating(scored: readonly ScoredReply[]): Record<string, number> {
  const groups = groupsOf(scored);
  const rated = groups.flatMap((group) => {
    const score = scoreOf(group);
    return score === null ? [] : [{ ...group, score }];
  });
  const mean = (of: typeof rated) => meanOf(of.map(({ score }) => score)) ?? 0;
  const relevance = rated.filter(({ type }) => type === "relevance");
  return {
    level_1: mean(rated.filter(({ level }) => level === "1")),
    level_2: mean(rated.filter(({ level }) => level === "2")),
    level_3: mean(rated.filter(({ level }) => level === "3")),
    relevance_score: mean(relevance),
    relevance_linear_score: meanOf(relevance.map(({ values }) => 25 * sum(values))) ?? 0,
    logic_score: mean(rated.filter(({ type }) => type === "logic")),
    total: mean(rated),
    groups: rated.length,
  };
}

/** The mean percentage of the groups with unread replies as wrong; null without a whole group. */
export function groupScore(scored: readonly ScoredReply[]): number | null {
  const groups = groupsOf(scored).map(({ values, ...group }) => ({
    ...group,
    values: values.map((value) => Math.max(0, value)),
  }));
  return meanOf(groups.map(scoreOf).filter((score) => score !== null));
}

function groupsOf(scored: readonly ScoredReply[]): Group[] {
  const byVideo = Map.groupBy(scored, ({ sample }) => sample.video);
  return [...byVideo.values()].flatMap((members) => {
    const sorted = [...members].sort((a, b) => placeOf(a) - placeOf(b));
    const { group_type, group_structure, level } = sorted.at(-1)?.sample.row ?? {};
    if (sorted.length !== 4) return [];
    const values = sorted.map(({ extraction, score }) =>
      extraction?.answer == null ? -1 : score.value === 1 ? 1 : 0,
    );
    return [
      {
        type: String(group_type),
        structure: String(group_structure).replaceAll(" ", ""),
        level: String(level),
        values,
      },
    ];
  });
}

/** The number after the dash of `001-2`. */
function placeOf({ sample }: ScoredReply): number {
  return Number(/(\d+)\s*$/.exec(String(sample.row.question_id))?.[1] ?? 0);
}

/** Percent for 0 to 4 steps of each structure of a chain. */
const LOGIC: Record<string, readonly number[]> = {
  "[1,2,3,4]": [0, 1 / 16, 4 / 16, 9 / 16, 1],
  "[1,[2,3],4]": [0, 1 / 12, 4 / 12, 7 / 12, 1],
  "[[1,2],3,4]": [0, 1 / 10, 2 / 10, 5 / 10, 1],
};
const RELEVANCE = [0, 1 / 16, 4 / 16, 9 / 16, 1];

/** Null if the kind of the group is unknown. */
function scoreOf({ type, structure, values }: Group): number | null {
  if (type === "relevance") return 100 * (RELEVANCE[sum(values)] ?? 0);
  const steps = type === "logic" ? LOGIC[structure] : undefined;
  return steps === undefined ? null : 100 * (steps[stepsHeld(structure, values)] ?? 0);
}

/** Number of questions that are right from the first on. Of two that may swap, the second counts even if the first is wrong. */
function stepsHeld(structure: string, values: readonly number[]): number {
  const wrong = values.indexOf(0);
  const held = wrong === -1 ? values.length : wrong;
  if (structure === "[1,[2,3],4]" && held === 1 && values[2] !== 0) return 2;
  if (structure === "[[1,2],3,4]" && held === 0 && values[1] !== 0) return 1;
  return held;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}
