import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type RunEnd, resumeRun, startRun } from "../../../evals/run/run.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import type { RunProgress } from "../../../evals/run/run-progress.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { Failure } from "../../../src/core/errors.ts";
import { createModels } from "../../../src/models/models.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, letterIn, mmrData, refusal, settingsFor } from "./run-fixtures.ts";

let server: ModelServer;
let data: string;
let folder: string;
let store: Store;

beforeAll(async () => {
  server = await startModelServer(knowing);
  data = await mmrData(3, 4);
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  server.answer(knowing);
  const root = await tempFolder();
  folder = join(root, "run");
  store = await openStore(join(root, "store"));
});
afterEach(() => store.close());

function input(more: object = {}) {
  return { benchmark: "mmr-v", data, ...settingsFor(server.url, store.folder), ...more };
}

const start = (more: object = {}): Promise<RunEnd> => startRun(input(more), folder, { store });
const resume = () => resumeRun(folder, {}, { store });
const lines = async () => (await openRunLog(folder).read()).samples as RunLine[];

test("a run stores replies, answers, shown evidence and usage", async () => {
  const seen: RunProgress[] = [];
  const { header, progress, samples } = await startRun(input(), folder, {
    store,
    onProgress: (progress) => seen.push(progress),
  });
  expect(header).toMatchObject({
    status: "finished",
    benchmark: "mmr-v",
    epochs: 1,
    protocol: null,
    selection: { asked: 12, skipped: [] },
    data: { samples: 12, subset: "mcq" },
  });
  expect(header.versions.node).toBe(process.versions.node);
  expect(Object.keys(header.prompts)).toContain("mmr-v/direct");
  expect(await openRunLog(folder).readHeader()).toEqual(header);
  // Scored with its samples in memory, a run has the results that a later command reads from its folder.
  expect(samples).toHaveLength(12);
  expect(await readResults(folder, { samples })).toEqual(await readResults(folder));
  expect(progress).toMatchObject({
    total: 12,
    done: 12,
    fresh: 12,
    errors: 0,
    right: 12,
    calls: 12,
  });
  expect(seen.map(({ done }) => done)).toEqual(Array.from({ length: 13 }, (_, n) => n));
  const [line] = await lines();
  expect(line).toMatchObject({
    epoch: 1,
    attempt: 0,
    status: "answered",
    reply_by: "model",
    usage: { calls: 1, frames: 2 },
  });
  expect(line?.reply).toMatch(/^So it is \[\[[ABC]\]\]\.$/);
  expect(line?.scores.official).toMatchObject({ value: 1 });
  expect(line?.scores.sound).toMatchObject({ value: 1 });
  expect(line?.frames_s).toEqual([0, 0.9]);
  expect(line?.cites).toHaveLength(2);
  expect(line?.calls).toMatchObject([{ stage: "ask", finish: "stop", cached: false, frames: 2 }]);
  expect(line).not.toHaveProperty("error");
  expect(server.chats()).toHaveLength(12);
});

test("an equal second run is answered from the memo and costs nothing", async () => {
  await start();
  folder = `${folder}-again`;
  const { progress } = await start();
  expect(progress).toMatchObject({ done: 12, right: 12, calls: 12 });
  expect(server.chats()).toHaveLength(12);
  expect((await lines()).every((line) => line.calls.every((call) => call.cached))).toBe(true);
});

test("a failure of one sample stops no other and is retried on resume; good results stay", async () => {
  server.answer((request) =>
    request.texts.join().includes("Which of 5?") ? { status: 400, text: "no" } : knowing(request),
  );
  const { progress, header } = await start();
  expect(header.status).toBe("finished");
  expect(progress).toMatchObject({ done: 11, errors: 1 });
  const failed = (await lines()).find((line) => line.error !== undefined);
  expect(failed).toMatchObject({
    status: "error",
    reply: null,
    error: { kind: "model-rejected" },
    scores: { official: { value: null } },
  });
  const score = scoreResults(await readResults(folder));
  expect(score.all).toMatchObject({ right: 11, all: 12, answered: 11, unscored: 1 });
  expect(score.all.accuracyAnswered).toBe(1);
  expect(score.failures).toMatchObject([{ what: "model-rejected", count: 1 }]);
  server.answer(knowing);
  const before = server.chats().length;
  const again = await resume();
  expect(again.progress).toMatchObject({ done: 12, fresh: 1, errors: 0 });
  expect(server.chats()).toHaveLength(before + 1);
  expect((await resume()).progress).toMatchObject({ done: 12, fresh: 0 });
  expect((await lines()).find((line) => line.sample === failed?.sample)?.attempt).toBe(1);
});

