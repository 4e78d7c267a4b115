import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { benchmarkNamed } from "../../../../evals/benchmarks/define-benchmark.ts";
import type { BenchmarkData } from "../../../../evals/benchmarks/sample.ts";
import { evalDemo } from "../../../../evals/datasets/demo/eval-demo.ts";
import { lessons } from "../../../../evals/datasets/demo/lessons.ts";
import { type DemoSets, makeDemoSets } from "../../../../evals/datasets/demo/make-sets.ts";
import { stories } from "../../../../evals/datasets/demo/stories.ts";
import { testEvidence } from "../../../../evals/evidence-test/evidence-test.ts";
import { startRun } from "../../../../evals/run/run.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { scoreResults } from "../../../../evals/score/score-run.ts";
import type { Store } from "../../../../src/core/contracts.ts";
import { compose } from "../../../../src/media/compose.ts";
import { inspect } from "../../../../src/media/probe.ts";
import { readSound } from "../../../../src/media/read-sound.ts";
import { inputArgs, runFfmpeg } from "../../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { readSubtitles } from "../../../../tools/speech/subtitles.ts";
import { closeOcr } from "../../../../tools/text/ocr.ts";
import { readText } from "../../../../tools/text/read-text.ts";
import { findTitleCards } from "../../../../tools/video/title-cards.ts";
import { openVideo } from "../../../../tools/video/video.ts";
import { expectRecomputed } from "../../../support/recomputed-report.ts";
import { tempFolder } from "../../../support/temp.ts";

const WAV_HEADER = 44;
const EQUATION = 6;
const COUNTING = 10;
/** A seed with a counting lesson that needs the sound. */
const SEED = Array.from({ length: 50 }, (_, seed) => seed).find((seed) =>
  lessons(seed)[COUNTING]?.question.includes("bell"),
) as number;

let folder: string;
let sets: DemoSets;
let store: Store;
const work = () => ({ store, run: "test" });

beforeAll(async () => {
  folder = await tempFolder();
  sets = await makeDemoSets(join(folder, "data"), SEED);
  store = await openStore(join(folder, "store"));
});

afterAll(async () => {
  await closeOcr();
  await store.close();
});

const inside = ([from, to]: [number, number], start_s: number, end_s: number) =>
  start_s >= from - 0.001 && end_s <= to + 0.001;

describe("the loaders read them without notes", () => {
  const tidy = ({ samples, notes, packed }: BenchmarkData, count: number) => {
    expect(notes).toEqual([]);
    expect(packed).toBeNull();
    expect(samples).toHaveLength(count);
    expect(samples.every((sample) => sample.hasVideo)).toBe(true);
    return samples;
  };

  test("vcrbench", async () => {
    const samples = tidy(await benchmarkNamed("vcrbench").load(sets.vcrbench), 12);
    expect(new Set(samples.map((sample) => sample.goal)).size).toBe(12);
    for (const { steps, answer } of samples) expect(steps).toHaveLength(answer.length);
  });

  test("mmr-v", async () => {
    const benchmark = benchmarkNamed("mmr-v");
    const samples = tidy(await benchmark.load(sets["mmr-v"]), 12);
    expect(new Set(samples.map((sample) => benchmark.groups(sample).l2)).size).toBe(10);
    expect(samples.every((sample) => benchmark.groups(sample).reasoning !== undefined)).toBe(true);
    for (const { options, evidence_s } of samples) {
      expect(options.length).toBeGreaterThanOrEqual(7);
      expect(options.length).toBeLessThanOrEqual(12);
      expect(evidence_s?.length).toBeGreaterThanOrEqual(1);
    }
  });

  test("videomathqa", async () => {
    const benchmark = benchmarkNamed("videomathqa");
    const samples = tidy(await benchmark.load(sets.videomathqa), 12);
    const groups = samples.map((sample) => benchmark.groups(sample));
    expect(new Set(groups.map((group) => group.category)).size).toBe(10);
    expect(new Set(groups.map((group) => group.length))).toEqual(new Set(["short", "medium"]));
    for (const { options, steps, subtitles, evidence_s } of samples) {
      expect(options).toHaveLength(5);
      expect([4, 5, 6]).toContain(steps?.length);
      expect(subtitles).toMatch(/^subtitles\/lesson_\d+\.srt$/);
      expect(evidence_s?.every(([start, end]) => end > start)).toBe(true);
    }
    const pairs = tidy(
      await benchmark.load(sets.videomathqa, { config: "multi_binary" }),
      4 * samples.length,
    );
    for (const [place, { options, answer }] of pairs.entries()) {
      const of = samples[Math.floor(place / 4)];
      const right = options.find((option) => option.letter === answer)?.text;
      expect(right).toBe(of?.options.find((option) => option.letter === of.answer)?.text);
    }
  });
});

test("title cards are found at the clip times of the data", async () => {
  const { samples } = await benchmarkNamed("vcrbench").load(sets.vcrbench);
  for (const { video, row } of samples.slice(0, 2)) {
    const opened = await openVideo(join(sets.vcrbench, video), work());
    const { cards, clips, notes } = await findTitleCards(opened, work());
    expect(notes).toEqual([]);
    const spans = row.evidence_s as [number, number][];
    expect(cards.map((card) => card.number)).toEqual(spans.map((_, place) => place + 1));
    for (const [place, { start_s, end_s }] of clips.entries()) {
      expect(start_s).toBeCloseTo(spans[place]?.[0] ?? -1, 2);
      expect(end_s).toBeCloseTo(spans[place]?.[1] ?? -1, 2);
    }
  }
});

