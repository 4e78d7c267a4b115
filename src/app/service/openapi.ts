import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { strategies } from "../../../graphs/define-strategy.ts";
import { hashOf } from "../../core/hash.ts";
import { version } from "../../core/version.ts";
import { describeMembers, describeParameter } from "./api-descriptions.ts";
import { exampleOf } from "./api-examples.ts";
import { callerSettings } from "./request-settings.ts";
import * as routes from "./routes.ts";

type Json = Record<string, unknown>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; license: Json };
  servers: Json[];
  security: Json[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
}

const TAGS: Record<string, string> = {
  videos: "Upload, list, edit and remove videos, and get their bytes and pictures.",
  questions: "Ask questions and follow how they are answered.",
  evidence: "See what an answer is based on, correct it, and reason again.",
  reviews: "Review answers: several raters, blind where wanted.",
  search: "Search in the names, words, texts and captions of all videos.",
  usage: "See what each key used.",
  audit: "See who changed what.",
  reports: "Evaluation reports of the operator.",
  service: "The service itself: health, settings, sign-in.",
};

/**
 * The description of the API, from the routes and their schemas. With `definitions`, it lists the strategies and settings
 * of this service; without, it holds for any service of this version, whatever its operator has added.
 */
export function openApiDocument(definitions = true): OpenApiDocument {
  const components = new Map<string, Json>();
  const paths: OpenApiDocument["paths"] = {};
  const used = new Set<string>();
  const byPath = Object.entries(routes).sort(([, a], [, b]) => (a.path < b.path ? -1 : 1));
  for (const [operationId, route] of byPath) {
    const operation = operationOf(operationId, route as RouteConfig, components);
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
    for (const tag of route.tags ?? []) used.add(tag);
  }
  if (definitions) addDefinitions(components);
  for (const [id, schema] of components) describeMembers(id, schema);
  addExamples(paths, components);
  return {
    openapi: "3.1.0",
    info: {
      title: "video-rrd",
      version: version(),
      description:
        "Ask questions about videos, inspect and correct the evidence, and reason again over the corrected evidence.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The service that serves this document" }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [...used].map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The token, or a key of the operator. A service on loopback may need none.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "video_rrd_session",
          description: "The cookie that `POST /api/v1/session` sets.",
        },
      },
    },
  };
}

/** Lists the names of strategies, and the settings that a request may set. */
function addDefinitions(components: Map<string, Json>): void {
  const name = components.get("StrategyName");
  if (name !== undefined) name.enum = strategies.names();
  const settings = components.get("Settings");
  if (settings === undefined) return;
  settings.properties = Object.fromEntries(
    callerSettings().map(({ path, description, kind, choices, nullable }) => {
      const type = kind === "choice" ? "string" : kind;
      const values = choices === null ? {} : { enum: [...choices, ...(nullable ? [null] : [])] };
      return [path, { type: nullable ? [type, "null"] : type, description, ...values }];
    }),
  );
}

function operationOf(id: string, route: RouteConfig, components: Map<string, Json>): Json {
  const { request, responses, summary, description, tags } = route;
  const roles = (route as { "x-roles"?: unknown })["x-roles"];
  const body = request?.body?.content;
  return {
    operationId: id,
    summary,
    description: description ?? `${summary}.`,
    tags,
    ...(roles === undefined ? { security: [] } : { "x-roles": roles }),
    parameters: [
      ...parametersOf("path", request?.params, components),
      ...parametersOf("query", request?.query, components),
      ...parametersOf("header", request?.headers, components),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: contentOf(body, "input", components) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        if ("$ref" in response) return [status, response];
        const { content, headers } = response;
        return [
          status,
          {
            description: response.description,
            ...(headers === undefined ? {} : { headers: headersOf(headers, components) }),
            ...(content === undefined ? {} : { content: contentOf(content, "output", components) }),
          },
        ];
      }),
    ),
  };
}

function parametersOf(where: string, shape: unknown, components: Map<string, Json>): Json[] {
  if (!(shape instanceof z.ZodType)) return [];
  const { properties = {}, required = [] } = jsonSchema(shape, "input", components) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const described = Object.entries(properties).map(
    ([name, { description = describeParameter(name, where), ...schema }]) =>
      [name, { description, ...schema }] as const,
  );
  return described.map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headersOf(shape: unknown, components: Map<string, Json>): Json {
  const all = parametersOf("header", shape, components);
  return Object.fromEntries(
    all.map(({ name, in: _in, required: _required, ...rest }) => [name, rest]),
  );
}

function contentOf(content: object, io: "input" | "output", components: Map<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]: [string, { schema?: unknown }]) => {
      if (!(schema instanceof z.ZodType)) return [type, {}];
      return [type, { schema: jsonSchema(schema, io, components) }];
    }),
  );
}

/** Every component, and every JSON body of an operation, has an example. */
function addExamples(paths: OpenApiDocument["paths"], components: Map<string, Json>): void {
  for (const [id, schema] of components) {
    schema.description ??= `${id.replace(/(?<=[a-z])(?=[A-Z])/g, " ")}.`;
    schema.examples = [exampleOf({ $ref: `#/components/schemas/${id}` }, components)];
  }
  const bodies = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody, responses }) => [
      requestBody,
      ...Object.values(responses as Record<string, Json>),
    ])
    .flatMap((body) => Object.entries(((body as Json | undefined)?.content ?? {}) as Json));
  for (const [type, media] of bodies as [string, Json][])
    if (/json$/.test(type)) media.example = exampleOf(media.schema as Json, components);
}

/** The JSON Schema of a zod schema. Schemas with an id become components. */
function jsonSchema(
  schema: z.ZodType,
  io: "input" | "output",
  components: Map<string, Json>,
): Json {
  const {
    $schema: _schema,
    $defs,
    ...made
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: made }) => {
      const { def } = zodSchema._zod;
      // Replies may get further members; only requests are strict.
      if (def.type === "object" && def.catchall === undefined) delete made.additionalProperties;
      if (made.type === "integer") dropSafeBounds(made);
      if (made.format === "date-time") delete made.pattern;
    },
  }) as Json & { $defs?: Record<string, Json> };
  for (const [id, definition] of Object.entries($defs ?? {})) {
    const { id: _id, ...rest } = definition;
    components.set(id, toComponents(rest) as Json);
  }
  const { id, ...rest } = toComponents(made) as Json;
  if (typeof id !== "string") return rest;
  components.set(id, rest);
  return { $ref: `#/components/schemas/${id}` };
}

/** zod bounds every integer by the safe integers, which says nothing. */
function dropSafeBounds(made: Json): void {
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum;
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum;
}

function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === "$ref" && typeof member === "string"
        ? [name, member.replace("#/$defs/", "#/components/schemas/")]
        : [name, toComponents(member)],
    ),
  );
}

/** Hash of what the types of the client are generated from: the paths and schemas, not their examples. */
export function clientHash(): string {
  const { paths, components } = openApiDocument(false);
  return hashOf(JSON.parse(withoutExamples([paths, components.schemas])));
}

/** JSON of a description without its examples. */
export function withoutExamples(document: unknown): string {
  return JSON.stringify(document, (name, value) =>
    name === "example" || name === "examples" ? undefined : value,
  );
}
