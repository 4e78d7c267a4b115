import { z } from "zod";
import { Evidence, FrameRef, Hash } from "../../core/shapes.ts";
import { QuestionView, Review } from "./api-questions.ts";
import { Problem } from "./api-shared.ts";
import { VideoView } from "./api-videos.ts";

/* Schemas of evidence and its edits, and of exports. */

export const EvidenceView = z
  .object({
    ...Evidence.omit({ video: true }).shape,
    frame: FrameRef.omit({ video: true }).optional(),
    name: z.string().meta({
      description:
        "`E1`, `E2` ...: the name in prompts and replies. A correction keeps the name; no name is given twice.",
    }),
    cited: z.boolean().meta({ description: "Whether the answer cites it." }),
    thumbnail: z.string().nullable().meta({ description: "URL of a thumbnail." }),
    was: z
      .string()
      .nullable()
      .meta({ description: "The text before the correction, if the text was corrected." }),
  })
  .meta({ id: "Evidence", description: "An observation in the video, with its source." });
export type EvidenceView = z.infer<typeof EvidenceView>;

export const EvidenceList = z
  .object({
    set: Hash,
    base: Hash.nullable(),
    items: z.array(EvidenceView),
    rejected: z
      .array(EvidenceView)
      .meta({ description: "Items of the answer's set that were rejected." }),
    basis: z.array(EvidenceView).meta({
      description:
        "What the answer cites, and its best matches, as they were when it was given. Edits do not change them.",
    }),
  })
  .meta({ id: "EvidenceList", description: "The current evidence set of a question." });
export type EvidenceList = z.infer<typeof EvidenceList>;

/** The problem of an edit that is based on an old version (412), with the current state. */
export const ChangedProblem = Problem.extend({
  kind: z.literal("changed"),
  current: z.union([EvidenceList, Review, VideoView, z.null()]),
}).meta({
  id: "ChangedProblem",
  description:
    "The problem of an edit that is based on an old version (412), with the current state.",
});

/** The export of a question with `?as=json`. */
export const Export = z
  .object({
    video: VideoView,
    question: QuestionView,
    evidence: EvidenceList.nullable(),
  })
  .meta({ id: "Export", description: "The export of a question with `?as=json`." });
