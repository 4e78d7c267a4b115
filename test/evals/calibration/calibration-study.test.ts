import { expect, test } from "vitest";
import { dataset } from "../../../evals/benchmarks/dataset/benchmark.ts";
import { withScorers } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import { studyCalibration } from "../../../evals/calibration/calibration-study.ts";
import {
  calibrationReport,
  calibrationRows,
  signalSummary,
} from "../../../evals/calibration/report.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { renderCalibration } from "../../../src/app/cli/render/calibration.ts";
import { seeded } from "../../../src/core/random.ts";
import { reportPage } from "../../../src/pages/report.ts";
import { choice } from "../benchmarks/fixtures.ts";

/** Replies by question and epoch, with the strategy's confidence; A is right. */
function run(questions: { letter: string; line?: Partial<RunLine> }[][], name = "pilot"): Results {
  const samples = questions.map((_, place) => ({
    ...choice("ABC"),
    id: `s${place}`,
    video: `v${place >> 1}.mp4`,
    row: { video: "v", question: "q", options: ["(A) x", "(B) y"], correctAnswer: "(A)" },
  }));
  return {
    name,
    benchmark: mmrV,
    samples,
    said: questions.flatMap((epochs, place) =>
      epochs.map(({ letter, line }, epoch) => ({
        sample: samples[place] as (typeof samples)[number],
        epoch: epoch + 1,
        reply: letter === "" ? null : `[[${letter}]]`,
        why: "no reply",
        line: {
          diagnostics: {},
          ...{ limits_met: [], status: "answered", calls: [], usage: { calls: 0 } },
          ...line,
        } as unknown as RunLine,
      })),
    ),
    epochs: questions[0]?.length ?? 1,
    missing: 0,
    skipped: 0,
    data: { hash: "d", subset: "mcq" },
    unknownGroups: [],
    notes: [],
    header: null,
  };
}

test("the share of agreeing epochs is compared with the majority answer", () => {
  const epochs = (letters: string) => [...letters].map((letter) => ({ letter }));
  const { signals, basis } = studyCalibration(
    run([epochs("AAAA"), epochs("AABB"), epochs("BBBA"), epochs("AAAB")]),
  );
  expect(signals.map(({ signal }) => signal)).toEqual(["votes"]);
  const [votes] = signals;
  // A tie goes to the first epoch: A, A, B, A with shares 1, 0.5, 0.75, 0.75.
  expect(votes?.accuracy.mean).toBe(0.75);
  expect(votes?.stated?.brier).toBeCloseTo((0 + 0.25 + 0.75 ** 2 + 0.25 ** 2) / 4);
  expect(votes?.fitted).toBeNull();
  expect(basis).toEqual([]);
  // Shares of the table have one unit. ECE over bins of 1, 1 and 2 answers: (0 + 0.5 + 2 * 0.25) / 4.
  const [head = [], row = []] = calibrationRows(signals);
  expect(head.slice(3, 6)).toEqual(["accuracy, %", "Brier", "ECE, points (by chance)"]);
  expect(row[3]).toMatch(/^75\.00 /);
  expect(row[5]).toMatch(/^25\.00 \(\d+\.\d\d\)$/);
  expect(signals.map(signalSummary)[0]).toContain("differs from the accuracy by 25.00 points");
});

test("a sample that lacks epochs has no share of votes, and the output says what is missing", () => {
  const epochs = (letters: string) => [...letters].map((letter) => ({ letter }));
  const whole = run([epochs("AAB"), epochs("BBA"), epochs("A"), epochs("AA")]);
  const study = studyCalibration({ ...whole, missing: 3 });
  // One vote is no confidence of 1: errors of 1/3 and 2/3, of the first two samples.
  expect(study.signals[0]).toMatchObject({ answers: 2, accuracy: { mean: 0.5 } });
  expect(study.signals[0]?.stated?.brier).toBeCloseTo((1 / 9 + 4 / 9) / 2);
  const told =
    "pilot: 3 without a result, not counted; votes of all 3 epochs, 2 samples with fewer left out, `eval --resume` completes the run.";
  expect(renderCalibration(study).split("\n")).toContain(told);
  expect(calibrationReport([study]).parts[0]?.warnings).toContain(told);
  expect(studyCalibration(run([epochs("AAB")])).caveats).toBeNull();
});