test("an error from empty replies, which are billed and stored, is asked again on resume", async () => {
  server.answer(() => ({ empty: true, reasoning: "Perhaps A." }));
  const patience = { retries: 1, pause: 1, longestPause: 1, longestRetryAfter: 1 };
  const { progress } = await startRun(input({ limit: 1 }), folder, {
    store,
    createModels: (options) => createModels({ ...options, patience }),
  });
  expect(progress).toMatchObject({ done: 0, errors: 1 });
  expect((await lines())[0]?.error?.message).toBe(
    "The reply of the model has reasoning but no text.",
  );
  server.answer(knowing);
  expect((await resume()).progress).toMatchObject({ done: 1, errors: 0, right: 1 });
});

test("--fail-on-error stops with a sentence, keeps everything billed, and resumes", async () => {
  server.answer(() => ({ status: 400, text: "no" }));
  const failure = await refusal(start({ fail_on_error: 3, max_samples: 1 }));
  expect(failure.kind).toBe("limit-met");
  expect(failure.message).toBe(
    `Stopped after 3 failed samples (--fail-on-error 3): fix the cause and continue with \`eval --resume ${folder}\`.`,
  );
  expect(await lines()).toHaveLength(3);
  expect((await openRunLog(folder).readHeader()).status).toBe("stopped");
  server.answer(knowing);
  expect((await resume()).progress).toMatchObject({ done: 12, errors: 0 });
});

test("a cancelled run stops soon and resumes", async () => {
  const stop = new AbortController();
  server.answer(async (request) => {
    if (server.chats().length === 6) stop.abort();
    return { text: await knowing(request), delay_ms: 20 } as { text: string };
  });
  const failure = await refusal(startRun(input(), folder, { store, signal: stop.signal }));
  expect(failure.kind).toBe("cancelled");
  expect((await openRunLog(folder).readHeader()).status).toBe("stopped");
  const kept = await lines();
  expect(kept.every((line) => line.error === undefined)).toBe(true);
  const { progress } = await resume();
  expect(progress).toMatchObject({ done: 12, right: 12, fresh: 12 - kept.length });
  // Four connections: only calls in flight are sent twice.
  expect(server.chats().length).toBeLessThanOrEqual(12 + 4);
});

test("a failure that affects every sample stops the run with its sentence; the run resumes once it is fixed", async () => {
  const failing = await refusal(
    startRun(input(), folder, {
      store,
      createModels: () => ({
        foresee: async () => ({ calls: 1, frames: 0, tokens: 0, cost: 0 }),
        nameOf: () => null,
        call: () => Promise.reject(new Failure("missing-key", "Expected a key.")),
      }),
    }),
  );
  expect(failing).toMatchObject({ kind: "missing-key", message: "Expected a key." });
  expect(await openRunLog(folder).readHeader()).toMatchObject({
    status: "failed",
    ended_by: "Expected a key.",
  });
  expect(await lines()).toEqual([]);
  expect((await resume()).progress).toMatchObject({ done: 12, errors: 0 });
});

