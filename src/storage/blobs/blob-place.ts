import { Failure } from "../../core/errors.ts";

/** The environment variable with the place of blobs. */
export const BLOBS_VARIABLE = "VIDEO_RRD_BLOBS";
/** The environment variable with the size of the cache of blobs, in GB. */
export const BLOBS_CACHE_VARIABLE = "VIDEO_RRD_BLOBS_CACHE";

const CACHE_GB = 10;

/** Where the bytes of blobs are, if not in the data folder. */
export interface BlobPlace {
  /** `s3://bucket/prefix`, or a folder. */
  address: string;
  /** The server of the bucket; null: that of the environment variable `AWS_ENDPOINT_URL_S3`, or AWS. */
  endpoint?: string | null;
  /** Bytes of files that are kept in the data folder, because programs such as ffmpeg need files. Default 10 GB. */
  cache_bytes?: number;
}

/** As the flags give it. Anything missing is read from the environment. */
interface GivenPlace {
  blobs?: string;
  blobsEndpoint?: string;
  blobsCache?: string;
}

let given: GivenPlace = {};

/** Sets the place of blobs for every store that this process opens without naming one. */
export function setBlobPlace(place: GivenPlace): void {
  given = place;
}

/** The place from `--blobs` or the environment; null: the data folder. Throws `Failure` `wrong-usage`. */
export function blobPlace(env: NodeJS.ProcessEnv = process.env): BlobPlace | null {
  const address = given.blobs ?? (env[BLOBS_VARIABLE] || undefined);
  const flag = given.blobsEndpoint !== undefined ? "--blobs-endpoint" : "--blobs-cache";
  if (address === undefined) {
    if (given.blobsEndpoint === undefined && given.blobsCache === undefined) return null;
    throw new Failure(
      "wrong-usage",
      `${flag} needs --blobs, for example --blobs s3://bucket/prefix, or ${BLOBS_VARIABLE}.`,
    );
  }
  const cache = given.blobsCache ?? (env[BLOBS_CACHE_VARIABLE] || String(CACHE_GB));
  const size = Number(cache);
  if (!/^\d+(\.\d+)?$/.test(cache) || !(size > 0))
    throw new Failure(
      "wrong-usage",
      `Invalid --blobs-cache ${JSON.stringify(cache)}: use a number of GB above 0, for example ${CACHE_GB}.`,
    );
  return { address, endpoint: given.blobsEndpoint ?? null, cache_bytes: size * 1e9 };
}

/** Bytes of the cache of a place. */
export function cacheBytes({ cache_bytes }: BlobPlace): number {
  return cache_bytes ?? CACHE_GB * 1e9;
}
