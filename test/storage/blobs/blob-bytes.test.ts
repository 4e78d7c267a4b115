import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sha256 } from "../../../src/core/hash.ts";
import {
  type BlobBytes,
  blobKey,
  pathOfKey,
  type StoredBytes,
} from "../../../src/storage/blobs/blob-bytes.ts";
import { blobPlace, setBlobPlace } from "../../../src/storage/blobs/blob-place.ts";
import { createFolderBytes } from "../../../src/storage/blobs/folder/folder-bytes.ts";
import { checkBlobBytes, openBlobBytes } from "../../../src/storage/blobs/open-blob-bytes.ts";
import { createS3Bytes } from "../../../src/storage/blobs/s3/s3-bytes.ts";
import { readS3Place } from "../../../src/storage/blobs/s3/s3-place.ts";
import { S3_LIMITS, type S3Limits } from "../../../src/storage/blobs/s3/s3-requests.ts";
import { type Fault, type S3Server, startS3Server } from "../../support/s3-server.ts";
import { tempFolder } from "../../support/temp.ts";

const PART = 1000;
const QUICK: S3Limits = { ...S3_LIMITS, part_bytes: PART, first_ms: 1, longest_ms: 4 };

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server({ bucket: "films", page: 3 });
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ann");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "do-not-show");
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.reset();
});

const s3 = (limits: Partial<S3Limits> = {}, address = "s3://films/study/one") =>
  createS3Bytes(readS3Place(address, server.url, {}), { ...QUICK, ...limits });

const bytesOf = (size: number, seed = 1) =>
  Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed * 17 + (i >> 8)) & 255);
const keyOf = (bytes: Uint8Array, type = "jpg") => blobKey(sha256(bytes), type);

async function listAll(place: BlobBytes): Promise<StoredBytes[]> {
  const all: StoredBytes[] = [];
  for await (const item of place.list()) all.push(item);
  return all;
}

describe.each(["folder", "S3"])("bytes in %s", (kind) => {
  let place: BlobBytes;
  beforeEach(async () => {
    place = kind === "S3" ? s3() : createFolderBytes(join(await tempFolder(), "blobs"));
  });
  afterEach(() => place.close());

  test.each([0, 1, PART - 1, PART, PART + 1, 7 * PART, 7 * PART + 3])(
    "%i bytes come back whole and in ranges",
    async (size) => {
      const bytes = bytesOf(size);
      const key = keyOf(bytes);
      expect(await place.read(key)).toBeUndefined();
      expect(await place.size(key)).toBeUndefined();
      expect(await place.readRange(key, 0, 10)).toBeUndefined();
      await place.put(key, bytes);
      await place.put(key, bytes);
      expect(Buffer.from((await place.read(key)) ?? []).equals(bytes)).toBe(true);
      expect(await place.size(key)).toBe(size);
      for (const [start, end] of [
        [0, 10],
        [PART - 5, PART + 5],
        [size, size + 5],
        [4, 4],
      ] as const)
        expect([...((await place.readRange(key, start, end)) ?? [])]).toEqual([
          ...bytes.subarray(start, end),
        ]);
      await place.remove([key, keyOf(bytesOf(3))]);
      expect(await place.read(key)).toBeUndefined();
    },
  );

  test("all keys are listed, with their sizes and times", async () => {
    const blobs = Array.from({ length: 8 }, (_, i) => bytesOf(i + 1, i));
    await Promise.all(blobs.map((bytes) => place.put(keyOf(bytes), bytes)));
    const listed = await listAll(place);
    expect(listed.map(({ key, size }) => [key, size]).sort()).toEqual(
      blobs.map((bytes) => [keyOf(bytes), bytes.byteLength]).sort(),
    );
    for (const { modified_ms } of listed)
      expect(Math.abs(modified_ms - Date.now())).toBeLessThan(60_000);
  });

  test("the check leaves nothing", async () => {
    await checkBlobBytes(place);
    expect(await listAll(place)).toEqual([]);
  });
});

