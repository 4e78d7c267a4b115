import { randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { KeyRow, ServiceStore } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { createGuessLimit } from "./guess-limit.ts";
import { type Admission, type CallerLimits, type CallerRole, NO_LIMITS, ROLES } from "./options.ts";
import { refuse } from "./problems.ts";

/** Who a request is from. `owner` marks what is theirs: '' where nobody is told apart. */
export interface Caller {
  owner: string;
  /** Null where nobody is told apart. */
  name: string | null;
  limits: CallerLimits;
  role: CallerRole;
}

const Limits = z.object({
  in_flight: z.int().positive().nullable(),
  cost_a_day: z.number().nonnegative().nullable(),
  bytes: z.int().nonnegative().nullable(),
});
/** Limits and role, as a key's row has them. */
const KeyFacts = Limits.extend({ role: z.enum(ROLES).default("caller") });

const SESSION_LIFE_MS = 12 * 3_600_000;

/** Keys carry 256 random bits, so that a plain hash of one cannot be searched through. */
export function newSecret(): string {
  return `vrrd_${randomBytes(32).toString("base64url")}`;
}

/** Makes a key and returns its secret, which is kept nowhere. Throws `Failure` `wrong-usage` where the name is taken. */
export async function addKey(
  serviceStore: ServiceStore,
  name: string,
  limits: CallerLimits,
  role: CallerRole = "caller",
): Promise<string> {
  if (!/^[\w.@-]{1,64}$/.test(name))
    throw new Failure(
      "wrong-usage",
      `Expected the name of a key to be 1 to 64 letters, digits or ._@-, got ${JSON.stringify(name)}.`,
    );
  const secret = newSecret();
  const json = JSON.stringify(KeyFacts.parse({ ...limits, role }));
  await serviceStore.addKey({ name, hash: sha256(secret), created_at: Date.now(), json });
  return secret;
}

export function limitsOf(key: KeyRow): CallerLimits {
  const { role: _role, ...limits } = factsOf(key);
  return limits;
}

/** Limits and role of a key. Throws `Failure` `store-damaged`. */
export function factsOf(key: KeyRow): CallerLimits & { role: CallerRole } {
  try {
    return KeyFacts.parse(JSON.parse(key.json));
  } catch (error) {
    throw new Failure(
      "store-damaged",
      `The limits of the key ${key.name} are damaged in the store. Remove the key and add it again.`,
      { name: key.name },
      { cause: error },
    );
  }
}

/** Throws a problem 403 for a caller who is not an admin. */
export function requireAdmin({ role }: Caller): void {
  if (role !== "admin")
    throw refuse(
      403,
      "admin-only",
      "Figures and reports of all callers need an admin key: `video-rrd keys add NAME --admin`.",
    );
}

/** Tells callers apart by token or session, and slows down those who guess. A valid token is never refused. */
export function createGate(admission: Admission, serviceStore: ServiceStore) {
  /** `until` by the monotonic clock: setting the time neither ends a session nor makes one longer. */
  const sessions = new Map<string, { hash: string; until: number }>();
  const guesses = createGuessLimit();
  const ownToken = admission.by === "token" ? sha256(admission.token) : null;

  /** The caller whose secret has this hash. */
  async function known(hash: string): Promise<Caller | null> {
    if (ownToken !== null)
      return same(hash, ownToken)
        ? { owner: "", name: "token", limits: NO_LIMITS, role: "admin" }
        : null;
    const key = (await serviceStore.keys()).find((row) => same(hash, row.hash));
    if (key === undefined) return null;
    const { role, ...limits } = factsOf(key);
    return { owner: key.name, name: key.name, limits, role };
  }

  async function byToken(token: string, address: string): Promise<Caller> {
    // Before any count: a stranger behind the same proxy must not lock out those who have a key.
    const caller = await known(sha256(token));
    if (caller !== null) return caller;
    const wait_ms = await guesses.consume(address, token);
    if (wait_ms > 0) throw tooManyGuesses(wait_ms);
    throw unauthorised("token-wrong", "The token is unknown. Check it with the operator.");
  }

  async function bySession(id: string): Promise<Caller> {
    const session = sessions.get(sha256(id));
    const caller =
      session === undefined || session.until < performance.now() ? null : await known(session.hash);
    if (caller !== null) return caller;
    throw unauthorised("token-missing", "The session has ended. Enter the token again.");
  }

  return {
    /** Throws a 401 or 429 problem where a token is needed and none or a wrong one came. */
    async callerOf(given: {
      authorization: string | undefined;
      cookie: string | undefined;
      address: string;
    }): Promise<Caller> {
      if (admission.by === "nobody")
        return { owner: "", name: null, limits: NO_LIMITS, role: "admin" };
      const token = /^Bearer +(\S+)$/i.exec(given.authorization ?? "")?.[1];
      if (token !== undefined) return byToken(token, given.address);
      if (given.cookie !== undefined) return bySession(given.cookie);
      throw unauthorised(
        "token-missing",
        "A token is required: send `Authorization: Bearer TOKEN`.",
      );
    },
    /** A session for the token; its id is to be the cookie. */
    async open(token: string, address: string): Promise<{ id: string; name: string }> {
      if (admission.by === "nobody") return { id: randomBytes(32).toString("base64url"), name: "" };
      const caller = await byToken(token, address);
      const now = performance.now();
      for (const [key, { until }] of sessions) if (until < now) sessions.delete(key);
      const id = randomBytes(32).toString("base64url");
      sessions.set(sha256(id), { hash: sha256(token), until: now + SESSION_LIFE_MS });
      return { id, name: caller.name ?? "" };
    },
    close(id: string | undefined): void {
      if (id !== undefined) sessions.delete(sha256(id));
    },
    needed: admission.by !== "nobody",
  };
}

export type Gate = ReturnType<typeof createGate>;

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function unauthorised(kind: string, detail: string) {
  const headers = { "WWW-Authenticate": 'Bearer realm="video-rrd"' };
  return refuse(401, kind, detail, { headers });
}

function tooManyGuesses(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return refuse(
    429,
    "too-many-guesses",
    `Too many wrong tokens from this address. Try again in ${seconds} s.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}
