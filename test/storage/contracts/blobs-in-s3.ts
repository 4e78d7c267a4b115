import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { sha256 } from "../../../src/core/hash.ts";
import type { BlobPlace } from "../../../src/storage/blobs/blob-place.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { tempFolder } from "../../support/temp.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const bytes = (text: string) => new TextEncoder().encode(text);

/** Requirements of any store whose blobs are in S3: two processes that use the same rows. */
export function blobsInS3Contract(
  name: string,
  open: (folder: string, blobs: BlobPlace) => Promise<Store>,
): void {
  describe(`blobs in S3: ${name}`, () => {
    let server: S3Server;
    let one: Store;
    let two: Store;
    let text: string;
    beforeAll(async () => {
      server = await startS3Server({ bucket: "films" });
    });
    afterAll(() => server.close());
    beforeEach(async () => {
      vi.stubEnv("AWS_ACCESS_KEY_ID", "ann");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
      const folder = await tempFolder();
      // Rows of an earlier test may be left.
      text = `frame of ${folder}`;
      const place = { address: "s3://films/x", endpoint: server.url };
      one = await open(folder, place);
      two = await open(folder, place);
    });
    afterEach(async () => {
      await one.close();
      await two.close();
      vi.unstubAllEnvs();
      server.reset();
    });

    /** Runs `remove`, and puts the same bytes for another video while their object is being removed. */
    async function putWhile(remove: () => Promise<unknown>): Promise<void> {
      server.fail(({ method }) => (method === "DELETE" ? { kind: "slow", ms: 60 } : undefined));
      const removing = remove();
      await expect
        .poll(() => server.seen.some(({ method }) => method === "DELETE"), { interval: 2 })
        .toBe(true);
      const { hash } = await two.blobs.put(B, bytes(text), "png");
      await removing;
      await rm(join(two.folder, "blob-cache"), { recursive: true });
      expect(new TextDecoder().decode(await two.blobs.read(hash))).toBe(text);
      expect(await two.blobs.owners(hash)).toEqual([B]);
    }

    test("bytes that another process puts while they are being forgotten stay", async () => {
      await one.blobs.put(A, bytes(text), "jpg");
      await putWhile(() => one.blobs.forget(A));
    });

    test("bytes that another process puts while they are removed as unowned stay", async () => {
      const { hash } = await one.blobs.put(A, bytes(text), "jpg");
      const left = [...server.objects];
      await one.blobs.forget(A);
      await one.blobs.put(A, bytes(`other ${text}`), "jpg");
      for (const [key, object] of left) server.objects.set(key, object);
      server.seen.length = 0;
      await putWhile(() => one.removeUnownedBlobs(Date.now() + 86_400_000, false));
      for (const video of [A, B]) await two.blobs.forget(video);
      expect(server.objects.size).toBe(0);
      await expect(one.blobs.read(hash)).rejects.toMatchObject({ kind: "not-found" });
    });

    test("a removal that fails can be repeated", async () => {
      for (const text of ["one", "two"]) await one.blobs.put(A, bytes(text), "jpg");
      server.fail(({ method }) =>
        method === "DELETE" ? { kind: "status", status: 403, code: "AccessDenied" } : undefined,
      );
      await expect(one.forget(A)).rejects.toMatchObject({ kind: "store-unreachable" });
      expect(await one.blobs.owners(sha256("one"))).toEqual([A]);
      server.fail(() => undefined);
      await two.forget(A);
      expect(server.objects.size).toBe(0);
    });
  });
}