test("a listing skips what is not a blob", async () => {
  const folder = await tempFolder();
  const bytes = bytesOf(5);
  const key = keyOf(bytes);
  const place = createFolderBytes(folder);
  await place.put(key, bytes);
  const others = [
    "notes.txt",
    `zz/${key}`,
    `${key.slice(0, 2)}/${key}.part`,
    `${key.slice(0, 2)}/x`,
  ];
  const remote = s3({}, "s3://films");
  await remote.put(key, bytes);
  for (const path of others) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), "x");
    server.objects.set(path, { body: Buffer.from("x"), modified: new Date(0) });
  }
  await utimes(join(folder, pathOfKey(key)), 1, 1);
  expect(await listAll(place)).toEqual([{ key, size: 5, modified_ms: 1000 }]);
  expect((await listAll(remote)).map((item) => item.key)).toEqual([key]);
});

describe("requests to S3", () => {
  test("are signed, named by prefix, and carry no checksum trailer", async () => {
    const place = s3();
    const bytes = bytesOf(10);
    const key = keyOf(bytes);
    await place.put(key, bytes);
    await place.read(key);
    const [put, get] = server.seen;
    expect(put).toMatchObject({
      method: "PUT",
      signed_by: "ann",
      key: `study/one/${pathOfKey(key)}`,
    });
    expect(put?.body.equals(bytes)).toBe(true);
    expect(put?.headers["x-amz-content-sha256"]).toBe(sha256(bytes));
    expect(get?.headers.range).toBe(`bytes=0-${PART - 1}`);
    for (const { headers } of server.seen) {
      const names = Object.keys(headers).filter((name) =>
        /trailer|checksum|content-encoding/.test(name),
      );
      expect(names.filter((name) => name !== "x-amz-checksum-mode")).toEqual([]);
      expect(JSON.stringify(headers)).not.toContain("do-not-show");
    }
    expect(server.seen).toHaveLength(2);
  });

  test("split large blobs into parts, and send no more than allowed at once", async () => {
    const place = s3({ most_parts: 2, most_requests: 5 });
    const bytes = bytesOf(6 * PART + 1);
    const key = keyOf(bytes, "mp4");
    server.fail(() => ({ kind: "slow", ms: 20 }));
    await place.put(key, bytes);
    const parts = server.seen.filter(({ query }) => query.has("partNumber"));
    expect(parts.map(({ body }) => body.length).sort((a, b) => a - b)).toEqual([
      1,
      ...Array(6).fill(PART),
    ]);
    expect(Math.max(...parts.map(({ at_once }) => at_once))).toBe(2);
    expect(server.uploads.size).toBe(0);
    server.seen.length = 0;
    expect(sha256((await place.read(key)) ?? "")).toBe(sha256(bytes));
    expect(server.seen.map(({ headers }) => headers.range).sort()).toEqual(
      Array.from(
        { length: 7 },
        (_, i) => `bytes=${i * PART}-${Math.min((i + 1) * PART, bytes.length) - 1}`,
      )
        .map((range, i) => (i === 0 ? `bytes=0-${PART - 1}` : range))
        .sort(),
    );
    expect(Math.max(...server.seen.map(({ at_once }) => at_once))).toBe(2);
    server.seen.length = 0;
    // Long enough for five requests to arrive on a busy machine.
    server.fail(() => ({ kind: "slow", ms: 50 }));
    const small = Array.from({ length: 20 }, (_, i) => bytesOf(9, i));
    await Promise.all(small.map((each) => place.put(keyOf(each), each)));
    expect(Math.max(...server.seen.map(({ at_once }) => at_once))).toBe(5);
  });

  test("unfinished uploads are found by age and ended", async () => {
    const place = s3({ attempts: 1 });
    const bytes = bytesOf(3 * PART);
    const dead: Fault = { kind: "lost", after: false };
    server.fail(({ query, method }) =>
      query.get("partNumber") === "2" || method === "DELETE" ? dead : undefined,
    );
    await expect(place.put(keyOf(bytes), bytes)).rejects.toMatchObject({
      kind: "store-unreachable",
    });
    server.fail(() => undefined);
    expect(server.uploads.size).toBe(1);
    expect(await place.size(keyOf(bytes))).toBeUndefined();
    expect(await place.removeUnfinished(Date.now() - 60_000, false)).toBe(0);
    expect(await place.removeUnfinished(Date.now() + 1, true)).toBe(1);
    expect(server.uploads.size).toBe(1);
    expect(await place.removeUnfinished(Date.now() + 1, false)).toBe(1);
    expect(server.uploads.size).toBe(0);
  });

  test("an upload of which the last reply is lost is complete", async () => {
    const place = s3();
    const bytes = bytesOf(2 * PART);
    let lost = 0;
    server.fail(({ method, query }) =>
      method === "POST" && query.has("uploadId") && lost++ === 0
        ? { kind: "lost", after: true }
        : undefined,
    );
    await place.put(keyOf(bytes), bytes);
    expect(lost).toBe(2);
    expect(await place.size(keyOf(bytes))).toBe(2 * PART);
  });

  const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    fc.constantFrom<Fault>(
      { kind: "status", status: 503, code: "SlowDown" },
      { kind: "status", status: 500, code: "InternalError" },
      { kind: "lost", after: false },
      { kind: "lost", after: true },
      { kind: "cut" },
      { kind: "slow", ms: 3 },
    ),
  );

  test("under any faults, what was acknowledged is there and equal, and nothing counts that was not", async () => {
    const operation = fc.record({
      kind: fc.constantFrom("put", "put", "read", "remove"),
      blob: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 1, maxLength: 12 }),
        fc.array(fault, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 2, max: 7 }),
        async (operations, faults, attempts) => {
          server.reset();
          const place = s3({ attempts });
          const blobs = [0, 40, PART + 1, 3 * PART].map((size, i) => bytesOf(size, i));
          /** True: present; false: missing; undefined: the last write or removal failed. */
          const state = new Map<number, boolean | undefined>();
          let next = 0;
          server.fail(() => faults[next++ % faults.length]);
          for (const { kind, blob } of operations) {
            const bytes = blobs[blob] as Uint8Array;
            const key = keyOf(bytes);
            if (kind === "read") {
              const found = await place.read(key).catch(() => null);
              if (found === null) continue;
              if (found !== undefined) expect(Buffer.compare(found, bytes)).toBe(0);
              if (state.get(blob) !== undefined) expect(found !== undefined).toBe(state.get(blob));
            } else {
              const work = kind === "put" ? place.put(key, bytes) : place.remove([key]);
              state.set(
                blob,
                await work.then(
                  () => kind === "put",
                  () => undefined,
                ),
              );
            }
          }
          server.fail(() => undefined);
          for (const [blob, present] of state) {
            const bytes = blobs[blob] as Uint8Array;
            const found = await place.read(keyOf(bytes));
            if (present !== undefined) expect(found !== undefined).toBe(present);
            if (found !== undefined) expect(Buffer.compare(found, bytes)).toBe(0);
          }
          place.close();
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("failures of S3 say what to do", () => {
  const bytes = bytesOf(4);
  const put = (place: BlobBytes) => place.put(keyOf(bytes), bytes);

  test.each([
    [
      "SlowDown",
      503,
      "store-unreachable",
      /failed \(SlowDown, status 503\).*s3:\/\/films\/study\/one/,
      3,
    ],
    [
      "AccessDenied",
      403,
      "store-unreachable",
      /refuses the credentials.*\(AccessDenied\).*delete there/,
      1,
    ],
    ["InvalidAccessKeyId", 403, "store-unreachable", /refuses the credentials/, 1],
    [
      "NoSuchBucket",
      404,
      "store-unreachable",
      /The bucket films does not exist at http.*Create it/,
      1,
    ],
    ["PermanentRedirect", 301, "store-unreachable", /Set AWS_REGION/, 1],
    ["QuotaExceeded", 507, "disk-full", /is full/, 3],
  ] as const)("%s", async (code, status, kind, message, sent) => {
    server.fail(() => ({ kind: "status", status, code }));
    const failure = await put(s3({ attempts: 3 })).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(String(failure)).not.toMatch(/do-not-show|ann\b/);
    expect(server.seen).toHaveLength(sent);
  });

  test("a bucket that is missing, and a server that does not reply or does not exist", async () => {
    await expect(put(s3({}, "s3://other"))).rejects.toMatchObject({
      kind: "store-unreachable",
      message: `The bucket other does not exist at ${server.url}. Create it, or correct --blobs or --blobs-endpoint.`,
    });
    server.fail(() => ({ kind: "slow", ms: 200 }));
    await expect(put(s3({ attempts: 2, timeout_ms: 20 }))).rejects.toMatchObject({
      kind: "store-unreachable",
      message: expect.stringContaining("no reply in time"),
    });
    const closed = readS3Place("s3://films", "http://127.0.0.1:1", {});
    await expect(put(createS3Bytes(closed, { ...QUICK, attempts: 2 }))).rejects.toMatchObject({
      kind: "store-unreachable",
      message: expect.stringMatching(/^Cannot reach http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)/),
    });
  });

  test("without credentials", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "");
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
    await expect(put(s3())).rejects.toMatchObject({
      kind: "store-unreachable",
      message: expect.stringContaining("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
    });
    expect(server.seen).toEqual([]);
  });

  test.each([
    "s3://",
    "s3://a",
    "s3://bad_bucket!/x",
    "s3://films/../x",
    "s3://key:secret@films/x",
  ])("the address %s is refused", (address) => {
    expect(() => readS3Place(address, null, {})).toThrow(/Invalid --blobs/);
    expect(() => readS3Place(address, null, {})).not.toThrow(/secret@/);
  });

  test("the endpoint is a flag or a variable of AWS, without credentials", () => {
    expect(readS3Place("s3://films/a//b/", null, {})).toEqual({
      bucket: "films",
      prefix: "a/b/",
      shown: "s3://films/a/b",
      endpoint: null,
    });
    const env = { AWS_ENDPOINT_URL_S3: "http://one:9000", AWS_ENDPOINT_URL: "http://two" };
    expect(readS3Place("s3://films", null, env).endpoint).toBe("http://one:9000");
    expect(readS3Place("s3://films", "https://three/", env).endpoint).toBe("https://three");
    for (const wrong of ["one:9000", "ftp://one", "http://u:secret@one"])
      expect(() => readS3Place("s3://films", wrong, env)).toThrow(/^Invalid --blobs-endpoint: use/);
  });
});

describe("the place of blobs", () => {
  afterEach(() => setBlobPlace({}));

  test("is that of a flag, or of the environment, or the data folder", () => {
    const env = { VIDEO_RRD_BLOBS: "s3://films/x", VIDEO_RRD_BLOBS_CACHE: "2.5" };
    expect(blobPlace({})).toBeNull();
    expect(blobPlace(env)).toEqual({ address: "s3://films/x", endpoint: null, cache_bytes: 2.5e9 });
    setBlobPlace({ blobs: "/mnt/blobs", blobsCache: "1" });
    expect(blobPlace(env)).toEqual({ address: "/mnt/blobs", endpoint: null, cache_bytes: 1e9 });
  });

  test.each([
    [{ blobsCache: "2" }, "--blobs-cache needs --blobs, for example --blobs s3://bucket/prefix"],
    [{ blobsEndpoint: "http://x" }, "--blobs-endpoint needs --blobs"],
    [
      { blobs: "s3://films", blobsCache: "many" },
      'Invalid --blobs-cache "many": use a number of GB',
    ],
    [{ blobs: "s3://films", blobsCache: "0" }, 'Invalid --blobs-cache "0": use a number of GB'],
    [{ blobs: "gs://films" }, "Invalid --blobs: use s3://bucket/prefix, or the path of a folder."],
    [{ blobs: "/x", blobsEndpoint: "http://x" }, "--blobs-endpoint is for --blobs s3://bucket"],
  ])("%j is refused", (flags, message) => {
    setBlobPlace(flags);
    const open = () => openBlobBytes(blobPlace({}) ?? { address: "" });
    expect(open).toThrow(message);
  });
});
