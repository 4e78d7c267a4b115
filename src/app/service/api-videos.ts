import { z } from "zod";
import { Id, Instant, NAME_LENGTH, requestBody } from "./api-shared.ts";

/* Schemas of videos, uploads and subtitles. */

export const VideoView = z
  .object({
    id: Id,
    name: z.string().meta({ description: "The file name from the request. Untrusted: escape it." }),
    duration_s: z.number(),
    width: z
      .int()
      .nullable()
      .meta({ description: "Pixels of the frame after rotation; null without a video stream." }),
    height: z.int().nullable(),
    size: z.int().meta({ description: "Bytes." }),
    created_at: Instant,
    questions: z.int().meta({ description: "Number of questions about the video." }),
    tags: z.array(z.string()),
  })
  .meta({ id: "Video", description: "A video of the caller." });
export type VideoView = z.infer<typeof VideoView>;

const Name = z.string().trim().min(1).max(NAME_LENGTH);

const MAX_TAGS = 20;

export const Tag = z.string().trim().min(1).max(50);

/** A tag of the caller's videos. */
export const TagView = z.object({ tag: z.string(), videos: z.int() }).meta({ id: "Tag" });

/** Changes of a video. `tags` replaces all its tags. */
export const VideoPatch = requestBody({
  name: Name.optional(),
  tags: z.array(Tag).max(MAX_TAGS).optional(),
}).meta({ id: "VideoPatch", description: "Changes of a video. `tags` replaces all its tags." });

/** Videos to delete with all data derived from them. */
export const BulkDelete = requestBody({ ids: z.array(Id).min(1).max(200) }).meta({
  id: "BulkDelete",
  description: "Videos to delete with all data derived from them.",
});

/** `missing`: ids without a video of the caller. */
export const BulkDeleted = z
  .object({ deleted: z.array(Id), missing: z.array(Id) })
  .meta({ id: "BulkDeleted", description: "`missing`: ids without a video of the caller." });

export const NewUpload = requestBody({
  name: z.string().min(1).max(NAME_LENGTH),
  size: z.int().positive(),
}).meta({
  id: "NewUpload",
  description: "Name and size in bytes of a file that is sent in parts.",
});

/** `offset`: bytes that arrived. `video`: set when the upload is complete and valid. */
export const UploadView = z
  .object({ id: Id, offset: z.int(), size: z.int(), video: VideoView.nullable() })
  .meta({
    id: "Upload",
    description:
      "`offset`: bytes that arrived. `video`: set when the upload is complete and valid.",
  });
export type UploadView = z.infer<typeof UploadView>;

export const FromUrl = requestBody({
  url: z.string().min(1).max(2000),
  name: z.string().min(1).max(NAME_LENGTH).optional(),
}).meta({ id: "FromUrl", description: "Address of a video on a host that the operator allows." });

/** The uploaded subtitle file of a video; `uploaded` false: there is none. */
export const SubtitlesView = z
  .object({
    uploaded: z.boolean(),
    cues: z.int(),
    skipped: z.int().meta({ description: "Invalid cues, which are not used." }),
  })
  .meta({ id: "Subtitles" });
export type SubtitlesView = z.infer<typeof SubtitlesView>;
