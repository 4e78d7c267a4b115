import type { Context } from "hono";
import { refuse } from "./problems.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sent with every response; a route may name a wider policy for its own page. */
export const SAFE_HEADERS: Record<string, string> = {
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/**
 * On loopback a request must name a loopback host: a page of another site whose name was made to point here
 * (DNS rebinding) names its own.
 */
export function checkHost(c: Context): void {
  const host = c.req.header("host") ?? "";
  const name = URL.parse(`http://${host}`)?.hostname ?? "";
  if (/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)) return;
  throw refuse(
    421,
    "wrong-host",
    "The service listens on loopback only: use localhost or 127.0.0.1 as the host name.",
  );
}

/**
 * A page of another origin may not change anything, whatever credentials its browser would send along.
 * `publicHost`: the host that a trusted proxy was asked for.
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
    throw refuse(
      403,
      "cross-origin",
      "Requests from pages of another origin are refused. Use the service's own page or a program.",
    );
}
