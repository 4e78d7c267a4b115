import { Overwrite, type Runtime } from "@langchain/langgraph";
import type { z } from "zod";
import { applyCorrection, isRecognised, namesById } from "../../../src/core/corrections.ts";
import { isFailure } from "../../../src/core/errors.ts";
import { makeEvidenceSet } from "../../../src/core/evidence.ts";
import type { Evidence, EvidenceSet } from "../../../src/core/shapes.ts";
import { type GraphContext, requireContext } from "../../context.ts";
import { stage } from "../../stage.ts";
import { captionsByClip, type Segment, type State, segmentsOf, type Update } from "../../state.ts";
import { awaitReview } from "./await-review.ts";
import { EvidenceReview } from "./review.ts";

/** Shows the recognised evidence to a person, and continues with their corrections. */
export async function reviewEvidence(
  state: State,
  runtime: Runtime<GraphContext>,
): Promise<Update> {
  const context = requireContext(runtime.context);
  const first = makeEvidenceSet(state.evidence.filter(isRecognised), null, state.names);
  const names = namesById(first);
  const { text, options, goal } = state.question;
  const request = {
    review: "evidence",
    question: { text, options, goal },
    evidence: first.items.map((item) => shownItem(item, names[item.id])),
  };
  const review = awaitReview(request, reviewOf(first, context));
  const corrected = correct(first, review, context);
  return stage("review", (before: State, { emit }: GraphContext): Update => {
    const { person: by, corrections } = review;
    const diagnostics = { review: { of: "evidence", by, corrections: corrections.length } };
    if (corrected === first) return { diagnostics };
    const known = new Set(before.evidence.map(({ id }) => id));
    for (const item of corrected.items)
      if (!known.has(item.id)) emit("review", { type: "evidence", item });
    return {
      diagnostics,
      evidence: new Overwrite(corrected.items) as unknown as Evidence[],
      names: namesById(corrected),
      segments: segmentsOf(corrected.items, undescribedClips(before)),
      // The replies of the recogniser do not have the corrections.
      ...(captionsByClip(corrected.items).size > 0 ? { recognised: null } : {}),
      // Recognition may have found nothing where the person did.
      ...(corrected.items.length > 0 ? { outcome: null } : {}),
    };
  })(state, runtime);
}

/** Clips without a caption. Those whose caption the person rejects are left out of the order. */
function undescribedClips({ segments, evidence }: State): Segment[] {
  const described = captionsByClip(evidence);
  return segments.filter(({ kind, number }) => kind === "clip" && !described.has(number));
}

function shownItem(item: Evidence, name: string | undefined) {
  const { id, kind, start_s, end_s, text, clip, confidence } = item;
  const about = clip === undefined ? {} : { clip };
  return { id, name, kind, start_s, end_s, text, ...about, confidence };
}

/** The set after all corrections. Throws as `applyCorrection`. */
function correct(
  first: EvidenceSet,
  { person, corrections }: EvidenceReview,
  { video }: GraphContext,
): EvidenceSet {
  const about = { person, video: video.hash, duration_s: video.probe.duration_s };
  return corrections.reduce((now, edit) => applyCorrection({ first, now }, edit, about), first);
}

/** A review whose corrections can be applied to the set. */
function reviewOf(first: EvidenceSet, context: GraphContext): z.ZodType<EvidenceReview> {
  return EvidenceReview.check(({ value: input, issues }) => {
    if (issues.length > 0) return;
    try {
      correct(first, input, context);
    } catch (error) {
      if (!isFailure(error)) throw error;
      issues.push({ code: "custom", message: error.message, path: ["corrections"], input });
    }
  });
}
