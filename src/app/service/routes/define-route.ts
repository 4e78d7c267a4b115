import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { Hash } from "../../../core/shapes.ts";
import { ChangedProblem, Id, Problem } from "../api.ts";
import type { KeyRole } from "../options.ts";
import { requireRole } from "../roles.ts";

/* Helpers for route definitions. */

export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  content: { "application/json": { schema } },
  description,
});
export const body = <T extends z.ZodType>(schema: T) => ({
  content: { "application/json": { schema } },
  required: true,
});
export const text = (type: string, description: string) => ({
  content: { [type]: { schema: z.string() } },
  description,
});
export const bytes = (type: string) => ({
  content: { [type]: { schema: z.string().meta({ format: "binary" }) } },
});

const DESCRIPTIONS = {
  400: "Malformed request",
  401: "Missing or wrong token",
  403: "Not allowed",
  404: "Not found",
  409: "Conflict with the current state",
  410: "What the first request with this `Idempotency-Key` created was deleted",
  412: "Changed by someone else; `current` is the current state",
  413: "Too large",
  415: "Unsupported content or media type",
  416: "Range outside the file",
  422: "Invalid request",
  428: "`If-Match` is missing",
  429: "A limit of the caller is reached",
  507: "Quota used up or disk full",
} as const;

/** The version that an edit is based on. */
export const ifMatch = z.object({
  "if-match": z
    .string()
    .max(500)
    .optional()
    .meta({ description: "ETag of the version that is edited; `*` overwrites any" }),
});

/** Problem responses with these statuses. */
export function problems(...statuses: (keyof typeof DESCRIPTIONS)[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        content: {
          "application/problem+json": { schema: status === 412 ? ChangedProblem : Problem },
        },
        description: DESCRIPTIONS[status],
      },
    ]),
  );
}

export const params = <T extends z.ZodRawShape>(shape: T) => z.object(shape);
export const idParams = params({ id: Id });
export const evidenceParams = params({ id: Id, evidence: Hash });

/** A response with the address of what was created. */
export const created = <T extends z.ZodType>(schema: T, description: string) => ({
  ...json(schema, description),
  headers: z.object({
    Location: z.string().meta({ description: "Path of what was created" }),
  }),
});

/** `Idempotency-Key`, for all requests that create something. */
function answeredOnce({ request, responses }: Pick<RouteConfig, "request" | "responses">) {
  const headers = (request?.headers as z.ZodObject | undefined) ?? z.object({});
  const key = z.string().max(255).optional().meta({
    description:
      "A new random text for each thing to create. The same request with the same key gets the first response again for 24 hours",
  });
  return {
    request: {
      query: z.strictObject({}),
      ...request,
      headers: headers.extend({ "idempotency-key": key }),
    },
    responses: { ...responses, ...problems(410) },
  };
}

/**
 * A route. `roles`: a key needs one of them; `public`: no key is needed. Routes of the API refuse query
 * parameters that they do not name.
 */
export const defineRoute = <
  const Path extends string,
  R extends Omit<RouteConfig, "path"> & { path: Path },
>({
  roles,
  ...config
}: R & { roles: readonly KeyRole[] | "public" }) => {
  const { path, request } = config;
  const ofApi = path.startsWith("/api/");
  const once = ofApi && config.method === "post" && roles !== "public";
  return createRoute<Path, R>({
    ...(config as unknown as R),
    ...(ofApi ? { request: { query: z.strictObject({}), ...request } } : {}),
    ...(once ? answeredOnce(config) : {}),
    ...(roles === "public" ? {} : { "x-roles": roles, middleware: requireRole(roles) }),
  });
};