test("a model without a name or key is refused before a folder is created", async () => {
  expect((await refusal(start({ model: "openai-typo:x" }))).kind).toBe("unknown-model");
  expect((await refusal(start({ model: null }))).message).toContain("No model configured for the");
  await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a run without any of its videos is refused before a folder is created", async () => {
  const own = await mmrData(2, 2);
  for (const video of ["v0.mp4", "v1.mp4"]) await rm(join(own, "videos", video), { force: true });
  const { kind, message } = await refusal(start({ data: own }));
  expect({ kind, message }).toEqual({
    kind: "not-found",
    message: `Cannot find a video of any of the 4 selected samples, such as videos/v0.mp4 in ${own}: put the videos there, or give their folder with --data or --videos.`,
  });
  await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a missing video is a named error of its samples, or they are left out with a note", async () => {
  const own = await mmrData(2, 2);
  await rm(join(own, "videos", "v1.mp4"));
  const { progress } = await start({ data: own });
  expect(progress).toMatchObject({ done: 2, errors: 2 });
  const failed = (await lines()).filter((line) => line.error !== undefined);
  expect(failed[0]?.error).toMatchObject({ kind: "not-found" });
  expect(failed[0]?.error?.message).toContain("Cannot find the video videos/v1.mp4 of sample");
  folder = `${folder}-skipped`;
  const skipped = await start({ data: own, skip_missing: true });
  expect(skipped.progress).toMatchObject({ total: 2, done: 2, errors: 0 });
  expect(scoreResults(await readResults(folder))).toMatchObject({ skipped: 2, all: { all: 2 } });
});

test("a file that is not a video is an error of only its samples", async () => {
  const own = await mmrData(2, 1);
  await writeFile(join(own, "videos", "v0.mp4"), "not a video");
  expect((await start({ data: own })).progress).toMatchObject({ done: 1, errors: 1 });
});

test("packed videos are reported before anything is asked", async () => {
  const own = await mmrData(1, 1);
  await rm(join(own, "videos"), { recursive: true });
  await writeFile(join(own, "videos.tar.part.aa"), "x");
  const failure = await refusal(start({ data: own }));
  expect(failure.message).toContain("cat videos.tar.part.* | tar -x");
});

test("epochs are asked separately and scored together", async () => {
  let asked = 0;
  server.answer((request) => {
    const letter = letterIn(request.texts);
    return asked++ % 3 === 2 ? "[[L]]" : `[[${letter}]]`;
  });
  const { progress } = await start({ epochs: 3, limit: 2, max_samples: 1 });
  expect(progress).toMatchObject({ total: 6, done: 6 });
  const score = scoreResults(await readResults(folder));
  expect(score.all.all).toBe(6);
  expect(score.all.ofAll).toMatchObject({ n: 2 });
  expect(score.over_epochs).toMatchObject({ epochs: 3, majority: { mean: 1, n: 2 } });
  expect(score.over_epochs?.pass_at[0]?.mean).toBeCloseTo(2 / 3);
  expect(score.over_epochs?.pass_at[2]?.mean).toBe(1);
  expect(server.chats()).toHaveLength(6);
});

test("a half-written last line loses only that sample", async () => {
  await start();
  const file = join(folder, "samples.jsonl");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.slice(0, -40));
  expect((await readResults(folder)).said).toHaveLength(11);
  const { progress } = await resume();
  expect(progress).toMatchObject({ done: 12, fresh: 1 });
  expect((await readFile(file, "utf8")).trimEnd().split("\n")).toHaveLength(12);
  expect(server.chats()).toHaveLength(12);
});

test("a line that is not one of our results is refused, and not lost", async () => {
  await start({ limit: 2 });
  const file = join(folder, "samples.jsonl");
  await appendFile(file, `{"sample":"x","epoch":1}\n`);
  for (const work of [resume, () => readResults(folder)]) {
    const failure = await refusal(work());
    expect(failure.kind).toBe("data-malformed");
    expect(failure.message).toContain("samples.jsonl");
  }
});

test("two processes cannot use one run, and a folder contains one run", async () => {
  await start({ limit: 1 });
  const second = await refusal(start({ limit: 1 }));
  expect(second.message).toContain(
    "already holds a run (finished). Continue it with `eval --resume",
  );
  const held = await openRunLog(folder).lock();
  const busy = await refusal(resume());
  expect(busy.kind).toBe("store-busy");
  expect(busy.message).toContain(`is in use by process ${process.pid}`);
  await held.release();
  await resume();
});

