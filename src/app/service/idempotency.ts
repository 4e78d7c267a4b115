import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { hashOf, sha256 } from "../../core/hash.ts";
import type { IdempotentRequest } from "../../core/idempotency.ts";
import { createTurns } from "../../core/turns.ts";
import { httpProblem } from "./problems.ts";
import type { Ctx, ServiceContext } from "./service-context.ts";
import { newId } from "./uploads.ts";

/** How long a response is returned again. */
export const KEPT_MS = 24 * 3_600_000;
/** Maximum number of keys that a caller may use in that time. */
const MAX_KEYS = 10_000;
/** Longer responses are not stored: those of edits of evidence, which `If-Match` lets happen once only. */
const MAX_BODY = 512 * 2 ** 10;

/** Their responses hold secrets, which are never stored. */
const HOLD_SECRETS = new Set(["/api/v1/session", "/api/v1/keys"]);

/** Whether the body of a request is the bytes of a video. */
export function sendsVideo({ method, path }: Ctx["req"]): boolean {
  return method === "POST" && path === "/api/v1/videos";
}

/**
 * Answers a POST request with an `Idempotency-Key` once: the same request with the same key gets the first response again,
 * also after a restart. Requests with one key wait for each other. Only successful responses are kept, so that a request
 * that was refused can be sent again.
 */
export function answerOnce({ store }: Pick<ServiceContext, "store">) {
  const inTurn = createTurns(store.claims);
  const requests = store.service;
  return async (c: Ctx, next: () => Promise<void>) => {
    const key = c.req.header("idempotency-key");
    if (key === undefined || c.req.method !== "POST" || HOLD_SECRETS.has(c.req.path)) return next();
    if (!/^[\x21-\x7e]{1,255}$/.test(key))
      throw httpProblem(
        422,
        "wrong-request",
        "Invalid Idempotency-Key: use 1 to 255 ASCII characters without spaces.",
      );
    const { owner } = c.get("caller");
    const request = await fingerprint(c);
    return inTurn(`request ${hashOf([owner, key])}`, async () => {
      const known = await requests.idempotent(owner, key);
      const current = known !== undefined && known.created_at > Date.now() - KEPT_MS;
      if (current && (known.request !== request || !(await hasSameVideo(c, known)))) throw reused();
      if (current && known.response !== null) return replay(known.response);
      const made = current ? known.made : newId();
      if (!current) await checkCount(owner);
      const record = { owner, key, request, made, created_at: Date.now() };
      await requests.putIdempotent({ ...record, about: null, response: null });
      c.set("made", made);
      await next();
      await keep(c, record);
      return undefined;
    });
  };

  async function keep(
    c: Ctx,
    record: Omit<IdempotentRequest, "about" | "response">,
  ): Promise<void> {
    const { status, headers } = c.res;
    const body = status < 300 ? await c.res.clone().text() : "";
    if (status < 300 && body.length <= MAX_BODY) {
      const response = { status, location: headers.get("location"), body };
      const about = c.req.path.includes("/questions/") ? c.req.path.split("/")[4] : subjectOf(body);
      await requests.putIdempotent({ ...record, about: about ?? null, response });
      // After an error of the service, the effect is unknown: `made` finds it.
    } else if (status < 500) await requests.dropIdempotent(record.owner, record.key);
  }

  async function checkCount(owner: string): Promise<void> {
    if ((await requests.countIdempotent(owner)) < MAX_KEYS) return;
    await requests.sweepIdempotent(Date.now() - KEPT_MS);
    if ((await requests.countIdempotent(owner)) < MAX_KEYS) return;
    throw httpProblem(
      429,
      "too-many-idempotency-keys",
      `${MAX_KEYS} requests with an Idempotency-Key are kept for 24 hours, which is the limit. Send this one without.`,
    );
  }

  /** The bytes of a video are compared with those that the first request stored. */
  async function hasSameVideo(c: Ctx, { made, response }: IdempotentRequest): Promise<boolean> {
    if (!sendsVideo(c.req) || response === null) return true;
    const first = (await requests.upload(made))?.video?.hash;
    return first === undefined || first === (await hashBody(c.env.incoming));
  }
}

/** The video that a response is about: of its question, or itself. */
function subjectOf(body: string): string | undefined {
  const { video, id } = JSON.parse(body === "" ? "{}" : body) as Record<string, unknown>;
  return [video, id].find((one) => typeof one === "string");
}

/** What makes two requests the same: everything but the headers that differ by connection. */
async function fingerprint(c: Ctx): Promise<string> {
  const { method, path } = c.req;
  const { search } = new URL(c.req.url);
  const body = sendsVideo(c.req)
    ? [c.req.header("x-file-name"), c.req.header("content-length")]
    : sha256(await c.req.text());
  return hashOf([method, path, search, body, c.req.header("if-match")]);
}

async function hashBody(body: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of body) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

function replay({ status, location, body }: NonNullable<IdempotentRequest["response"]>): Response {
  if (body === null)
    throw httpProblem(
      410,
      "deleted",
      "The first request with this Idempotency-Key succeeded, but what it created was deleted. Use another key.",
    );
  const headers = new Headers({ "Idempotent-Replayed": "true" });
  if (location !== null) headers.set("Location", location);
  if (body !== "") headers.set("Content-Type", "application/json");
  return new Response(body === "" ? null : body, { status, headers });
}

function reused() {
  return httpProblem(
    422,
    "key-reused",
    "This Idempotency-Key was used for another request. Use a new key for each request.",
  );
}
