import { setTimeout as sleep } from "node:timers/promises";
import type * as S3 from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { Failure } from "../../../core/errors.ts";
import { findPackage, installCommand } from "../../../core/find-package.ts";
import { type Destination, isPassing, SlowRequest, s3Failure } from "./s3-failure.ts";

export const S3_PACKAGE = "@aws-sdk/client-s3";

/** How requests are sent. */
export interface S3Limits {
  /** Bytes of a part of a large object, written or read. At least 5 MiB for writing, except for tests. */
  part_bytes: number;
  /** Requests at the same time. */
  most_requests: number;
  /** Parts of one object at the same time. */
  most_parts: number;
  /** Attempts for one request, and milliseconds before the second one; the pause doubles each time. */
  attempts: number;
  first_ms: number;
  longest_ms: number;
  /** Milliseconds that an attempt may take. */
  timeout_ms: number;
}

export const S3_LIMITS: S3Limits = {
  part_bytes: 8 * 1024 * 1024,
  most_requests: 16,
  most_parts: 4,
  attempts: 7,
  first_ms: 200,
  longest_ms: 10_000,
  timeout_ms: 60_000,
};

export type S3Package = typeof S3;

/** Sends requests to one bucket, repeats those that failed for a reason that passes, and limits how many run. */
export interface S3Requests {
  /** `send` may be called several times. Errors that `accepts` names are thrown as they are, others as a `Failure`. */
  send<T>(
    doing: string,
    send: (client: S3.S3Client, s3: S3Package, abort: { abortSignal: AbortSignal }) => Promise<T>,
    accepts?: (error: unknown) => boolean,
  ): Promise<T>;
  close(): void;
}

/** Throws `Failure` `package-missing` if the client of S3 is not installed. */
export function checkS3Package(shown: string): string {
  const url = findPackage(S3_PACKAGE);
  if (url !== null) return url;
  throw new Failure(
    "package-missing",
    `Cannot use ${shown}: the package ${S3_PACKAGE} is not installed. Run: ${installCommand(S3_PACKAGE)}`,
    { package: S3_PACKAGE },
  );
}

/** The package is loaded at the first request. */
export function createS3Requests(at: Destination, limits: S3Limits): S3Requests {
  const url = checkS3Package(at.shown);
  const limit = pLimit(limits.most_requests);
  let loaded: Promise<{ s3: S3Package; client: S3.S3Client }> | undefined;

  async function load() {
    const s3 = (await import(/* @vite-ignore */ url)) as S3Package;
    const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
    const client = new s3.S3Client({
      // Servers other than AWS ignore the region, but the client needs one to sign.
      ...(at.endpoint !== null && { endpoint: at.endpoint, forcePathStyle: true }),
      ...(AWS_REGION || at.endpoint === null ? {} : { region: AWS_DEFAULT_REGION || "us-east-1" }),
      // Many servers do not know the newer checksums. The SHA-256 of every blob is checked anyway.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts: 1,
    });
    return { s3, client };
  }

  async function attempt<T>(send: (abort: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const abortSignal = AbortSignal.timeout(limits.timeout_ms);
    try {
      return await send({ abortSignal });
    } catch (error) {
      throw abortSignal.aborted ? new SlowRequest() : error;
    }
  }

  return {
    send: (doing, send, accepts = () => false) =>
      limit(async () => {
        loaded ??= load();
        const { s3, client } = await loaded;
        let pause = limits.first_ms;
        for (let left = limits.attempts - 1; ; left--) {
          try {
            return await attempt((abort) => send(client, s3, abort));
          } catch (error) {
            if (accepts(error)) throw error;
            if (left === 0 || !isPassing(error)) throw s3Failure(error, at, doing);
          }
          // Spread, so that many processes do not return at the same time.
          await sleep(pause * (0.5 + Math.random() / 2));
          pause = Math.min(pause * 2, limits.longest_ms);
        }
      }),
    close() {
      void loaded?.then(({ client }) => client.destroy()).catch(() => {});
    },
  };
}
