import { createHmac, timingSafeEqual } from "node:crypto";

/** The headers of a call, in lower case. */
export const WEBHOOK_HEADERS = {
  signature: "video-rrd-signature",
  delivery: "video-rrd-delivery",
  event: "video-rrd-event",
} as const;

/**
 * The signature of a body: `t=SECONDS,v1=HEX`. HEX is the HMAC-SHA256 of `SECONDS.BODY` with the secret, so that neither
 * the body nor the time can be changed.
 */
export function signWebhook(body: string, secret: string, at_ms: number = Date.now()): string {
  const seconds = Math.floor(at_ms / 1000);
  return `t=${seconds},v1=${mac(seconds, body, secret)}`;
}

/**
 * Whether a signature is of this body and secret, and at most `tolerance_s` seconds old, for the receiver of a webhook.
 *
 * @example
 * const signature = request.headers["video-rrd-signature"];
 * if (!verifyWebhook(body, signature, secret)) response.writeHead(400).end();
 */
export function verifyWebhook(
  body: string,
  signature: string,
  secret: string,
  tolerance_s = 300,
): boolean {
  const [, seconds = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (given === "" || Math.abs(Date.now() / 1000 - Number(seconds)) > tolerance_s) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(mac(Number(seconds), body, secret)));
}

function mac(seconds: number, body: string, secret: string): string {
  return createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
}
