import { z } from "zod";
import { Instant } from "../api.ts";
import { listOf, pageQuery } from "../list-pages.ts";
import { defineRoute, json, problems } from "./define-route.ts";

const Time = z.iso.datetime({ offset: true });

export const AuditEntryView = z
  .object({
    id: z.int(),
    at: Instant,
    /** Name of the key; empty if the service requires none. */
    who: z.string(),
    /** Address of the client; empty for a command on the machine of the service. */
    address: z.string(),
    /** What was done, such as `video.deleted`. */
    action: z.string(),
    video: z.string().nullable(),
    /** Name of the video at that time. */
    name: z.string().nullable(),
    question: z.string().nullable(),
    evidence: z.string().nullable(),
    /** More ids, names and counts. */
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntryView = z.infer<typeof AuditEntryView>;

export const audit = defineRoute({
  roles: ["operate"],
  method: "get",
  path: "/api/v1/audit",
  tags: ["service"],
  summary: "List who did what and when, newest first",
  request: {
    query: pageQuery({
      since: Time.optional().meta({ description: "At or after this instant" }),
      until: Time.optional().meta({ description: "Before this instant" }),
      who: z.string().max(100).optional().meta({ description: "Name of a key" }),
      action: z.string().max(200).optional().meta({ example: "video.deleted" }),
      video: z.string().max(100).optional().meta({ description: "Id of a video" }),
    }),
  },
  responses: {
    200: json(listOf(AuditEntryView), "One page of entries"),
    ...problems(401, 403, 422, 429),
  },
});
