import { z } from "zod";
import { Option, TASKS } from "../../core/shapes.ts";
import { requestBody } from "./api-shared.ts";

/* Schemas of a human study: people answer questions of a benchmark, without seeing any model's answer. */

const RaterName = z.string().min(1).max(64);

export const StudyQuery = z.strictObject({
  rater: RaterName.optional().meta({
    description:
      "A rater of the study, if the service has no keys; with keys, the key is the rater",
  }),
});

const Progress = {
  rater: z.string(),
  done: z.int().meta({ description: "Questions that this rater answered" }),
  total: z.int().meta({ description: "Questions that this rater has to answer" }),
};

export const StudyNext = z
  .object({
    ...Progress,
    /** Null: everything is answered. */
    item: z
      .object({
        id: z.int(),
        task: z.enum(TASKS),
        question: z.string(),
        goal: z.string().nullable(),
        options: z.array(Option).meta({ description: "In the order of this rater" }),
        clips: z.int().nullable().meta({ description: "Number of clips to put in order" }),
        media: z.string().meta({ description: "Path of the video" }),
      })
      .nullable(),
  })
  .meta({ id: "StudyNext" });
export type StudyNext = z.infer<typeof StudyNext>;

export const NewStudyAnswer = requestBody({
  item: z.int().min(0),
  answer: z.union([z.string().trim().min(1).max(20_000), z.array(z.int().positive()).max(64)]),
  seconds: z.number().min(0).optional().meta({
    description: "Time on the question without pauses; at most the time since it was handed out",
  }),
  rater: RaterName.optional(),
}).meta({ id: "NewStudyAnswer" });

export const StudyProgress = z.object(Progress).meta({ id: "StudyProgress" });