test("a run of a newer version, or a folder without a run, is refused by name", async () => {
  await start({ limit: 1 });
  const log = openRunLog(folder);
  await log.writeHeader({ ...(await log.readHeader()), format: 99 });
  for (const work of [resume, () => readResults(folder)]) {
    const failure = await refusal(work());
    expect(failure.kind).toBe("store-format");
    expect(failure.message).toContain("a newer version of video-rrd wrote it (format 99");
  }
  const none = await refusal(resumeRun(join(folder, "none"), {}, { store }));
  expect(none).toMatchObject({ kind: "not-found" });
});

test("a run resumes with the data and prompts that it began with, from any place", async () => {
  const own = await mmrData(2, 1);
  await start({ data: own, limit: 1 });
  const moved = `${own}-moved`;
  await rename(own, moved);
  expect((await refusal(resume())).kind).toBe("not-found");
  await resumeRun(folder, { data: moved }, { store });
  const changed = (await readFile(join(moved, "MMR-V.json"), "utf8")).replace("two", "zwei");
  await writeFile(join(moved, "MMR-V.json"), changed);
  const failure = await refusal(resume());
  expect(failure.kind).toBe("data-malformed");
  expect(failure.message).toContain("MMR-V.json has changed since the run started");
  await rm(moved, { recursive: true });
});

test("a run keeps whole paths, so that it can be resumed from another folder", async () => {
  const root = await tempFolder();
  const near = (name: string) => relative(process.cwd(), join(root, name));
  await mkdir(near("tessdata"));
  const { recognition, ...rest } = input();
  const { header } = await start({
    ...{ ...rest, strategy: "rrd", data: relative(process.cwd(), data), limit: 1 },
    recognition: { ...recognition, ocr_data: near("tessdata") },
    runtime: { ...rest.runtime, data: near("other-store") },
  });
  expect(header.settings).toMatchObject({
    recognition: { ocr_data: join(root, "tessdata") },
    runtime: { data: join(root, "other-store") },
  });
  expect(header.data).toMatchObject({ folder: data });
});

test("a run resumes with the defaults that it began with, and one without them uses the current ones", async () => {
  server.answer(() => ({ status: 400, text: "no" }));
  const { header } = await start({ limit: 2 });
  const defaults = {
    choice: {
      "recognition.ocr": "off",
      "recognition.subtitles": "off",
      "recognition.input": "whole-video",
      "recognition.message_order": "text-first",
    },
  };
  expect(header.defaults).toEqual(defaults);
  server.reset();
  server.answer(knowing);
  const log = openRunLog(folder);
  const askedAgain = async (kept: object | undefined) => {
    const { samples } = await log.read();
    const failed = samples.map((line) => ({
      ...line,
      attempt: Number(line.attempt) + 1,
      error: { kind: "model-rejected", message: "" },
    }));
    const text = failed.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(join(folder, "samples.jsonl"), text);
    await log.writeHeader({ ...(await log.readHeader()), defaults: kept });
    expect((await resume()).progress.done).toBe(2);
    const [sent] = server.chats();
    server.reset();
    return { words: sent?.texts.join("\n"), first: sent?.parts[0]?.type };
  };
  // As if the defaults had been different when the run began.
  const byPart = { choice: { ...defaults.choice, "recognition.input": "clip" } };
  expect((await askedAgain(byPart)).words).toContain("Part 1 (");
  const reversed = { choice: { ...defaults.choice, "recognition.message_order": "media-first" } };
  expect((await askedAgain(reversed)).first).toBe("image");
  // Runs of an earlier version stored only the strategy's own defaults, or none.
  const { "recognition.message_order": _, ...older } = defaults.choice;
  const current = await askedAgain({ choice: older });
  expect(current.first).toBe("text");
  expect(current.words).not.toContain("Part 1 (");
  // The requests are the same, and their replies are stored.
  expect((await askedAgain(undefined)).words).toBeUndefined();
});

test("data of another benchmark is refused with what was found", async () => {
  const failure = await refusal(start({ benchmark: "vcrbench" }));
  expect(failure.kind).toBe("data-malformed");
  expect(failure.message).toContain("No VCRBench rows with the columns qid, goal");
});
