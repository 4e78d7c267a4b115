import { z } from "zod";
import { LIBRARY_KINDS } from "../../../core/library/library-index.ts";
import { Hash } from "../../../core/shapes.ts";
import { Id } from "../api.ts";
import { listOf, pageQuery } from "../list-pages.ts";
import { defineRoute, json, problems } from "./define-route.ts";

/** Groups of kinds that a caller may name, in addition to the kinds themselves. */
export const KIND_GROUPS = {
  transcript: ["subtitle", "speech"],
  text: ["text", "equation"],
} as const;

const NAMES = [...new Set([...LIBRARY_KINDS, ...Object.keys(KIND_GROUPS)])];

/** A moment of a video whose text matches. */
export const SearchHitView = z
  .object({
    video: Id,
    /** Name of the video. */
    name: z.string(),
    kind: z.enum(LIBRARY_KINDS),
    /** Seconds from the start of the video; 0 for a name or tag. */
    start_s: z.number(),
    end_s: z.number(),
    /** The text, or the part of it around the first match. Untrusted: escape it. */
    text: z.string(),
    /** Start and end of each match in `text`, in UTF-16 code units. */
    match: z.array(z.tuple([z.int(), z.int()])),
    /** Id of the evidence; null for a name or tag. */
    evidence: Hash.nullable(),
  })
  .meta({ id: "SearchHit" });

export const search = defineRoute({
  method: "get",
  path: "/api/v1/search",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary:
    "Search names, tags, transcripts, text on screen and captions of the caller's videos; best match first, then newest video",
  request: {
    query: pageQuery({
      q: z.string().min(1).max(500).meta({
        description:
          "Words that must all occur in a text, in any case and without diacritics; phrases in quotes. The last word may be the beginning of one.",
        example: '"chain rule" deriv',
      }),
      kinds: z
        .string()
        .max(200)
        .optional()
        .meta({
          description: `Only these kinds, separated by commas: ${NAMES.join(", ")}`,
          example: "name,transcript",
        }),
      video: Id.optional().meta({ description: "Only in this video" }),
    }),
  },
  responses: {
    200: json(
      listOf(SearchHitView).extend({
        /** Videos of the caller whose newest texts are not indexed yet. */
        pending: z.int(),
      }),
      "One page of matches. Of more than 5,000 matches, the newest 5,000 are ranked and listed; `total` counts all",
    ),
    ...problems(401, 422, 429),
  },
});
