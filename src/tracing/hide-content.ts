import { createHash } from "node:crypto";

/** Members that name a kind or a model, never what a video or a person says. */
const PLAIN_MEMBERS = new Set([
  ...["type", "role", "kind", "status", "task", "strategy", "stage"],
  ...["finish_reason", "model", "model_name", "model_provider", "provider", "output_version"],
]);
const PLAIN_PREFIX = /^(ls|langgraph|lc)_/;
const ONE_NAME = /^[\w.:@/-]{1,100}$/;
const HASH = /^[0-9a-f]{64}$/;
/** What was hidden already: LangSmith's client passes some values twice. */
const HIDDEN = /^\[sha256 [0-9a-f]{64}, \d+ (characters|bytes)\]$/;
const MAX_DEPTH = 60;

/**
 * The same structure without content: each text and each run of bytes becomes its SHA-256 and size. Numbers, hashes and
 * names of kinds and models stay, so that a trace still shows what happened, how long it took and what it cost.
 */
export function hideContent<T>(value: T): T {
  return hidden(value, "", 0) as T;
}

function hidden(value: unknown, member: string, depth: number): unknown {
  if (typeof value === "string") return isPlain(value, member) ? value : hiddenText(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return hiddenBytes(value);
  if (depth === MAX_DEPTH) return "[not shown: nested too deeply]";
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => hidden(item, member, depth + 1));
  // Maps, sets and objects with `toJSON` (messages) are read as they would be sent.
  const plain = asJson(value);
  if (plain !== value) return hidden(plain, member, depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      /^\w{1,60}$/.test(name) ? name : hiddenText(name),
      hidden(item, name, depth + 1),
    ]),
  );
}

function asJson(value: object): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON();
  return value;
}

function isPlain(text: string, member: string): boolean {
  if (text === "" || HASH.test(text) || HIDDEN.test(text)) return true;
  return (PLAIN_MEMBERS.has(member) || PLAIN_PREFIX.test(member)) && ONE_NAME.test(text);
}

function hiddenText(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return `[sha256 ${hash}, ${text.length} characters]`;
}

function hiddenBytes(bytes: ArrayBuffer | ArrayBufferView): string {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  return `[sha256 ${createHash("sha256").update(view).digest("hex")}, ${view.length} bytes]`;
}
