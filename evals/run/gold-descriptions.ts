import { Failure } from "../../src/core/errors.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceSet } from "../../src/core/shapes.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import type { Video } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";

/** Whether the data say what each clip of the sample shows; released VCRBench does not. */
export function hasStepNames({ task, steps, answer }: Sample): boolean {
  return task === "order" && steps?.length === answer.length;
}

/**
 * The step names of a sample as captions of the clips found by their cards, in place of what would be recognised; where
 * `recognised` holds a caption of the same clip, it is the one replaced.
 * Throws `Failure` `not-found` for a sample without a name for each clip, or a clip without a card.
 */
export async function goldDescriptions(
  sample: Sample,
  video: Video,
  job: Parameters<typeof findTitleCards>[1],
  recognised?: EvidenceSet,
): Promise<Evidence[]> {
  const { id, steps = [] } = sample;
  if (!hasStepNames(sample))
    throw new Failure(
      "not-found",
      `Expected a step name for each of the ${sample.answer.length} clips of sample ${id}, got ${steps.length}.`,
      { sample: id },
    );
  const { clips } = await findTitleCards(video, job);
  return steps.map((text, index) => {
    const clip = index + 1;
    const span = clips.find((one) => one.clip === clip);
    if (span === undefined)
      throw new Failure(
        "not-found",
        `Expected a title card for each of the ${steps.length} named steps, but none was found for clip ${clip}.`,
        { sample: id, clip },
      );
    const replaced = recognised?.items.find((one) => one.kind === "caption" && one.clip === clip);
    return makeEvidence({
      video: video.hash,
      kind: "caption",
      start_s: span.start_s,
      end_s: span.end_s,
      text,
      clip,
      by: { who: "gold", name: "step names" },
      confidence: null,
      from: [],
      ...(replaced === undefined ? {} : { replaces: replaced.id }),
    });
  });
}
