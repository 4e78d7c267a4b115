import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
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

    test("a file with the bytes of another one that is being dropped stays", async () => {
      // Processes of one machine have a service each.
      if (one.claims === null) return;
      const file = join(one.folder, "same.srt");
      await writeFile(file, text);
      for (let round = 0; round < 8; round++) {
        const [old, next] = [`${round}.srt`, `${round + 1}.srt`];
        await one.files?.put(A, old, file);
        await Promise.all([one.files?.drop(A, old), two.files?.put(A, next, file)]);
        await rm(join(two.folder, "blob-cache"), { recursive: true, force: true });
        const path = (await two.files?.path(A, next)) ?? "";
        expect(await readFile(path, "utf8")).toBe(text);
        await two.files?.drop(A, next);
      }
    });

    test("a file of a video is read by another machine, in checked parts, and goes with its video", async () => {
      const file = join(one.folder, "film.bin");
      const film = randomBytes(9 * 2 ** 20);
      await writeFile(file, film);
      const { hash } = (await one.files?.put(A, "derived/film.bin", file)) ?? { hash: "" };
      expect(hash).toBe(sha256(film));
      await one.files?.put(A, "small.srt", file);
      await writeFile(file, "small");
      await one.files?.put(A, "small.srt", file);
      expect((await two.files?.list(A))?.map(({ name, size }) => [name, size])).toEqual([
        ["derived/film.bin", film.length],
        ["small.srt", 5],
      ]);
      expect(server.uploads.size).toBe(0);
      const range = async (first: number, last: number, store = two) => {
        const chunks: Uint8Array[] = [];
        const bytes = store.files?.read(A, "derived/film.bin", first, last) ?? [];
        for await (const chunk of bytes) chunks.push(chunk);
        return Buffer.concat(chunks);
      };
      const middle = 2 ** 23;
      for (const [first, last] of [
        [0, 0],
        [middle - 3, middle + 3],
        [middle, film.length - 1],
        [5, film.length + 99],
      ] as const)
        expect((await range(first, last)).equals(film.subarray(first, last + 1))).toBe(true);
      await rm(join(two.folder, "blob-cache"), { recursive: true });
      const copies = await Promise.all([1, 2].map(() => two.files?.path(A, "derived/film.bin")));
      expect(copies[0]).toBe(copies[1]);
      expect((await readFile(copies[0] ?? "")).equals(film)).toBe(true);
      const gets = server.seen.filter(({ key, method }) => key.includes(hash) && method === "GET");
      server.seen.length = 0;
      await two.files?.path(A, "derived/film.bin");
      expect([gets.length > 2, server.seen.length]).toEqual([true, 0]);
      expect((await two.derivedSize(A)).index).toBe(film.length);

      const object = [...server.objects].find(([key]) => key.includes(hash))?.[1];
      object?.body.writeUInt8(255 - object.body.readUInt8(middle), middle);
      expect(await range(0, 9, one)).toHaveLength(10);
      await expect(range(middle, middle + 9, one)).rejects.toMatchObject({ kind: "store-damaged" });
      await rm(join(two.folder, "blob-cache"), { recursive: true });
      await expect(two.files?.path(A, "derived/film.bin")).rejects.toMatchObject({
        kind: "store-damaged",
      });

      await two.dropDerived(A);
      expect([...server.objects].map(([, { body }]) => body.toString())).toEqual(["small"]);
      await two.forget(A);
      expect([server.objects.size, (await two.files?.list(A))?.length]).toEqual([0, 0]);
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
