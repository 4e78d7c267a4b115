import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { scoreExtraction, scoreReply } from "../../../../evals/benchmarks/score-reply.ts";
import { denominators, unscored } from "../../../../evals/benchmarks/scored-reply.ts";
import { orderTau, vcrbench } from "../../../../evals/benchmarks/vcrbench/benchmark.ts";
import { officialOrder } from "../../../../evals/benchmarks/vcrbench/read-order.ts";
import { readResponses } from "../../../../evals/score/responses.ts";
import { soundOrder } from "../../../../graphs/replies/order/sound-order.ts";
import { describeShared, sharedFile } from "../../../support/shared.ts";
import { dataFolder } from "../fixtures.ts";

const none = null;

describe("the released parser", () => {
  test.each([
    // The first piece that is a permutation counts, also when it only repeats the question.
    ["Clip 1, Clip 2, Clip 3 are shuffled. Correct order: 3, 2, 1", [1, 2, 3]],
    ["2 -> 1 -> 3", none],
    ["3,1,2 (3 clips)", [3, 1, 2]],
    ["Correct order: Clip 2, Clip 3, Clip 1", [2, 3, 1]],
    ["The order\nis this:\n3, 2, 1", [3, 2, 1]],
    // `*` goes before anything else is looked at.
    ["**3**,** 1**, **2**", [3, 1, 2]],
    ["3*1, 1, 2", none],
    ["I see 2 clips.* 3, 1, 2*", [3, 1, 2]],
    // Cut after each sentence mark that white space follows ...
    ["I see 2 clips. 3, 1, 2", [3, 1, 2]],
    ["There are 2 clips! 3, 1, 2", [3, 1, 2]],
    ["Only 2 clips? 3, 1, 2", [3, 1, 2]],
    // ... and nowhere else.
    ["There are 2 clips: 3, 1, 2", none],
    ["Step 1.5, 3, 2", [1, 3, 2]],
    ["3 clips.2, 1, 3", none],
    // Line ends cut as well.
    ["2 clips\n3, 1, 2", [3, 1, 2]],
    ["3,\n1, 2", none],
    // Only the first integer of a field, and fields without one are skipped.
    ["Clip 3 of 3, Clip 1 of 3, Clip 2 of 3", [3, 1, 2]],
    ["first 3, then, 1, and so, 2", [3, 1, 2]],
    ["3 1 2", none],
    // Anything other than a permutation of 1..n is not an order.
    ["3, 1", none],
    ["3, 1, 2, 2", none],
    ["1, 1, 2", none],
    ["0, 1, 2", none],
    ["2, 3, 4", none],
    ["1, 2, 3, 4. 3, 1, 2", [3, 1, 2]],
    ["", none],
    // Python takes digits and white space of every script.
    ["３, １, ２", [3, 1, 2]],
    ["2 clips.\u001c3, 1, 2", [3, 1, 2]],
  ])("%j", (reply, answer) => {
    expect(officialOrder(reply, 3).answer).toEqual(answer);
  });

  test("reports the sentence that it read", () => {
    expect(officialOrder("I see 3. Then: 3, 1, 2", 3).how).toBe("sentence 2");
    expect(officialOrder("no", 3).how).toBe("no sentence is a permutation");
  });

  test("every order that it finds is a permutation", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 7 }), (reply, clips) => {
        for (const { answer } of [officialOrder(reply, clips), soundOrder(reply, clips)])
          if (Array.isArray(answer))
            expect([...answer].sort()).toEqual(Array.from({ length: clips }, (_, i) => i + 1));
      }),
    );
  });
});

const rows = [
  { qid: "1", goal: "Tea", video_file: "video_1.mp4", ground_truth: [2, 0, 1] },
  { qid: "2", goal: "Tea", video_file: "video_2.mp4", ground_truth: [0, 1, 2, 3] },
  { qid: 3, goal: "Toast", video_file: "video_3.mp4", ground_truth: [1, 0, 2] },
];

