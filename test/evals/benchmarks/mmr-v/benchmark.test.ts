import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { canonicalName, mmrId, mmrV } from "../../../../evals/benchmarks/mmr-v/benchmark.ts";
import { type LetterRule, officialLetter } from "../../../../evals/benchmarks/mmr-v/read-letter.ts";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { scoreReply } from "../../../../evals/benchmarks/score-reply.ts";
import { unscored } from "../../../../evals/benchmarks/scored-reply.ts";
import { describeShared, sharedFile } from "../../../support/shared.ts";
import { choice, dataFolder, parquet } from "../fixtures.ts";

describe("the released extraction", () => {
  test.each([
    // Stage 1: the first [[X]] ...
    ["[[B]]", "B", 1],
    ["I think so.\n\n[[D]] and not [[A]]", "D", 1],
    ["\\boxed{A} but [[C]]", "C", 1],
    ["[[L]]", "L", 1],
    // ... of A to L, upper case, nothing else within.
    ["[[M]] (C)", "C", 2],
    ["[[b]]", "B", 2],
    ["[[ B ]]", "B", 2],
    // Else the first \boxed{X}.
    ["\\boxed{E}", "E", 1],
    ["\\boxed{E} or \\boxed{F}", "E", 1],
    ["$\\boxed{A}$ is not (B)", "A", 1],
    ["\\boxed{ab} (F)", "F", 2],
    ["\\boxed{\\text{C}} (F)", "F", 2],
    // Stage 2: the last [X] or (X) of the upper-cased text ...
    ["(A) is wrong, so (C) it is, I guess", "C", 2],
    ["[d] then", "D", 2],
    ["[A) and (B]", "B", 2],
    ["(a) or (b)", "B", 2],
    ["(BC) [A] xyz", "A", 2],
    // ... else its last character from A to L, even inside a word.
    ["[[Angst]]", "G", 2],
    ["Melancholy", "L", 2],
    ["my choice", "E", 2],
    ["b or not", "B", 2],
    ["The answer is C", "C", 2],
    // None.
    ["[[3]]", null, null],
    ["xyz 123", null, null],
    ["", null, null],
  ])("%j", (reply, answer, stage) => {
    expect(officialLetter(reply)).toMatchObject({ answer, stage });
  });

  test.each([
    ["The answer is B, not a dream", "A", 1],
    ["The answer is b", "B", 1],
    ["I'm sorry", "I", 1],
    ["[[C]] since A", "C", 1],
    ["\\boxed{C} since A", "C", 1],
    ["(A) or B?", "B", 1],
    ["[[Angst]]", "G", 2],
    ["选B", "B", 2],
    ["A_1 M", "A", 2],
    ["[[3]]", null, null],
  ])("with the last standalone letter: %j", (reply, answer, stage) => {
    expect(officialLetter(reply, { standalone: true })).toMatchObject({ answer, stage });
  });

  test.each<[reply: string, rule: LetterRule, answer: string, stage: number]>([
    // Only [[X]]: \\boxed{X} is left to the scorer.
    ["[[C]] \\boxed{A}", { boxed: false }, "C", 1],
    ["\\boxed{E} and \\boxed{F}", { boxed: false }, "F", 2],
    ["\\boxed{E}, not (B)", { boxed: false }, "B", 2],
    ["\\boxed{E} is clear", { boxed: false }, "A", 2],
    // The last mark instead of the first.
    ["[[A]] or [[B]]: [[G]]", { last: true }, "G", 1],
    ["[[A]] \\boxed{C}", { last: true }, "A", 1],
    ["\\boxed{E} or \\boxed{F}", { last: true }, "F", 1],
    ["The answer is B, not a dream", { last: true }, "A", 2],
    // And else the last standalone letter.
    ["[[A]] or [[G]], a guess", { last: true, standalone: true }, "G", 1],
    ["\\boxed{E} or \\boxed{F}, a guess", { last: true, standalone: true }, "F", 1],
    ["The answer is B, not a dream", { last: true, standalone: true }, "A", 1],
  ])("%j by the rule %j", (reply, rule, answer, stage) => {
    expect(officialLetter(reply, rule)).toMatchObject({ answer, stage });
  });

  test("each rule names itself", () => {
    expect(["[[B]]", "\\boxed{B}", "(B)", "bad"].map((reply) => officialLetter(reply).how)).toEqual(
      ["[[X]]", "\\boxed{X}", "scorer's letter in brackets", "scorer's last character"],
    );
    expect(officialLetter("B", { standalone: true }).how).toBe("standalone letter");
  });
});

const row = (fields: Record<string, unknown>) => ({
  video: "a.mp4",
  videoType: "Animation",
  question: "What?",
  options: ["(A) one", "(B) two", "(C) three"],
  correctAnswer: "(B)",
  abilityType_L2: "Theme Understanding",
  abilityType_L3: "Social Issues",
  question_idx: 0,
  ...fields,
});

