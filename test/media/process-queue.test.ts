import { availableParallelism } from "node:os";
import { afterEach, expect, test } from "vitest";
import { forOwner, isMediaWorking } from "../../src/media/process-queue.ts";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";

const stop = new AbortController();
afterEach(() => stop.abort());

const PICTURES = ["-f", "lavfi", "-i", "color=size=16x16:rate=25", "-f", "null", "-"];
/** Decodes in real time, until it is stopped. */
const endless = (signal: AbortSignal) => runFfmpeg(["-re", ...PICTURES], { signal });
const short = () => runFfmpeg(["-t", "0.2", ...PICTURES]);

test("processes of one owner that never end leave places to other owners, who get theirs in turn", async () => {
  const { signal } = stop;
  const hung = forOwner("mallory", () =>
    Array.from({ length: 4 * availableParallelism() }, () => endless(signal).catch(String)),
  );
  const done: string[] = [];
  const late = forOwner("mallory", () => short().then(() => done.push("mallory"), String));
  for (const owner of ["ann", "bob", ""])
    await forOwner(owner, () => Promise.all([short(), short(), short()])).then(() =>
      done.push(owner),
    );
  expect(done).toEqual(["ann", "bob", ""]);
  stop.abort();
  await Promise.all([...hung, late]);
  expect(done.at(-1)).toBe("mallory");
});

test("media work lasts from the wait for a place to the end of the process, also of one that fails", async () => {
  await expect.poll(isMediaWorking).toBe(false);
  const ended = [short(), runFfmpeg(["-i", "nothing", "-f", "null", "-"]).catch(String)];
  expect(isMediaWorking()).toBe(true);
  await Promise.all(ended);
  expect(isMediaWorking()).toBe(false);
});
