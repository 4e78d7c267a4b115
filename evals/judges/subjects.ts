import { Failure } from "../../src/core/errors.ts";
import type { Note } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import { orderOf, shifted } from "../run/option-orders.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import type { Judge, Subject } from "./judge.ts";

/** The replies that a judge is asked about, in the order of the data, and what is left out. */
export interface Subjects {
  subjects: Subject[];
  left_out: Note[];
}

/** Throws `Failure` `wrong-usage` for samples that the judge cannot judge. */
export function subjectsOf(
  judge: Judge<unknown>,
  results: Results,
  extractor: string | undefined,
  only?: ReadonlySet<string>,
): Subjects {
  const { samples } = results;
  const { kind } = judge;
  const refusal = judge.refuses?.(samples) ?? null;
  if (refusal !== null)
    throw new Failure("wrong-usage", `Invalid --kind ${kind}: ${refusal}`, { kind });
  const place = new Map(samples.map((sample, index) => [sample.id, index]));
  const tally = createTally();
  const subjects: Subject[] = [];
  for (const one of scoreReplies(results, extractor)) {
    const { sample, epoch, reply, line, score, question_hash } = one;
    if (only !== undefined && !only.has(sample.id)) continue;
    const said = reply?.trim() ?? "";
    const text = judge.textOf?.(said, line?.reasoning) ?? said;
    const why =
      text === ""
        ? "samples without a reply"
        : (judge.leavesOut?.({ sample, text, score, isNamed: only !== undefined }) ?? null);
    // A judge reads a reply under the letters that the model saw.
    if (why === null)
      subjects.push({ sample: shifted(sample, orderOf(one)), epoch, text, question_hash });
    else tally.add(why, sample.id);
  }
  subjects.sort(
    (a, b) => a.epoch - b.epoch || (place.get(a.sample.id) ?? 0) - (place.get(b.sample.id) ?? 0),
  );
  return { subjects, left_out: tally.notes() };
}

/** A sample in an epoch of the run. */
export function placeOf({ sample, epoch }: { sample: { id: string }; epoch: number }): string {
  return `${epoch} ${sample.id}`;
}