describe("loading", () => {
  const rows = [
    row({}),
    row({ correctAnswer: "(B) ", question_idx: 1, question: "Why?" }),
    row({ videoType: "movie", question_idx: 2, video: "b.mp4" }),
    row({
      videoType: "life",
      abilityType_L2: "Cross-modal Creative Transfer",
      question_idx: 3,
      question: "How?",
    }),
    row({
      options: ["(A) one", "(C) three", "(D) four"],
      correctAnswer: "(C)",
      question_idx: 4,
      question: "Where?",
    }),
    row({ correctAnswer: "(K)", question_idx: 5, question: "Who?" }),
    row({ question_idx: 6 }),
    row({ correctAnswer: "", question_idx: 7 }),
    row({ options: ["one", "two", "three"], question_idx: 8, question: "When?" }),
  ];

  test("normalises irregular rows and counts the changes", async () => {
    const folder = await dataFolder({ "MMR-V.json": rows, "videos/a.mp4": null });
    const { samples, notes } = await mmrV.load(folder);
    expect(Object.fromEntries(notes.map((note) => [note.what, note.count]))).toEqual({
      "answer letters that were normalised": 1,
      "group names that were normalised": 3,
      "options that skip a letter": 1,
      "options without a letter, given the letter of their position": 1,
      "right letters that are not among the options": 1,
      "questions repeated for one video, given separate ids": 1,
      "rows that could not be read": 1,
      "videos missing": 1,
    });
    expect(samples.map((sample) => sample.answer)).toEqual([
      "B",
      "B",
      "B",
      "B",
      "C",
      "K",
      "B",
      "B",
    ]);
    expect(samples[0]?.options[2]).toEqual({ letter: "C", text: "three" });
    expect(samples[4]?.options.map((option) => option.letter)).toEqual(["A", "C", "D"]);
    expect(samples[7]?.options[1]).toEqual({ letter: "B", text: "two" });
    expect(mmrV.groups(samples[2] as Sample)).toEqual({
      reasoning: "Implicit",
      l2: "Theme Understanding",
      l3: "Social Issues",
      video_type: "Film",
    });
    expect(mmrV.groups(samples[3] as Sample)).toMatchObject({
      reasoning: "Explicit",
      l2: "Cross-modal Transfer Reasoning",
      video_type: "Life",
    });
  });

  test("the same question text on two videos is two samples; a repeated one gets a separate id", async () => {
    const { samples } = await mmrV.load(await dataFolder({ "MMR-V.json": rows }));
    expect(new Set(samples.map((sample) => sample.id)).size).toBe(samples.length);
    expect(samples[0]?.id).toBe(mmrId("a.mp4", "What?"));
    expect(samples[2]?.id).toBe(mmrId("b.mp4", "What?"));
    expect(samples[6]?.id).toBe(`${mmrId("a.mp4", "What?")}-2`);
  });

  test("a right letter that is not offered scores 0 with a note", async () => {
    const { samples } = await mmrV.load(await dataFolder({ "MMR-V.json": rows }));
    const { score } = scoreReply(mmrV, samples[5] as Sample, "[[B]]", "sound");
    expect(score.value).toBe(0);
    expect(score.explanation).toBe("B ([[X]]); right is K, which is not among the options");
  });

  test("reads Parquet shards like JSON", async () => {
    const clean = [
      row({}),
      row({ question: "Why?", question_idx: 1 }),
      row({ question: "How?", question_idx: 2 }),
    ];
    const json = await mmrV.load(await dataFolder({ "MMR-V.json": clean }));
    const shards = await mmrV.load(
      await dataFolder({
        "data/test-00000-of-00002.parquet": parquet(clean.slice(0, 2)),
        "data/test-00001-of-00002.parquet": parquet(clean.slice(2)),
      }),
    );
    expect(shards.files).toHaveLength(2);
    expect(shards.samples).toEqual(json.samples);
  });

  test("finds a video whose name has another Unicode form on disk", async () => {
    const folder = await dataFolder({
      "MMR-V.json": [row({ video: "Père ＂1｜2＂.mp4".normalize("NFC") })],
      [`videos/${"Père ＂1｜2＂.mp4".normalize("NFD")}`]: null,
    });
    const { samples } = await mmrV.load(folder);
    expect(samples[0]?.hasVideo).toBe(true);
    const deep = await dataFolder({
      "MMR-V.json": [row({ video: "tirés/é.mp4".normalize("NFC") })],
      [`videos/${"tirés/é.mp4".normalize("NFD")}`]: null,
    });
    expect((await mmrV.load(deep)).samples[0]?.hasVideo).toBe(true);
  });

  test("reports how to unpack only while the videos are packed", async () => {
    const parts = {
      "MMR-V.json": [row({})],
      "videos.tar.part.aa": null,
      "videos.tar.part.ab": null,
    };
    const packed = await mmrV.load(await dataFolder(parts));
    expect(packed.packed).toMatch(
      /^The videos are still packed \(2 archives, such as videos\.tar\.part\.a[ab]\): run `cat videos\.tar\.part\.\* \| tar -x` in .* to get a folder `videos`\.$/,
    );
    expect(packed.samples[0]?.hasVideo).toBe(false);
    const unpacked = await mmrV.load(await dataFolder({ ...parts, "videos/a.mp4": null }));
    expect(unpacked.packed).toBeNull();
  });

  test("reads one data file as well as its folder", async () => {
    const folder = await dataFolder({ "results.json": [row({})] });
    const { samples, folder: around } = await mmrV.load(`${folder}/results.json`);
    expect(samples).toHaveLength(1);
    expect(around).toBe(folder);
  });
});

