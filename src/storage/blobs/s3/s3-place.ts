import { Failure, oneLine } from "../../../core/errors.ts";
import type { S3Place } from "./s3-bytes.ts";

/** Rules for names of buckets, without those that only AWS has. */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const PREFIX = /^[\w!.*'()/-]{0,200}$/;

/** Reads `s3://bucket/prefix` and the address of its server. Throws `Failure` `wrong-usage`. */
export function readS3Place(
  address: string,
  endpoint: string | null,
  env: NodeJS.ProcessEnv = process.env,
): S3Place {
  const [, bucket = "", path = ""] = /^s3:\/\/([^/]*)(?:\/(.*))?$/is.exec(address) ?? [];
  if (bucket.includes("@"))
    throw new Failure(
      "wrong-usage",
      "Invalid --blobs: it may hold no credentials. Use s3://bucket/prefix, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    );
  const parts = path.split("/").filter(Boolean);
  if (!BUCKET.test(bucket) || !PREFIX.test(path) || parts.some((part) => /^\.\.?$/.test(part)))
    throw new Failure(
      "wrong-usage",
      `Invalid --blobs ${JSON.stringify(oneLine(address, 100))}: use s3://bucket/prefix with letters, digits, "-", "_" and ".".`,
    );
  const prefix = parts.map((part) => `${part}/`).join("");
  const shown = `s3://${[bucket, ...parts].join("/")}`;
  return { bucket, prefix, shown, endpoint: readEndpoint(endpoint, env) };
}

function readEndpoint(flag: string | null, env: NodeJS.ProcessEnv): string | null {
  const variable = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"].find((name) => env[name]);
  const given = flag ?? (variable === undefined ? null : (env[variable] ?? null));
  if (given === null) return null;
  const url = URL.parse(given);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (isPlain) return url.href.replace(/\/$/, "");
  const what = flag === null ? variable : "--blobs-endpoint";
  // The value is not shown: it may hold a password.
  throw new Failure(
    "wrong-usage",
    `Invalid ${what}: use a URL without credentials that begins with http:// or https://, for example http://127.0.0.1:9000.`,
  );
}
