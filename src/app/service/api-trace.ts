import { z } from "zod";
import { ROLES } from "../../core/events.ts";
import { Hash, Usage } from "../../core/shapes.ts";

/* The schemas of a trace: every model call of a question. */

/** A piece of a message. Pictures and media are named, not contained. */
const TracePart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  /** `GET /frames/{hash}` returns the picture. `label`: the text directly before it. */
  z.object({
    type: z.literal("image"),
    frame: Hash,
    t_s: z.number(),
    label: z.string().nullable(),
  }),
  z.object({ type: z.enum(["video", "audio"]), label: z.string().nullable() }),
]);

export const TraceMessage = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  parts: z.array(TracePart),
});
export type TraceMessage = z.infer<typeof TraceMessage>;

const TraceCall = z.object({
  stage: z.string(),
  /** The subject of the call. */
  label: z.string(),
  role: z.enum(ROLES),
  model: z.string(),
  /** What was sent, as the model got it; null for a call that kept no request, such as one of an older version. */
  messages: z.array(TraceMessage).nullable(),
  /** Pictures that the call shows for the first time. */
  frames: z.array(z.object({ hash: Hash, t_s: z.number() })),
  reply: z.string(),
  tools: z.array(z.object({ name: z.string(), arguments: z.unknown() })),
  finish: z.string(),
  error: z.object({ kind: z.string(), message: z.string() }).nullable(),
  /** Whether the reply was stored already, so that nothing was sent. */
  cached: z.boolean(),
  usage: Usage,
  /** Wall time in seconds, and the part of it that was spent waiting for a connection or between retries. */
  seconds: z.number(),
  waited_s: z.number(),
  /** Requests without a usable reply before this one. */
  retries: z.int(),
});

/** `more`: calls that are left out, because the trace is too long. */
export const TraceView = z
  .object({ calls: z.array(TraceCall), more: z.int() })
  .meta({ id: "Trace" });
export type TraceView = z.infer<typeof TraceView>;
