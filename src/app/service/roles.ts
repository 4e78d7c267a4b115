import type { Context, MiddlewareHandler } from "hono";
import { type CallerLimits, KEY_ROLES, type KeyRole } from "./options.ts";
import { httpProblem } from "./problems.ts";

/** Whether a key with the roles `own` may do what one of the roles `needed` may. `operate` includes the others. */
export function hasRole(own: readonly KeyRole[], needed: readonly KeyRole[]): boolean {
  return own.includes("operate") || needed.some((role) => own.includes(role));
}

/** The sender of a request, as far as roles and limits go. */
interface Authorised {
  name: string | null;
  roles: readonly KeyRole[];
  limits: CallerLimits;
}

/** Refuses requests of keys that have none of the roles, with a 403 problem that names them. Runs before validation. */
export function requireRole(needed: readonly KeyRole[]): MiddlewareHandler {
  return async (c: Context<{ Variables: { caller: Authorised } }>, next) => {
    const { roles, name } = c.get("caller");
    if (hasRole(roles, needed)) return next();
    const names = needed.map((role) => `\`${role}\``).join(" or ");
    throw httpProblem(
      403,
      "role-missing",
      `This needs a key with the role ${names}. The key ${name ?? "in use"} has the role ${roles.map((role) => `\`${role}\``).join(", ")}. The operator creates keys with \`video-rrd keys add NAME --role ${needed[0] ?? KEY_ROLES[0]}\`.`,
    );
  };
}

/**
 * The owner whose questions a request is about; null: all keys. Default: all for reviewers. Throws a 403 problem for all
 * without the role `review`.
 */
export function scopeOwner(
  { owner, roles }: { owner: string; roles: readonly KeyRole[] },
  scope: "own" | "all" | undefined,
): string | null {
  const all = hasRole(roles, ["review"]);
  if (scope === "all" && !all)
    throw httpProblem(
      403,
      "role-missing",
      "The answers of all keys need a key with the role `review`.",
    );
  return (scope ?? (all ? "all" : "own")) === "all" ? null : owner;
}
