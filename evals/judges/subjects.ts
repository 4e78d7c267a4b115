import { Failure } from "../../src/core/errors.ts";
import type { Note } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import { shifted } from "../run/option-orders.ts";
import { type Results, scoreSaid } from "../score/read-results.ts";
import { PIECES } from "./cot/cot.ts";
import type { JudgeKind, Subject } from "./judge.ts";

/** The replies that a kind of judge is asked about, in the order of the data, and what it is not asked about. */
export interface Subjects {
  subjects: Subject[];
  left_out: Note[];
}

/**
 * Error types of MMR-V are asked of wrong answers alone, as in the paper, or of the samples in `only`; VideoMathQA's
 * steps and errors of all replies, right ones included. Throws `Failure` `wrong-usage` for steps of questions in pairs.
 */
export function subjectsOf(
  kind: JudgeKind,
  results: Results,
  extractor: string | undefined,
  only?: ReadonlySet<string>,
): Subjects {
  const { benchmark, samples } = results;
  const bySteps = kind === "steps" || (kind === "errors" && benchmark.name === "videomathqa");
  if (bySteps && samples.length > 0 && samples.every(({ options }) => options.length === 2))
    throw new Failure(
      "wrong-usage",
      `Expected answers to five options for \`--kind ${kind}\`, got pairs: steps are judged on the set mcq.`,
      { kind },
    );
  const place = new Map(samples.map((sample, index) => [sample.id, index]));
  const tally = createTally();
  const subjects: Subject[] = [];
  for (const { sample, shift = 0, epoch, reply, line, score } of scoreSaid(results, extractor)) {
    if (only !== undefined && !only.has(sample.id)) continue;
    const said = reply?.trim() ?? "";
    const text = kind === "cot" ? withReasoning(said, line?.reasoning) : said;
    const why =
      text === ""
        ? "samples without a reply"
        : bySteps && (sample.steps ?? []).length === 0
          ? "samples without annotated steps"
          : kind === "errors" && !bySteps && only === undefined && score.value !== 0
            ? `right answers (by the extractor ${score.extractor})`
            : kind === "cot" && [...text].length < PIECES
              ? `replies too short to be cut into ${PIECES}`
              : null;
    // A judge reads a reply under the letters that the model saw.
    if (why === null) subjects.push({ sample: shifted(sample, shift), epoch, text });
    else tally.add(why, sample.id);
  }
  subjects.sort(
    (a, b) => a.epoch - b.epoch || (place.get(a.sample.id) ?? 0) - (place.get(b.sample.id) ?? 0),
  );
  return { subjects, left_out: tally.notes() };
}

/** A chain of thought: the reasoning that a server gave apart from the reply, and the reply. */
function withReasoning(reply: string, reasoning = ""): string {
  return [reasoning.trim(), reply].filter((words) => words !== "").join("\n\n");
}

/** A sample in an epoch of the run. */
export function placeOf({ sample, epoch }: { sample: { id: string }; epoch: number }): string {
  return `${epoch} ${sample.id}`;
}
