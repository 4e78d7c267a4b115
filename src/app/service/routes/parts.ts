import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { Hash } from "../../../core/shapes.ts";
import { Id, Problem } from "../api.ts";

/* What the descriptions of routes are made of. */

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

const TITLES = {
  400: "The request could not be read",
  401: "A token is needed",
  403: "Not allowed",
  404: "Nothing of that name",
  409: "Not at this time",
  413: "Too large",
  415: "Of a kind that is not taken",
  416: "No such range",
  422: "Not as it should be",
  429: "Too much at once",
  507: "No room",
} as const;

export function problems(...statuses: (keyof typeof TITLES)[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { content: { "application/problem+json": { schema: Problem } }, description: TITLES[status] },
    ]),
  );
}

export const params = <T extends z.ZodRawShape>(shape: T) => z.object(shape);
export const one = params({ id: Id });
export const item = params({ id: Id, evidence: Hash });

export const route = <
  const Path extends string,
  R extends Omit<RouteConfig, "path"> & { path: Path },
>(
  config: R,
) => createRoute<Path, R>(config);
