import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { knowing, mmrData } from "../../evals/run/run-fixtures.ts";
import { runCommand } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { slideFilm } from "../../support/slide-film.ts";
import { tempFolder } from "../../support/temp.ts";

/* Commands whose frames are in S3. */

let s3: S3Server;
let model: ModelServer;
let root: string;
beforeAll(async () => {
  s3 = await startS3Server({ bucket: "films" });
  model = await startModelServer(knowing);
  root = await tempFolder();
  await slideFilm(join(root, "film.mp4"), [
    { lines: ["RIVER LEVEL", "4.2 METRES"], seconds: 3 },
    { lines: ["MEETING ROOM", "HAMBURG"], seconds: 3 },
  ]);
});
afterAll(async () => {
  await s3.close();
  await model.close();
});
beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ann");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "do-not-show");
  vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.url);
});
afterEach(() => vi.unstubAllEnvs());

const cli = (...args: string[]) => runCommand(root, args);

test("`ask` gives the same answer, and a second machine reads the frames of the first", async () => {
  const ask = (data: string, ...more: string[]) =>
    cli(
      ...["ask", "film.mp4", "Which town is the meeting room?", "--options", "Hamburg", "Lyon"],
      ...["--strategy", "extractive", "--json", "--html", `${data}.html`, "--data-dir", data],
      ...more,
    );
  const place = ["--blobs", "s3://films/study"];
  const answer = (out: string) => {
    const { answer, evidence } = JSON.parse(out);
    return { answer, evidence };
  };
  const local = await ask("local");
  const remote = await ask("one", ...place);
  expect([local.err, local.code, remote.code]).toEqual([expect.any(String), 0, 0]);
  expect(answer(local.out).answer).not.toBeNull();
  expect(answer(remote.out)).toEqual(answer(local.out));
  expect(s3.objects.size).toBeGreaterThan(0);
  expect(await readdir(join(root, "one"))).not.toContain("blobs");

  // The rows, but neither frames nor their copies.
  await mkdir(join(root, "two"));
  for (const name of await readdir(join(root, "one")))
    if (name.startsWith("store.db")) await cp(join(root, "one", name), join(root, "two", name));
  s3.seen.length = 0;
  const second = await ask("two", ...place);
  expect(answer(second.out)).toEqual(answer(local.out));
  expect(await readFile(join(root, "two.html"), "utf8")).toBe(
    await readFile(join(root, "one.html"), "utf8"),
  );
  expect(new Set(s3.seen.map(({ method }) => method))).toEqual(new Set(["GET"]));

  for (const object of s3.objects.values()) object.modified = new Date(0);
  const owned = await cli("prune", "--data-dir", "two", "--unowned-blobs", "--json", ...place);
  expect(JSON.parse(owned.out)).toMatchObject({ blobs: 0, bytes: 0, unfinished: 0 });
  await (await openStore(join(root, "three"))).close();
  const other = await cli("prune", "--data-dir", "three", "--unowned-blobs", ...place);
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^No blob in s3:\/\/films\/study belongs to this store/m),
  });
});

test("`eval` gives the same results", async () => {
  const data = await mmrData(1, 2);
  const run = async (name: string, ...more: string[]) => {
    const ended = await cli(
      ...["eval", "mmr-v", "--data", data, "--out", name, "--data-dir", `data-${name}`],
      ...["--model", "openai:scripted", "--base-url", model.url, "--strategy", "direct"],
      ...["--frames", "2", "--max-side", "64", ...more],
    );
    expect(ended).toMatchObject({ code: 0 });
    for (const file of await readdir(join(root, name)))
      expect(await readFile(join(root, name, file), "utf8")).not.toMatch(/do-not-show|s3:/);
    const lines = (await openRunLog(join(root, name)).read()).samples as RunLine[];
    // They were written in the order in which they ended.
    return lines
      .map(({ sample, reply, answer, scores }) => ({ sample, reply, answer, scores }))
      .sort((a, b) => (a.sample < b.sample ? -1 : 1));
  };
  const local = await run("in-folder");
  const sent = model.chats().map(({ hash }) => hash);
  model.reset();
  model.answer(knowing);
  s3.seen.length = 0;
  expect(await run("in-bucket", "--blobs", "s3://films/eval")).toEqual(local);
  expect(
    model
      .chats()
      .map(({ hash }) => hash)
      .sort(),
  ).toEqual(sent.sort());
  expect(s3.seen.filter(({ method }) => method === "PUT").length).toBeGreaterThan(1);
});

test("`doctor` writes and reads a blob", async () => {
  const { out } = await cli("doctor", "--json", "--blobs", "s3://films/x");
  expect(JSON.parse(out)).toContainEqual({
    what: "blobs",
    state: "ok",
    found: "can be written and read in s3://films/x",
  });
});
