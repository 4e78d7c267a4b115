import { z } from "zod";
import type { QuestionFilter } from "../../core/service-lists.ts";
import { Id, STATES, VERDICTS } from "./api.ts";

const Time = z.iso.datetime({ offset: true });

/** Query parameters that select questions. */
export const QUESTION_FILTERS = {
  video: Id.optional(),
  state: z.enum(STATES).optional(),
  verdict: z
    .enum([...VERDICTS, "conflict", "none"])
    .optional()
    .meta({
      description:
        "The verdict of the review; `conflict`: reviewers disagree; `none`: not reviewed",
    }),
  strategy: z.string().max(200).optional(),
  model: z.string().max(300).optional(),
  q: z
    .string()
    .max(300)
    .optional()
    .meta({ description: "Part of the question or its goal, in any case" }),
  since: Time.optional().meta({ description: "Asked at or after this instant" }),
  until: Time.optional().meta({ description: "Asked at or before this instant" }),
};

/** The filter that the parameters state, for the questions of `owner`; null: of all owners. */
export function questionFilter(
  query: z.infer<z.ZodObject<typeof QUESTION_FILTERS>>,
  owner: string | null,
): QuestionFilter {
  const { video: upload, state, verdict, strategy, model, q, since, until } = query;
  return {
    ...{ owner, upload, state, verdict, strategy, model, q },
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  };
}
