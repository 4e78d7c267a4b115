import { hashOf } from "../../core/hash.ts";
import { httpProblem } from "./problems.ts";
import type { Ctx } from "./service-context.ts";

/** The tags of an `If-Match` or `If-None-Match` header, without quotes. Compression makes a tag weak (`W/`). */
function tagsOf(header: string): string[] {
  return header.split(",").map((tag) =>
    tag
      .trim()
      .replace(/^W\//, "")
      .replace(/^"(.*)"$/, "$1"),
  );
}

/** The ETag header for a version. */
export function etag(version: string): { ETag: string } {
  return { ETag: `"${version}"` };
}

/** The version of what a GET request returns as this JSON text. */
export function jsonVersion(text: string): string {
  return hashOf(text).slice(0, 32);
}

/** The version of a review that `If-Match` names: when it was given, or `none`. */
export function reviewVersion(review: { at: number } | null): string {
  return review === null ? "none" : new Date(review.at).toISOString();
}

/**
 * Checks that the caller edits the current version. `*` overwrites any. Throws a 428 problem without `If-Match`, and a 412
 * problem with the current state for another version.
 */
export async function checkMatch(
  c: Ctx,
  version: string,
  current: () => Promise<unknown>,
): Promise<void> {
  const header = c.req.header("if-match");
  if (header === undefined)
    throw httpProblem(
      428,
      "no-version",
      'Name the version that you edit with `If-Match`: the ETag of the evidence, or `reviewed_at` of the review in quotes ("none" without a review). `*` overwrites any version.',
    );
  const tags = tagsOf(header);
  if (tags.includes("*") || tags.includes(version)) return;
  throw httpProblem(
    412,
    "changed",
    "Someone else made a change in the meantime. `current` is the current state; repeat the edit on it.",
    { current: await current() },
  );
}

/** The same for an edit that may name no version: without `If-Match` it overwrites any. */
export async function checkMatchIfGiven(
  c: Ctx,
  version: string,
  current: () => Promise<unknown>,
): Promise<void> {
  if (c.req.header("if-match") !== undefined) await checkMatch(c, version, current);
}

/** Adds an ETag to JSON that a GET request returns, and answers 304 if the caller has it already. */
export async function answerConditionally(c: Ctx, next: () => Promise<void>): Promise<void> {
  await next();
  const { res } = c;
  if (c.req.method !== "GET" || res.status !== 200) return;
  if (!res.headers.get("content-type")?.startsWith("application/json")) return;
  const headers = new Headers(res.headers);
  const body = await res.text();
  const tag = headers.get("etag") ?? etag(jsonVersion(body)).ETag;
  headers.set("ETag", tag);
  const known = tagsOf(c.req.header("if-none-match") ?? "");
  const unchanged = known.includes("*") || known.some((one) => `"${one}"` === tag);
  if (unchanged) headers.delete("content-type");
  else headers.set("Content-Length", String(Buffer.byteLength(body)));
  c.res = unchanged
    ? new Response(null, { status: 304, headers })
    : new Response(body, { status: 200, headers });
}
