import { z } from "zod";
import { LIBRARY_KINDS } from "../../../core/library/library-index.ts";
import { Hash } from "../../../core/shapes.ts";
import { Id } from "../api.ts";
import { listOf, pageQuery } from "../list-pages.ts";
import { defineRoute, idParams, json, problems } from "./define-route.ts";

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
          "Words that must all occur in a text, in any case and without diacritics; phrases in quotes. A last word of two letters or more may be the beginning of one; a single last letter that is found nowhere is left out.",
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

/** A text of a video at its second. */
export const VideoTextView = SearchHitView.omit({ video: true, name: true })
  .extend({
    /** Start and end of each place in `text` that matches `q`, in UTF-16 code units; empty without `q`. */
    match: z.array(z.tuple([z.int(), z.int()])),
  })
  .meta({ id: "VideoText" });

const seconds = z.coerce.number().min(0).max(1_000_000);

export const videoTexts = defineRoute({
  method: "get",
  path: "/api/v1/videos/{id}/texts",
  tags: ["videos"],
  roles: ["ask", "review"],
  summary:
    "List what is said, written and seen in a video, in order of time: its newest evidence with the corrections of people",
  request: {
    params: idParams,
    query: pageQuery({
      from_s: seconds
        .default(0)
        .meta({ description: "Only texts that end at this second or later" }),
      to_s: seconds
        .default(1_000_000)
        .meta({ description: "Only texts that start at this second or earlier" }),
      q: z
        .string()
        .max(500)
        .optional()
        .meta({ description: "Words to mark, as in a search; texts without them are listed too" }),
    }),
  },
  responses: {
    200: json(listOf(VideoTextView), "One page of texts"),
    ...problems(401, 404, 422, 429),
  },
});
