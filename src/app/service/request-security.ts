import type { Context } from "hono";
import { httpProblem } from "./problems.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Headers of every response. A route may set a wider policy for its own page. */
export const SECURITY_HEADERS: Record<string, string> = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/**
 * Checks that a request to a loopback address names a loopback host. In a DNS rebinding attack, it names the host of the
 * attacker's page. Throws a 421 problem.
 */
export function checkHost(c: Context): void {
  const host = c.req.header("host") ?? "";
  const name = URL.parse(`http://${host}`)?.hostname ?? "";
  if (/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)) return;
  throw httpProblem(
    421,
    "wrong-host",
    "Invalid Host header: the service listens on loopback, so use localhost or 127.0.0.1.",
  );
}

/**
 * Refuses writes from pages of another origin (CSRF), whatever credentials the browser sends. Throws a 403 problem.
 *
 * @param publicHost The host in the request to a trusted proxy, or null.
 */
export function checkOrigin(c: Context, publicHost: string | null): void {
  if (READS.has(c.req.method)) return;
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  const host = publicHost ?? c.req.header("host");
  const foreign =
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && URL.parse(origin)?.host !== host);
  if (foreign)
    throw httpProblem(
      403,
      "cross-origin",
      "Cross-origin requests cannot change anything. Use the page of the service or a program.",
    );
}
