import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { generateSync, type JsonSchema } from "json-schema-faker";
import { afterAll, beforeAll, expect } from "vitest";
import { Problem } from "../../../src/app/service/api.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: JsonSchema;
}
interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  /** Schema of a JSON body; null: a file; undefined: none. */
  body: JsonSchema | null | undefined;
  statuses: string[];
}
type Document = { paths: Record<string, Record<string, never>>; components: { schemas: object } };

let rig: Rig;
let bytes: Buffer;
let operations: Operation[];
/** Names that exist, so that requests also reach the code after the first check. */
const real: Record<string, string[]> = {};

/** Sets up a service with one object of every kind, for the tests of a file. */
export function withService(): void {
  beforeAll(setUp);
  afterAll(() => rig.stop());
}

async function setUp(): Promise<void> {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  bytes = await readFile(file);
  rig = await startRig({ settings: { strategy: "random" }, upload_limit: 2_000_000 });
  const document = await rig.json<Document>(200, "GET", "/openapi.json");
  operations = operationsOf(document);
  const video = await rig.upload(file);
  const { id } = await rig.ask(video.id, { text: "Which?", options: ["one", "two"] });
  await rig.ended(id);
  await rig.json(201, "POST", `/api/v1/questions/${id}/evidence`, {
    kind: "text",
    start_s: 0,
    end_s: 1,
    text: "x",
  });
  const { items } = await rig.evidence(id);
  const upload = await rig.json<{ id: string }>(201, "POST", "/api/v1/uploads", {
    name: "x",
    size: 9,
  });
  Object.assign(real, {
    videos: [video.id],
    questions: [id],
    uploads: [upload.id, video.id],
    evidence: items.map((item) => item.id),
    frames: ["a".repeat(64)],
  });
}

/** The operations of the document, with every `$ref` written out. */
function operationsOf({ paths, components }: Document): Operation[] {
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value)
      return whole(components.schemas[String(value.$ref).split("/").at(-1) as never]);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, whole(member)]));
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(whole(methods) as Record<string, Record<string, never>>).map(
      ([method, about]) => {
        const content = (
          about.requestBody as undefined | { content?: Record<string, { schema: JsonSchema }> }
        )?.content;
        return {
          method: method.toUpperCase(),
          path,
          parameters: (about.parameters ?? []) as Parameter[],
          body: content === undefined ? undefined : (content["application/json"]?.schema ?? null),
          statuses: Object.keys(about.responses ?? {}),
        };
      },
    ),
  );
}

const HOSTILE: readonly unknown[] = [
  ...[
    null,
    true,
    -1,
    0,
    1e308,
    2 ** 53,
    1.5,
    "",
    " ",
    "\u0000",
    "../../etc/passwd",
    "<script>alert(1)</script>",
  ],
  ...[
    "'; DROP TABLE uploads; --",
    "\ud800",
    "💥".repeat(200),
    "x".repeat(5000),
    [],
    {},
    [[[[]]]],
    { __proto__: 1 },
  ],
  ...[
    "NaN",
    "-0",
    "1e9",
    "%00",
    "%",
    "a".repeat(64),
    "A".repeat(24),
    { constructor: { prototype: {} } },
  ],
];

/** Changes one place of a value, by numbers that fast-check draws. */
function spoil(value: unknown, place: number, hostile: unknown): unknown {
  if (typeof value !== "object" || value === null || place === 0) return hostile;
  const names = Object.keys(value);
  const name = names[place % Math.max(1, names.length)];
  if (name === undefined) return hostile;
  const next = spoil((value as Record<string, unknown>)[name], place >> 2, hostile);
  return Array.isArray(value)
    ? value.map((item, i) => (String(i) === name ? next : item))
    : { ...value, [name]: next };
}