test("a run that stopped before its last epoch votes with the epochs that most samples have", () => {
  const epochs = (letters: string) => [...letters].map((letter) => ({ letter }));
  const stopped = (letters: string[]) => {
    const planned = { ...run(letters.map(epochs)), epochs: 5 };
    return { ...planned, missing: letters.reduce((sum, { length }) => sum + 5 - length, 0) };
  };
  const all = studyCalibration(stopped(["AABA", "BBBA"]));
  expect(all.signals[0]).toMatchObject({ answers: 2, accuracy: { mean: 0.5 } });
  expect(all.signals[0]?.stated?.brier).toBeCloseTo((1 / 16 + 9 / 16) / 2);
  expect(all.caveats).toBe(
    "2 without a result, not counted; votes of the first 4 of 5 epochs, `eval --resume` completes the run.",
  );
  // The fifth vote of the first sample does not count: 2 of 4 votes for A, not 3 of 5.
  const most = studyCalibration(stopped(["ABBAA", "AAAA", "AAAA", "AAA"]));
  expect(most.signals[0]).toMatchObject({ answers: 3, accuracy: { mean: 1 } });
  expect(most.signals[0]?.stated?.brier).toBeCloseTo(0.25 / 3);
  expect(most.caveats).toContain("the first 4 of 5 epochs, 1 sample with fewer left out,");
  expect(() => studyCalibration(stopped(["A", "A"]))).toThrow(
    "No answer of pilot has a confidence yet: too few epochs of its samples have a result. Complete the run with `eval --resume`.",
  );
});

test("a failed epoch lowers the share of votes, and the output says so", () => {
  const epochs = (letters: string[]) => letters.map((letter) => ({ letter }));
  const study = studyCalibration(run([epochs(["A", "", "A", "A"]), epochs(["B", "B", "B", "B"])]));
  expect(study.signals[0]?.stated?.brier).toBeCloseTo((1 / 16 + 1) / 2);
  expect(study.caveats).toBe(
    "1 of 8 failed, counted in votes as no answer, which lowers the share (no reply 1).",
  );
});

test("open answers that the scorer counts as one answer vote together", () => {
  const results = run([["10", "10.0", "7"].map((letter) => ({ letter }))]);
  const [sample] = results.samples as [Results["samples"][number]];
  const open = { ...sample, task: "open" as const, options: [], answer: "10" };
  const { signals } = studyCalibration({
    ...results,
    benchmark: withScorers(dataset, { open: { name: "number", settings: {} } }),
    samples: [open],
    said: ["10", "10.0", "7"].map((number, index) => ({
      ...{ sample: open, epoch: index + 1, reply: `Answer: ${number}`, why: "", line: null },
    })),
  });
  // Two of three epochs: an error of a third.
  expect(signals[0]?.stated?.brier).toBeCloseTo((1 / 3) ** 2, 12);
});

test("with several orders of the options, a question without options has no share of votes", () => {
  const results = run([["A", "A"].map((letter) => ({ letter }))]);
  const [sample] = results.samples as [Results["samples"][number]];
  const open = { ...sample, id: "open", task: "open" as const, options: [], answer: "10" };
  const { signals } = studyCalibration({
    ...results,
    benchmark: withScorers(dataset, {
      choice: { name: "letter", settings: {} },
      open: { name: "number", settings: {} },
    }),
    option_orders: 2,
    samples: [sample, open],
    said: [
      ...results.said.map((one) => ({ ...one, reply: "Answer: A" })),
      { sample: open, epoch: 1, reply: "Answer: 7", why: "", line: null },
    ],
  });
  expect(signals[0]).toMatchObject({ signal: "votes", answers: 1 });
});

test("stated confidences and verdicts are read from the lines; replies without an answer are left out", () => {
  const random = seeded("answers");
  const questions = Array.from({ length: 120 }, () => {
    const confidence = Math.round(random() * 20) / 20;
    const isRight = random() < 0.2 + confidence / 2;
    return [
      {
        letter: isRight ? "A" : "B",
        line: {
          confidence,
          confidence_basis: `the share of ${Math.ceil(random() * 9)} judgements`,
          diagnostics: { support: isRight || random() < 0.3 ? "supported" : "contradicted" },
        },
      },
    ];
  });
  questions.push([
    { letter: "", line: { confidence: 1, confidence_basis: "none", diagnostics: { support: "" } } },
  ]);
  const study = studyCalibration(run(questions));
  const [confidence, verdict] = study.signals;
  expect(study.signals.map(({ signal }) => signal)).toEqual(["confidence", "verdict"]);
  expect(confidence).toMatchObject({ answers: 120, videos: 60 });
  expect(study.basis.filter((words) => words.includes("judgements"))).toHaveLength(1);
  expect(confidence?.fitted?.error).toBeLessThan(confidence?.stated?.error ?? 0);
  // A verdict is not a probability until it is fitted on other videos.
  expect(verdict?.stated).toBeNull();
  expect(verdict?.fitted?.brier).toBeLessThan(0.25);
  expect(verdict?.risk.aurc).toBeLessThan(verdict?.risk.random ?? 0);
  const page = reportPage(calibrationReport([study]));
  expect(page).toContain("Reliability of confidence");
  expect(page).toContain("calibrated on other videos");
});

test("a run without any confidence is refused", () => {
  expect(() => studyCalibration(run([[{ letter: "A" }]]))).toThrow(/use a run with several epochs/);
});
