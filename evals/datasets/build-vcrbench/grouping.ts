import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { Failure, toFailure } from "../../../src/core/errors.ts";
import type { Note } from "../../benchmarks/sample.ts";
import { createTally } from "../../benchmarks/tally.ts";
import type { AnnotatedVideo } from "./annotated-video.ts";
import { readYamlAs } from "./read-yaml-as.ts";
import type { SwapRules } from "./swaps.ts";

const name = z.string().trim().min(1);

/** The members of a video or of a goal that say which of its steps may swap. */
export const SwapFields = {
  any_order: z.array(z.array(name).min(2)).optional(),
  before: z.array(z.tuple([name, name])).optional(),
};

const Grouping = z.array(z.strictObject({ goal: name, ...SwapFields })).min(1);

/** The rules of these fields; undefined if both are missing. */
export function swapRules({
  any_order,
  before,
}: {
  any_order?: string[][];
  before?: [string, string][];
}): SwapRules | undefined {
  return any_order === undefined && before === undefined
    ? undefined
    : { any_order: any_order ?? [], before: before ?? [] };
}

/**
 * Reads a JSON or YAML list of `{ goal, any_order: [[name, ...]], before: [[earlier, later]] }`. Throws `Failure`
 * `file-unreadable`, `data-malformed`.
 */
export async function readGrouping(path: string): Promise<Map<string, SwapRules>> {
  const file = basename(path);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  const goals = readYamlAs(Grouping, text, {
    name: file,
    what: "grouping",
    form: "a list of { goal, any_order: [[name, name]], before: [[earlier, later]] }",
  });
  const twice = goals.find(
    ({ goal }, place) => goals.findIndex((one) => one.goal === goal) < place,
  );
  if (twice !== undefined)
    throw new Failure(
      "data-malformed",
      `Invalid grouping in ${file}: the goal ${JSON.stringify(twice.goal)} is there twice. Write its groups in one entry.`,
      { name: file, goal: twice.goal },
    );
  return new Map(goals.map((one) => [one.goal, swapRules(one) ?? { any_order: [], before: [] }]));
}

/** The videos with the rules of their goals; rules of a video's own stay. Notes name goals and steps that no video has. */
export function withGrouping(
  videos: readonly AnnotatedVideo[],
  grouping: ReadonlyMap<string, SwapRules>,
): { videos: AnnotatedVideo[]; notes: Note[] } {
  const tally = createTally();
  for (const [goal, { any_order, before }] of grouping) {
    const of = videos.filter((video) => video.goal === goal);
    const known = new Set(of.flatMap(({ steps }) => steps.map((step) => step.name)));
    if (of.length === 0) tally.add("goals of the grouping that no video has", goal);
    else
      for (const step of new Set([...any_order, ...before].flat()))
        if (!known.has(step))
          tally.add("steps of the grouping that no video of their goal has", step);
  }
  return {
    videos: videos.map((video) => ({ ...video, swaps: video.swaps ?? grouping.get(video.goal) })),
    notes: tally.notes(),
  };
}