test("the result of a lesson is in its subtitle file, in a span of evidence", async () => {
  const told = lessons(SEED).findIndex((lesson) => lesson.ending === "said");
  const { samples } = await benchmarkNamed("videomathqa").load(sets.videomathqa);
  const sample = samples[told];
  const opened = await openVideo(join(sets.videomathqa, sample?.video ?? ""), work());
  const { cues, source } = await readSubtitles(opened, {}, work());
  expect(source?.kind).toBe("sidecar");
  const cue = cues.find((item) => item.text === lessons(SEED)[told]?.content.result);
  const last = sample?.evidence_s?.at(-1) ?? [0, 0];
  expect(cue !== undefined && inside(last, cue.start_s, cue.end_s)).toBe(true);
});

test("the clue of a story is in its subtitle stream, in a span of evidence", async () => {
  const { samples } = await benchmarkNamed("mmr-v").load(sets["mmr-v"]);
  const sample = samples.find(({ question }) => question.includes("stand for"));
  const opened = await openVideo(join(sets["mmr-v"], sample?.video ?? ""), work());
  const { cues } = await readSubtitles(opened, {}, work());
  const right = sample?.options.find((option) => option.letter === sample.answer)?.text ?? "";
  const meaning = right.replace("For ", "");
  const cue = cues.find((item) => item.text.includes(meaning));
  expect(sample?.evidence_s?.some((span) => cue && inside(span, cue.start_s, cue.end_s))).toBe(
    true,
  );
});

test("an answer from a story's speech depends on its citation, which is at the time of the data", async () => {
  const run = join(folder, "run");
  const settings = { strategy: "extractive", recognition: { ocr: "off" } };
  const input = { benchmark: "mmr-v", data: sets["mmr-v"], ...settings };
  await startRun(input, run, { store });
  await testEvidence(run, {}, { store });
  const { evidence_test } = scoreResults(await readResults(run));
  expect(evidence_test?.tested).toBeGreaterThanOrEqual(2);
  expect(evidence_test).toMatchObject({
    failed: 0,
    stability: { mean: 1 },
    sufficiency: { mean: 1 },
    necessity: { mean: 1 },
    overlap: { precision: { mean: 1 } },
  });
  expect(evidence_test?.overlap?.iou?.mean).toBeGreaterThan(0.4);
});

test("an equation can be read from the board while it is shown", async () => {
  const lesson = lessons(SEED)[EQUATION];
  const opened = await openVideo(
    join(sets.videomathqa, `videos/lesson_${EQUATION + 1}.mp4`),
    work(),
  );
  const evidence = await readText(opened, {}, work());
  const equation = /equation: (.*)\.$/.exec(lesson?.content.steps[0] ?? "")?.[1];
  const found = evidence.find((item) => item.kind === "equation" && item.text === equation);
  const [start, end] = lesson?.film.evidence_s[0] ?? [0, 0];
  expect(found?.start_s).toBeCloseTo(start, 1);
  expect(found?.end_s).toBeCloseTo(start + 10, 1);
  expect(end).toBeGreaterThanOrEqual(start + 10);
});

test("a bell rings as often as the answer says", async () => {
  const path = join(sets.videomathqa, `videos/lesson_${COUNTING + 1}.mp4`);
  const { probe } = await inspect(path);
  const stream = probe.audio[0]?.index ?? -1;
  const { bytes } = await readSound(path, probe, { stream, from_s: 0, to_s: probe.duration_s });
  const samples = new Int16Array(new Uint8Array(bytes).slice(WAV_HEADER).buffer);
  // A tenth of a second at 16,000 samples.
  const tenth = 1600;
  const loud = Array.from({ length: Math.floor(samples.length / tenth) }, (_, i) =>
    samples.subarray(i * tenth, (i + 1) * tenth).some((value) => Math.abs(value) > 2000),
  );
  const rings = loud.filter((now, i) => now && loud[i - 1] !== true).length;
  const { options, right } = lessons(SEED)[COUNTING] ?? { options: [], right: 0 };
  expect(`${rings} times`).toBe(options[right]);
});

test("a second call makes only what is missing or would be drawn differently", async () => {
  const story = (place: number) => join(sets["mmr-v"], "videos", `story_${place}.mp4`);
  const lost = join(sets.vcrbench, "videos", "video_1.mp4");
  const [kept, other] = [await stat(story(1)), await stat(story(2))];
  await rm(lost);
  await writeFile(join(sets["mmr-v"], ".making", "story_2.mp4.drawn"), "of another drawing");
  const seen: number[] = [];
  await makeDemoSets(join(folder, "data"), SEED, { progress: (done) => seen.push(done) });
  expect(seen.at(-1)).toBe(36);
  expect((await stat(story(1))).mtimeMs).toBe(kept.mtimeMs);
  expect((await stat(story(2))).mtimeMs).toBeGreaterThan(other.mtimeMs);
  expect((await stat(lost)).size).toBeGreaterThan(0);
});

test("cancelling is reported as `cancelled`", async () => {
  const making = makeDemoSets(join(folder, "other"), SEED, { signal: AbortSignal.abort() });
  await expect(making).rejects.toMatchObject({ kind: "cancelled" });
});

test("the same seed gives the same frames", async () => {
  const [story] = stories(SEED);
  const again = join(folder, "again.mp4");
  await compose(story?.film.spec as NonNullable<typeof story>["film"]["spec"], again);
  const frames = async (path: string) =>
    (await runFfmpeg([...inputArgs(path), "-map", "0:v", "-f", "md5", "pipe:1"])).stdout.toString();
  expect(await frames(again)).toBe(await frames(join(sets["mmr-v"], "videos", "story_1.mp4")));
});

test("every number in the demo's report is recomputed from its runs by a script in Python", async () => {
  const runs = await evalDemo(folder, SEED);
  await expectRecomputed(runs.map((run) => run.folder));
}, 400_000);
