import { randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { KeyRow, ServiceStore } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import type { Sessions } from "../../core/replicas.ts";
import { createGuessLimit } from "./guess-limit.ts";
import { createLocalSessions } from "./local-sessions.ts";
import { type AuthMode, type CallerLimits, KEY_ROLES, type KeyRole, NO_LIMITS } from "./options.ts";
import { httpProblem } from "./problems.ts";

/** The authenticated sender of a request. `owner` marks their data: '' if the service does not authenticate. */
export interface Caller {
  owner: string;
  /** Null if the service does not authenticate. */
  name: string | null;
  limits: CallerLimits;
  roles: readonly KeyRole[];
}

const Limits = z.object({
  in_flight: z.int().positive().nullable(),
  cost_a_day: z.number().nonnegative().nullable(),
  bytes: z.int().nonnegative().nullable(),
});
/** Limits and roles, as the row of a key stores them. Rows of older versions have one `role`: `caller` or `admin`. */
const KeyDetails = Limits.extend({
  roles: z.array(z.enum(KEY_ROLES)).min(1).optional(),
  role: z.enum(["caller", "admin"]).default("caller"),
}).transform(({ roles, role, ...limits }) => ({
  ...limits,
  roles: roles ?? (role === "admin" ? ["operate" as const] : ["ask" as const]),
}));
type KeyDetails = CallerLimits & { roles: KeyRole[] };

const SESSION_LIFE_MS = 12 * 3_600_000;

/** A new key of 256 random bits: too many to find it from its hash, so that an unsalted hash is enough. */
export function newSecret(): string {
  return `vrrd_${randomBytes(32).toString("base64url")}`;
}

/** Adds a key and returns its secret, which is not stored. Throws `Failure` `wrong-usage` (invalid or taken name). */
export async function addKey(
  serviceStore: ServiceStore,
  name: string,
  limits: CallerLimits,
  roles: readonly KeyRole[] = ["ask"],
): Promise<string> {
  if (!/^[\w.@-]{1,64}$/.test(name))
    throw new Failure(
      "wrong-usage",
      `Invalid key name ${JSON.stringify(name)}: use 1 to 64 letters, digits or ._@-.`,
    );
  const secret = newSecret();
  const json = JSON.stringify(KeyDetails.parse({ ...limits, roles: [...new Set(roles)] }));
  await serviceStore.addKey({ name, hash: sha256(secret), created_at: Date.now(), json });
  return secret;
}

export function limitsOf(key: KeyRow): CallerLimits {
  const { roles: _roles, ...limits } = parseKey(key);
  return limits;
}

/** Limits and roles of a key. Throws `Failure` `store-damaged`. */
export function parseKey(key: KeyRow): KeyDetails {
  try {
    return KeyDetails.parse(JSON.parse(key.json));
  } catch (error) {
    throw new Failure(
      "store-damaged",
      `The stored limits of the key ${key.name} are damaged. Remove the key and add it again.`,
      { name: key.name },
      { cause: error },
    );
  }
}

/** Authenticates callers by token or session cookie, and rate-limits wrong tokens. A valid token is never refused. */
export function createAuthenticator(
  auth: AuthMode,
  serviceStore: ServiceStore,
  sessions: Sessions = createLocalSessions(),
) {
  const guesses = createGuessLimit();
  const ownToken = auth.by === "token" ? sha256(auth.token) : null;

  /** The caller whose secret has this hash, or null. */
  async function findCaller(hash: string): Promise<Caller | null> {
    if (ownToken !== null)
      return isEqual(hash, ownToken)
        ? { owner: "", name: "token", limits: NO_LIMITS, roles: ["operate"] }
        : null;
    const key = (await serviceStore.keys()).find((row) => isEqual(hash, row.hash));
    if (key === undefined) return null;
    const { roles, ...limits } = parseKey(key);
    return { owner: key.name, name: key.name, limits, roles };
  }

  async function byToken(token: string, address: string): Promise<Caller> {
    // Checked before the rate limit: a stranger behind the same proxy must not lock out callers with a key.
    const caller = await findCaller(sha256(token));
    if (caller !== null) return caller;
    const wait_ms = await guesses.consume(address, token);
    if (wait_ms > 0) throw tooManyGuesses(wait_ms);
    throw unauthorised("token-wrong", "Unknown token. Ask the operator for a valid one.");
  }

  async function bySession(id: string): Promise<Caller> {
    const hash = await sessions.tokenOf(sha256(id));
    const caller = hash === undefined ? null : await findCaller(hash);
    if (caller !== null) return caller;
    throw unauthorised("token-missing", "The session has expired. Enter the token again.");
  }

  return {
    /** The caller of a request. Throws a 401 problem (missing or wrong token) or a 429 problem (too many wrong tokens). */
    async callerOf(given: {
      authorization: string | undefined;
      cookie: string | undefined;
      address: string;
    }): Promise<Caller> {
      if (auth.by === "nobody")
        return { owner: "", name: null, limits: NO_LIMITS, roles: ["operate"] };
      const token = /^Bearer +(\S+)$/i.exec(given.authorization ?? "")?.[1];
      if (token !== undefined) return byToken(token, given.address);
      if (given.cookie !== undefined) return bySession(given.cookie);
      throw unauthorised(
        "token-missing",
        "A token is required. Send `Authorization: Bearer TOKEN`.",
      );
    },
    /** Opens a session for the token. Its id is the value of the cookie. Throws as `callerOf`. */
    async openSession(token: string, address: string): Promise<{ id: string; name: string }> {
      if (auth.by === "nobody") return { id: randomBytes(32).toString("base64url"), name: "" };
      const caller = await byToken(token, address);
      const id = randomBytes(32).toString("base64url");
      await sessions.open(sha256(id), sha256(token), SESSION_LIFE_MS);
      return { id, name: caller.name ?? "" };
    },
    async closeSession(id: string | undefined): Promise<void> {
      if (id !== undefined) await sessions.close(sha256(id));
    },
    isRequired: auth.by !== "nobody",
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function unauthorised(kind: string, detail: string) {
  const headers = { "WWW-Authenticate": 'Bearer realm="video-rrd"' };
  return httpProblem(401, kind, detail, { headers });
}

function tooManyGuesses(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return httpProblem(
    429,
    "too-many-guesses",
    `Too many wrong tokens from this address. Try again in ${seconds} s.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}