describe("loading", () => {
  test("reads the published layout with answers from 1, and counts missing and irregular rows", async () => {
    const folder = await dataFolder({
      "data.json": [
        ...rows,
        { qid: "4", goal: "Toast", video_file: "../../secret.mp4", ground_truth: [0, 2] },
        { qid: "5", goal: "Toast" },
        { ...rows[0], goal: "Coffee" },
        {
          qid: "6",
          goal: "Toast",
          video_file: "../../secret.mp4",
          ground_truth: [0, 1],
          steps: ["cut", "eat"],
        },
      ],
      "videos/video_1.mp4": null,
      "videos/video_3.mp4": null,
    });
    const { samples, notes, files, packed } = await vcrbench.load(folder);
    expect(
      samples.map(({ id, answer, hasVideo, video }) => ({ id, answer, hasVideo, video })),
    ).toEqual([
      { id: "1", answer: [3, 1, 2], hasVideo: true, video: "videos/video_1.mp4" },
      { id: "2", answer: [1, 2, 3, 4], hasVideo: false, video: "videos/video_2.mp4" },
      { id: "3", answer: [2, 1, 3], hasVideo: true, video: "videos/video_3.mp4" },
      { id: "6", answer: [1, 2], hasVideo: false, video: "videos/../../secret.mp4" },
    ]);
    expect(samples[0]?.goal).toBe("Coffee");
    expect(samples[3]?.steps).toEqual(["cut", "eat"]);
    expect(Object.fromEntries(notes.map((note) => [note.what, note.count]))).toEqual({
      "videos missing": 2,
      "rows whose ground truth is not a permutation": 1,
      "rows that could not be read": 1,
      "repeated qid, the last counts": 1,
    });
    expect(files).toEqual(["data.json"]);
    expect(packed).toBeNull();
  });

  test("prefers rows without replies, then the longer file, and names the unused files", async () => {
    const folder = await dataFolder({
      "a.json": rows.map((row) => ({ ...row, pred: "1, 2, 3" })),
      "b.json": rows.slice(0, 1),
      "damaged.json": "[{",
      "data.json": rows,
      "videos/videos/video_1.mp4": null,
    });
    const { samples, files, notes } = await vcrbench.load(folder);
    expect(files).toEqual(["data.json"]);
    expect(samples[0]).toMatchObject({ hasVideo: true, video: "videos/videos/video_1.mp4" });
    expect(notes[0]).toEqual({
      what: "further data files of the same kind, not used",
      count: 2,
      examples: ["b.json", "a.json"],
    });
  });

  test("reports what it found instead", async () => {
    const folder = await dataFolder({
      "data.json": [{ video: "v", question: "q", options: [], correctAnswer: "(A)" }],
    });
    await expect(vcrbench.load(folder)).rejects.toMatchObject({
      kind: "data-malformed",
      message: expect.stringContaining("data.json (video, question, options, correctAnswer)"),
    });
    await expect(vcrbench.load(await dataFolder({ "data.json": "[{" }))).rejects.toMatchObject({
      kind: "data-malformed",
    });
    await expect(vcrbench.load(`${folder}/absent`)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("scores", () => {
  async function samples(): Promise<Sample[]> {
    return (await vcrbench.load(await dataFolder({ "data.json": rows }))).samples;
  }

  test("official scores by hand", async () => {
    const [a, b, c] = (await samples()) as [Sample, Sample, Sample];
    const scored = [
      scoreReply(vcrbench, a, "3, 1, 2", "official"),
      scoreReply(vcrbench, b, "1, 2, 4, 3", "official"),
      scoreReply(vcrbench, c, "no idea", "official"),
    ];
    expect(scored.map(({ score }) => score.value)).toEqual([1, 0, 0]);
    expect(scored[2]?.score).toEqual({
      value: 0,
      answer: null,
      explanation: "no answer (no sentence is a permutation); right is 2, 1, 3",
      extractor: "official",
    });
    expect(vcrbench.official(scored)).toEqual({
      avg_accuracy: 33.33,
      avg_step_accuracy: 50,
      weighted_avg_accuracy: 25,
      scores_per_class: { Tea: 50, Toast: 0 },
      scores_per_step: { "3": 50, "4": 0 },
    });
    const measures = vcrbench.measures(scored);
    expect(scored.map((item) => vcrbench.positions?.(item).filter(Boolean).length)).toEqual([
      3, 2, 0,
    ]);
    expect(measures.invalid_rate).toBeCloseTo(1 / 3, 12);
    expect(measures.kendall_tau).toBeCloseTo((1 + 4 / 6) / 2, 12);
    expect(scored.map(({ sample }) => vcrbench.groups(sample))).toEqual([
      { goal: "Tea", steps: "3" },
      { goal: "Tea", steps: "4" },
      { goal: "Toast", steps: "3" },
    ]);
  });

  test("an order of another length has no right position", async () => {
    const [a] = (await samples()) as [Sample];
    const extraction = { answer: [3, 1], how: "given" };
    const scored = [
      { sample: a, extraction, score: scoreExtraction(vcrbench, extraction, a, "official") },
    ];
    expect(vcrbench.official(scored)).toMatchObject({ avg_accuracy: 0, avg_step_accuracy: 0 });
    expect(scored.flatMap((item) => vcrbench.positions?.(item))).toEqual([false, false, false]);
  });

  test("a sample without a reply is unscored, wrong over all questions, and not among the answered ones", async () => {
    const [a, b, c] = (await samples()) as [Sample, Sample, Sample];
    const scored = [
      scoreReply(vcrbench, a, "3, 1, 2", "sound"),
      scoreReply(vcrbench, b, "none", "sound"),
      unscored(c, "the video is missing", "sound"),
    ];
    expect(denominators(vcrbench.questions(scored))).toEqual({
      right: 1,
      partial: 0,
      all: 3,
      answered: 1,
      unscored: 1,
      accuracy: 1 / 3,
      accuracyAnswered: 1,
    });
    expect(vcrbench.official(scored)).toMatchObject({ avg_accuracy: 33.33 });
    expect(vcrbench.measures(scored).invalid_rate).toBe(0.5);
  });

  test("tau is 1 for the same order, -1 for the reverse, and depends only on the order", () => {
    expect(orderTau([3, 1, 2], [3, 1, 2])).toBe(1);
    expect(orderTau([2, 1, 3], [3, 1, 2])).toBe(-1);
    expect(orderTau([1, 3, 2], [3, 1, 2])).toBeCloseTo(1 / 3, 12);
  });

  test("an unknown extractor is refused", async () => {
    const [a] = (await samples()) as [Sample];
    expect(() => scoreReply(vcrbench, a, "1", "kind")).toThrow(
      'Unknown extractor "kind" of VCRBench: use official, lmms-eval-0.7, sound.',
    );
  });
});

describeShared("parity with the released scores", () => {
  test("every number of the official file is recomputed from the released random responses", async () => {
    const { samples } = await vcrbench.load(sharedFile("vcrbench"));
    const text = await readFile(sharedFile("vcrbench/random_responses_1.json"), "utf8");
    const { replies, notes } = readResponses(text, vcrbench, samples);
    expect(notes).toEqual([]);
    const byId = new Map(samples.map((sample) => [sample.id, sample]));
    const scored = replies.map(({ sample, reply }) =>
      scoreReply(vcrbench, byId.get(sample) as Sample, reply, "official"),
    );
    const official: unknown = JSON.parse(
      await readFile(sharedFile("vcrbench/random_responses_1_official_scores.json"), "utf8"),
    );
    expect(vcrbench.official(scored)).toEqual(official);
  });

  test("365 questions on 365 videos, 3 to 7 clips", async () => {
    const { samples } = await vcrbench.load(sharedFile("vcrbench"));
    const sizes = Map.groupBy(samples, (sample) => sample.answer.length);
    expect([3, 4, 5, 6, 7].map((clips) => sizes.get(clips)?.length)).toEqual([
      126, 105, 80, 30, 24,
    ]);
    expect(new Set(samples.map(vcrbench.cluster)).size).toBe(365);
  });
});
