/* Examples for the description of the API. */

type Json = Record<string, unknown>;

const ID = "Zm9vYmFyYmF6cXV4MTIzNDU2";
const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Whole examples of components, by id. */
const COMPONENTS: Json = {
  Problem: {
    type: "about:blank",
    title: "Not Found",
    status: 404,
    detail: "There is no video with this id.",
    instance: `urn:request:${ID}`,
    kind: "not-found",
  },
  NewQuestion: {
    text: "What is x?",
    options: ["3", "4", "8"],
    settings: { "recognition.frames": 16 },
  },
  NewEvidence: { kind: "caption", start_s: 4, end_s: 9.5, text: "A kettle boils." },
  EvidencePatch: { text: "A kettle boils over." },
  NewReview: { verdict: "corrected", answer: "B" },
  VideoPatch: { name: "Lesson 1.mp4", tags: ["algebra"] },
  NewUpload: { name: "lesson.mp4", size: 7340032 },
  FromUrl: { url: "https://videos.example.org/lesson.mp4" },
  NewSession: { token: "vrrd_..." },
  BulkRows: { rows: [{ video: "lesson.mp4", question: "What is x?", options: "3|4|8" }] },
  Settings: { "recognition.frames": 16 },
};

/** Examples of members, by name. */
const MEMBERS: Json = {
  name: "lesson.mp4",
  text: "A kettle boils.",
  answer: "B",
  strategy: "name-of-a-strategy",
  model: "provider:model",
  duration_s: 61.5,
  width: 1280,
  height: 720,
  size: 7340032,
  start_s: 4,
  end_s: 9.5,
  confidence: 0.92,
  tags: ["algebra"],
  rater: "ann",
  who: "person",
  version: "0.1.0",
  thumbnail: `/api/v1/videos/${ID}/thumbnail?t_s=6.75`,
  match: [[2, 8]],
  day: "2026-11-21",
};

/** An example of a component, or of any schema that refers to components; deep members are left out if they may be. */
export function exampleOf(schema: Json, components: ReadonlyMap<string, Json>): unknown {
  return build(schema, undefined, 0);

  function build(schema: Json, name: string | undefined, depth: number): unknown {
    if (typeof schema.$ref === "string") {
      const id = schema.$ref.split("/").at(-1) ?? "";
      if (id in COMPONENTS) return COMPONENTS[id];
      return build(components.get(id) ?? {}, name, depth);
    }
    const {
      anyOf,
      const: fixed,
      default: standard,
      enum: values,
    } = schema as {
      anyOf?: Json[];
      const?: unknown;
      default?: unknown;
      enum?: unknown[];
    };
    if (fixed !== undefined) return fixed;
    if (values !== undefined) return values[0];
    if (name !== undefined && name in MEMBERS && allows(schema, MEMBERS[name]))
      return MEMBERS[name];
    if (standard !== undefined) return standard;
    const options = anyOf?.filter(({ type }) => type !== "null");
    if (options !== undefined)
      return depth > 2 && options.length < (anyOf?.length ?? 0)
        ? null
        : build(options[0] ?? {}, name, depth);
    const types = [schema.type].flat();
    if (types.includes("null") && depth > 2) return null;
    switch (types[0]) {
      case "object":
        return objectOf(schema, depth);
      case "array":
        return depth > 3 ? [] : [build((schema.items ?? {}) as Json, undefined, depth + 1)];
      case "integer":
      case "number":
        return Math.max(1, Number(schema.minimum ?? 1));
      case "boolean":
        return true;
      case "string":
        return stringOf(schema);
      default:
        return {};
    }
  }

  function objectOf({ properties = {}, required = [] }: Json, depth: number): Json {
    const needed = required as string[];
    return Object.fromEntries(
      Object.entries(properties as Record<string, Json>)
        .filter(([name]) => needed.includes(name))
        .map(([name, member]) => [name, build(member, name, depth + 1)]),
    );
  }
}

/** Whether a schema allows values of the type of `value`. */
function allows({ type, anyOf = [] }: Json, value: unknown): boolean {
  const own = Array.isArray(value)
    ? ["array"]
    : typeof value === "number"
      ? ["number", "integer"]
      : [typeof value];
  const types = [type, ...(anyOf as Json[]).map((one) => one.type)].flat();
  return own.some((one) => types.includes(one));
}

function stringOf({ pattern, format, examples }: Json): string {
  if (Array.isArray(examples)) return String(examples[0]);
  if (format === "date-time") return "2026-11-21T09:30:00.000Z";
  if (format === "date") return "2026-11-21";
  if (pattern === "^[A-Z]$") return "A";
  if (typeof pattern === "string") return pattern.includes("a-f") ? HASH : ID;
  return "text";
}
