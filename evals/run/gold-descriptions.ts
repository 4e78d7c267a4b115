import { Failure } from "../../src/core/errors.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceSet } from "../../src/core/shapes.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import type { Video } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { hasStepNames } from "./step-names.ts";

/**
 * Captions with the step names of a sample, for the clips found by their title cards. They take the place of recognised
 * captions, and replace the caption of the same clip in `recognised`.
 * Throws `Failure` `not-found` for a sample without a name for each clip, or a clip without a title card.
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
      `Sample ${id} has ${steps.length} step names for ${sample.answer.length} clips: gold descriptions need one for each clip.`,
      { sample: id },
    );
  const { clips } = await findTitleCards(video, job);
  return steps.map((text, index) => {
    const clip = index + 1;
    const span = clips.find((one) => one.clip === clip);
    if (span === undefined)
      throw new Failure(
        "not-found",
        `No title card found for clip ${clip} of sample ${id}: gold descriptions need the cards of all ${steps.length} clips.`,
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