describe("scores", () => {
  test("the scorer's tables keep the raw names, ours the normalised ones; both stages are counted separately", () => {
    const sample = (fields: Record<string, unknown>): Sample => ({
      ...choice("ABC", "B"),
      row: row(fields),
    });
    const scored = [
      scoreReply(mmrV, sample({}), "[[B]]", "official"),
      scoreReply(mmrV, sample({ videoType: "life" }), "surely (B)", "official"),
      scoreReply(
        mmrV,
        sample({ videoType: "Life", abilityType_L2: "Causal Reasoning" }),
        "123",
        "official",
      ),
      unscored(sample({ abilityType_L2: " " }), "no reply", "official"),
    ];
    expect(mmrV.official(scored)).toEqual({
      total: { count: "2/4", accuracy: "50.00%" },
      reasoning: {
        Implicit: { count: "2/2", accuracy: "100.00%" },
        Explicit: { count: "0/1", accuracy: "0.00%" },
        Other: { count: "0/1", accuracy: "0.00%" },
      },
      l2: {
        "Theme Understanding": { count: "2/2", accuracy: "100.00%" },
        "Causal Reasoning": { count: "0/1", accuracy: "0.00%" },
        Unknown: { count: "0/1", accuracy: "0.00%" },
      },
      l3: { "Social Issues": { count: "2/4", accuracy: "50.00%" } },
      video_type: {
        Animation: { count: "1/2", accuracy: "50.00%" },
        life: { count: "1/1", accuracy: "100.00%" },
        Life: { count: "0/1", accuracy: "0.00%" },
      },
    });
    expect(mmrV.measures(scored)).toEqual({
      accuracy: 2 / 3,
      accuracy_stage_1: 1 / 3,
      answered_stage_1: 1 / 3,
      answered: 2 / 3,
    });
  });

  test("every name in the paper is unchanged", () => {
    expect(
      ["Film", " TV ", "art", "Movie", "Causal Reasoning", "Something New"].map(canonicalName),
    ).toEqual(["Film", "TV", "Art", "Film", "Causal Reasoning", "Something New"]);
  });
});

describeShared("parity with the released letters", () => {
  // Neither file tells the scripts apart: where no mark was found, no letter stands alone either.
  test.each([
    ["raw_responses_gemma-3-12b-it.jsonl", 297],
    ["raw_responses_gemma-3-27b-it_cot.jsonl", 500],
  ])("every line of %s, with and without the standalone letter", async (file, lines) => {
    const rows = (await readFile(sharedFile(`mmr-v/${file}`), "utf8"))
      .trim()
      .split("\n")
      .map((line): { raw_response: string; official_extracted: string | null } => JSON.parse(line));
    expect(rows).toHaveLength(lines);
    for (const standalone of [false, true])
      expect(
        rows.map(({ raw_response }) => {
          const { answer, stage } = officialLetter(raw_response, { standalone });
          return stage === 1 ? answer : null;
        }),
      ).toEqual(rows.map((row) => row.official_extracted));
  });

  test("the 100 replies of GPT-4o: letters, and right as the file says", async () => {
    const { samples } = await mmrV.load(sharedFile("mmr-v"));
    expect(samples).toHaveLength(100);
    const scored = samples.map((sample) =>
      scoreReply(mmrV, sample, String(sample.row["gpt-4o_raw_response"]), "official"),
    );
    expect(scored.map(({ extraction }) => extraction?.answer)).toEqual(
      samples.map(({ row }) => (row["gpt-4o_response"] as { final_answer: string }).final_answer),
    );
    expect(mmrV.official(scored).total).toEqual({ count: "47/100", accuracy: "47.00%" });
    // Four of them repeat the prompt's examples in front of their answer.
    const last = samples.map((sample) =>
      scoreReply(mmrV, sample, String(sample.row["gpt-4o_raw_response"]), "official-last"),
    );
    expect(mmrV.official(last).total).toEqual({ count: "49/100", accuracy: "49.00%" });
    for (const { sample, score } of scored)
      if (sample.row.error_info !== null) expect(score.value).toBe(0);
  });
});