const drawn = fc.record({
  operation: fc.nat(),
  seed: fc.nat(),
  known: fc.boolean(),
  spoilt: fc.option(fc.record({ place: fc.nat(4000), hostile: fc.constantFrom(...HOSTILE) })),
  spoiltName: fc.option(fc.constantFrom(...HOSTILE), { freq: 6 }),
  file: fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant("video" as const)),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function requestOf(given: Drawn) {
  const operation = operations[given.operation % operations.length] as Operation;
  const make = (schema: JsonSchema) =>
    generateSync(schema, { seed: given.seed, alwaysFakeOptionals: given.seed % 2 === 0 });
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { name, in: where, required, schema } of operation.parameters) {
    if (required !== true && given.seed % 3 === 0) continue;
    const folder =
      name === "id"
        ? (/\/api\/v1\/(\w+)\//.exec(path)?.[1] ?? "")
        : name === "hash"
          ? "frames"
          : name;
    const known = given.known
      ? real[folder]?.[given.seed % (real[folder]?.length ?? 1)]
      : undefined;
    const value = String(given.spoiltName ?? known ?? make(schema));
    if (where === "path")
      path = path.replace(`{${name}}`, encodeURIComponent(value.toWellFormed()) || "-");
    // Node refuses a longer head of a request itself.
    else if (where === "query") query.set(name, value.slice(0, 150));
    else headers[name] = value.replace(/[^\x20-\x7e]/g, "?").trim() || "x";
  }
  // The video that all other requests use is not deleted.
  if (operation.method === "DELETE") path = path.replace(real.videos?.[0] ?? "-", "A".repeat(24));
  let body: string | Uint8Array | undefined;
  if (operation.body === null) {
    body = given.file === "video" ? new Uint8Array(bytes) : given.file;
    headers["content-type"] = "application/octet-stream";
    if (operation.method === "PATCH" && given.known)
      headers["content-range"] = `bytes 0-${Math.max(0, body.length - 1)}/9`;
  } else if (operation.body !== undefined) {
    const value = make(operation.body);
    const sent =
      given.spoilt === null ? value : spoil(value, given.spoilt.place, given.spoilt.hostile);
    body = JSON.stringify(sent);
    headers["content-type"] = "application/json";
  }
  const search = query.size === 0 ? "" : `?${query}`;
  return { operation, path: `${path}${search}`, headers, body };
}

/** Valid and damaged requests from the document: each gets a response that the document names, never a 5xx. */
export async function fuzz(runs: number, seed?: number): Promise<void> {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(drawn, async (given) => {
      const { operation, path, headers, body } = requestOf(given);
      const stop = new AbortController();
      const response = await fetch(`${rig.url}${path}`, {
        method: operation.method,
        headers,
        body: body as RequestInit["body"],
        signal: stop.signal,
      });
      const { status } = response;
      // Node refuses headers above its limit before the service sees them.
      if (status === 431) return;
      const key = `${operation.method} ${operation.path}`;
      seen.set(`${key} ${status}`, (seen.get(`${key} ${status}`) ?? 0) + 1);
      const type = response.headers.get("content-type") ?? "";
      if (type.startsWith("text/event-stream")) stop.abort();
      const text = type.startsWith("text/event-stream") ? "" : await response.text();
      expect(
        status,
        `${key} ${path} ${String(body).slice(0, 200)} -> ${text.slice(0, 200)}`,
      ).toBeLessThan(500);
      // Skip a path that no longer belongs to the operation (a name with a slash).
      expect([...operation.statuses, "404", "405", "400"]).toContain(String(status));
      if (status >= 400) {
        expect(type).toBe("application/problem+json");
        expect(Problem.parse(JSON.parse(text)).status).toBe(status);
      }
    }),
    { numRuns: runs, seed },
  );
  const answered = new Set([...seen.keys()].map((key) => key.replace(/ \d+$/, "")));
  expect(answered.size).toBe(operations.length);
  const good = new Set(
    [...seen.keys()].filter((key) => / 20\d$/.test(key)).map((key) => key.replace(/ \d+$/, "")),
  );
  expect(good.size).toBeGreaterThan(operations.length / 3);
  await rig.json(200, "GET", "/readyz");
}
