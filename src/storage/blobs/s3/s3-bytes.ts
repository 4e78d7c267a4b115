import { type FileHandle, open } from "node:fs/promises";
import type { CompletedPart } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { writeBytes } from "../../../core/write-bytes.ts";
import { type BlobBytes, keyOfPath, pathOfKey, type StoredBytes } from "../blob-bytes.ts";
import { type Destination, isEndedUpload, isMissing, isOutside } from "./s3-failure.ts";
import { createS3Requests, S3_LIMITS, type S3Limits } from "./s3-requests.ts";

/** A bucket and the start of the names of its objects, which is empty or ends in `/`. */
export interface S3Place extends Destination {
  prefix: string;
}

/** Bytes of blobs as objects of a bucket at AWS or any server with its interface. */
export function createS3Bytes(place: S3Place, limits: S3Limits = S3_LIMITS): BlobBytes {
  const requests = createS3Requests(place, limits);
  const { bucket: Bucket, prefix } = place;
  const at = (key: string) => ({ Bucket, Key: `${prefix}${pathOfKey(key)}` });
  const { part_bytes } = limits;

  /** The bytes of a range and of the whole object; undefined if it is missing. An empty object has no range. */
  async function readPart(key: string, start: number, end: number) {
    const get = (Range?: string) =>
      requests.send(
        `reading ${key}`,
        async (client, s3, abort) => {
          const reply = await client.send(new s3.GetObjectCommand({ ...at(key), Range }), abort);
          const bytes = (await reply.Body?.transformToByteArray()) ?? new Uint8Array();
          if (reply.ContentLength !== undefined && reply.ContentLength !== bytes.byteLength)
            throw Object.assign(new Error("cut off"), { name: "IncompleteBody" });
          const total = /\/(\d+)$/.exec(reply.ContentRange ?? "")?.[1];
          // A server without ranges sends the whole object.
          return total === undefined
            ? { bytes: bytes.subarray(start, end), total: bytes.byteLength, all: bytes }
            : { bytes, total: Number(total), all: undefined };
        },
        (error) => isMissing(error) || isOutside(error),
      );
    try {
      return await get(`bytes=${start}-${end - 1}`);
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!isOutside(error)) throw error;
      const total = await size(key);
      return total === undefined ? undefined : { bytes: new Uint8Array(), total, all: undefined };
    }
  }

  async function size(key: string): Promise<number | undefined> {
    try {
      const found = await requests.send(
        `looking up ${key}`,
        (client, s3, abort) => client.send(new s3.HeadObjectCommand(at(key)), abort),
        isMissing,
      );
      return found.ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Writes an object in parts, which `read` returns. */
  async function putParts(
    key: string,
    total: number,
    read: (start: number, end: number) => Promise<Uint8Array>,
  ): Promise<void> {
    const doing = `writing ${key}`;
    const { UploadId } = await requests.send(doing, (client, s3, abort) =>
      client.send(new s3.CreateMultipartUploadCommand(at(key)), abort),
    );
    const upload = { ...at(key), UploadId };
    try {
      const atOnce = pLimit(limits.most_parts);
      const starts = Array.from(
        { length: Math.ceil(total / part_bytes) },
        (_, index) => index * part_bytes,
      );
      const Parts = await Promise.all(
        starts.map((start, index) =>
          atOnce(async (): Promise<CompletedPart> => {
            const Body = await read(start, Math.min(start + part_bytes, total));
            const part = { ...upload, PartNumber: index + 1, Body };
            const { ETag } = await requests.send(doing, (client, s3, abort) =>
              client.send(new s3.UploadPartCommand(part), abort),
            );
            return { ETag, PartNumber: index + 1 };
          }),
        ),
      );
      await requests.send(
        doing,
        (client, s3, abort) =>
          client.send(
            new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
            abort,
          ),
        isEndedUpload,
      );
    } catch (error) {
      // The reply to an earlier attempt to complete it may have been lost.
      if (isEndedUpload(error) && (await size(key)) === total) return;
      await abortUpload(upload).catch(() => {}); // `removeUnfinished` finds it
      throw error;
    }
  }

  async function abortUpload(upload: { Bucket: string; Key?: string; UploadId?: string }) {
    const { Key, UploadId } = upload;
    await requests
      .send(
        "ending an upload",
        (client, s3, abort) =>
          client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), abort),
        isEndedUpload,
      )
      .catch((error: unknown) => {
        if (!isEndedUpload(error)) throw error;
      });
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength > part_bytes)
      return putParts(key, bytes.byteLength, async (start, end) => bytes.subarray(start, end));
    await requests.send(`writing ${key}`, (client, s3, abort) =>
      client.send(new s3.PutObjectCommand({ ...at(key), Body: bytes }), abort),
    );
  }

  /** Reads the parts of an object after the first one; false if it was removed in the meantime. */
  async function readParts(
    key: string,
    total: number,
    take: (bytes: Uint8Array, start: number) => Promise<void>,
  ): Promise<boolean> {
    const atOnce = pLimit(limits.most_parts);
    const starts: number[] = [];
    for (let start = part_bytes; start < total; start += part_bytes) starts.push(start);
    const parts = await Promise.all(
      starts.map((start) =>
        atOnce(async () => {
          const part = await readPart(key, start, Math.min(start + part_bytes, total));
          if (part !== undefined) await take(part.bytes, start);
          return part !== undefined;
        }),
      ),
    );
    return parts.every(Boolean);
  }

  return {
    shown: place.shown,
    size,
    put,
    async putFile(key, path) {
      await withFile(path, "r", async (file) => {
        const { size } = await file.stat();
        const read = (start: number, end: number) => readBytes(file, start, end);
        if (size <= part_bytes) await put(key, await read(0, size));
        else await putParts(key, size, read);
      });
    },
    async read(key) {
      const first = await readPart(key, 0, part_bytes);
      if (first === undefined) return undefined;
      if (first.all !== undefined) return first.all;
      if (first.total <= first.bytes.byteLength) return first.bytes;
      const whole = new Uint8Array(first.total);
      whole.set(first.bytes);
      const take = async (bytes: Uint8Array, start: number) => whole.set(bytes, start);
      return (await readParts(key, first.total, take)) ? whole : undefined;
    },
    async readTo(key, path) {
      const first = await readPart(key, 0, part_bytes);
      if (first === undefined) return false;
      const bytes = first.all ?? first.bytes;
      return withFile(path, "wx", async (file) => {
        const take = (bytes: Uint8Array, start: number) => writeBytes(file, bytes, start);
        await take(bytes, 0);
        const isThere =
          first.total <= bytes.byteLength || (await readParts(key, first.total, take));
        await file.sync();
        return isThere;
      });
    },
    async readRange(key, start, end) {
      if (end <= start) return (await size(key)) === undefined ? undefined : new Uint8Array();
      return (await readPart(key, start, end))?.bytes;
    },
    async remove(keys) {
      // Not `DeleteObjects`: it needs a checksum that not every server knows.
      await Promise.all(
        keys.map(async (key) => {
          try {
            await requests.send(
              `removing ${key}`,
              (client, s3, abort) => client.send(new s3.DeleteObjectCommand(at(key)), abort),
              isMissing,
            );
          } catch (error) {
            if (!isMissing(error)) throw error;
          }
        }),
      );
    },
    async *list(): AsyncGenerator<StoredBytes> {
      let ContinuationToken: string | undefined;
      do {
        const page = await requests.send("listing blobs", (client, s3, abort) =>
          client.send(
            new s3.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken }),
            abort,
          ),
        );
        for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
          const key = keyOfPath(Key.slice(prefix.length));
          // Without a time, an object counts as new.
          const modified_ms = LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
          if (key !== undefined) yield { key, size: Size, modified_ms };
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },
    async removeUnfinished(before_ms, dryRun) {
      let found = 0;
      let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
      while (marker !== undefined) {
        const from: { KeyMarker?: string; UploadIdMarker?: string } = marker;
        const page = await requests.send("listing unfinished uploads", (client, s3, abort) =>
          client.send(
            new s3.ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...from }),
            abort,
          ),
        );
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          const isOurs = keyOfPath(Key?.slice(prefix.length) ?? "") !== undefined;
          if (!isOurs || !((Initiated?.getTime() ?? Number.POSITIVE_INFINITY) < before_ms))
            continue;
          found++;
          if (!dryRun) await abortUpload({ Bucket, Key, UploadId });
        }
        marker = page.IsTruncated
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : undefined;
      }
      return found;
    },
    close: requests.close,
  };
}

async function withFile<T>(
  path: string,
  flags: "r" | "wx",
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  let count = 0;
  while (count < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, count, bytes.byteLength - count, start + count);
    if (bytesRead === 0) break;
    count += bytesRead;
  }
  return bytes.subarray(0, count);
}
