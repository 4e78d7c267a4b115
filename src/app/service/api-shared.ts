import { z } from "zod";

/* What the schemas of several topics share. Times are seconds from the start of the video; instants (`..._at`) are RFC 3339 strings in UTC. */

/** A random id that the service assigns. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{16,40}$/, { error: "an id of this service" });

/** An instant, RFC 3339 in UTC: `2026-11-21T09:30:00.000Z`. */
export const Instant = z
  .string()
  .meta({ format: "date-time", examples: ["2026-11-21T09:30:00.000Z"] });

/** The instant of `ms` milliseconds since 1970. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

export const StrategyName = z.string().meta({
  id: "StrategyName",
  description: "The name of a strategy. `GET /api/v1/service` lists them.",
});

/** The body of a request. Unknown members are refused with the names of the known ones. */
export function requestBody<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  const place = names.includes("settings") ? ", such as `settings.strategy`" : "";
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `without ${issue.keys.map((key) => `\`${key}\``).join(", ")}. Its members are ${names.join(", ")}${place}`
        : undefined,
  });
}

/** Maximum lengths of texts in characters: names, and longer texts. */
export const NAME_LENGTH = 300;

export const TEXT_LENGTH = 20_000;

/** An RFC 9457 problem. `kind`: the `FailureKind`, or a kind of an HTTP error. `offset`: of an upload, with status 409. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({
      description: "`urn:request:ID`, with the id of the log and of the `X-Request-Id` header.",
    }),
    kind: z.string(),
    offset: z.int().optional(),
  })
  .meta({
    id: "Problem",
    description:
      "An RFC 9457 problem. `kind` names the reason for programs, `detail` says in one sentence what is wrong and what to do. `offset`: of an upload, with status 409.",
  });
export type Problem = z.infer<typeof Problem>;
