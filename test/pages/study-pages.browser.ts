import { expect, test } from "vitest";
import { stageReport } from "../../evals/attribution/stage-report.ts";
import { mmrV } from "../../evals/benchmarks/mmr-v/benchmark.ts";
import { studyCalibration } from "../../evals/calibration/calibration-study.ts";
import { calibrationReport } from "../../evals/calibration/report.ts";
import { studyFrontier } from "../../evals/frontier/frontier.ts";
import { frontierReport } from "../../evals/frontier/report.ts";
import { propagationReport } from "../../evals/propagation/report.ts";
import type { PropagationCurve } from "../../evals/propagation/summary.ts";
import type { EvalHeader } from "../../evals/run/run-header.ts";
import type { RunLine } from "../../evals/run/run-line.ts";
import type { Results } from "../../evals/score/read-results.ts";
import { compareRuns } from "../../evals/statistics/paired-statistics.ts";
import { meanShare } from "../../evals/statistics/statistics.ts";
import { seeded } from "../../src/core/random.ts";
import { readSettings } from "../../src/core/settings.ts";
import { reportPage } from "../../src/pages/report.ts";
import { drawTable, independentErrors } from "../evals/attribution/worlds.ts";
import { choice } from "../evals/benchmarks/fixtures.ts";
import { checkPage, describePage } from "../support/browser.ts";

const QUESTIONS = 240;

/** A run over 60 videos, right with this chance, with confidences that exceed it. */
function run(name: string, strategy: string, frames: number, chance: number): Results {
  const random = seeded("study", name);
  const samples = Array.from({ length: QUESTIONS }, (_, place) => ({
    ...choice("ABC"),
    id: `s${place}`,
    video: `v${place >> 2}.mp4`,
    row: { video: "v", question: "q", options: ["(A) x", "(B) y"], correctAnswer: "(A)" },
  }));
  return {
    name,
    benchmark: mmrV,
    samples,
    said: samples.map((sample) => {
      const isRight = random() < chance;
      const confidence = Math.min(1, 0.35 + 0.65 * random() + (isRight ? 0.1 : 0));
      const calls = [{ role: "reasoner", frames, input: 300 * frames, output: 60 }];
      const usage = { calls: 1, frames, input: 300 * frames, output: 60, cost: 0.001 * frames };
      return {
        sample,
        epoch: 1,
        reply: isRight ? "[[A]]" : "[[B]]",
        why: "",
        line: {
          ...{ status: "answered", limits_met: [] },
          ...{ confidence, confidence_basis: "the share of votes", frames_s: [1, 2], calls },
          ...{ diagnostics: { support: isRight ? "supported" : "contradicted" }, usage },
        } as unknown as RunLine,
      };
    }),
    epochs: 1,
    missing: 0,
    skipped: 0,
    data: { hash: "d", subset: "mcq" },
    unknownGroups: [],
    notes: [],
    header: { status: "finished", settings: readSettings({ strategy }) } as unknown as EvalHeader,
  };
}

const RUNS = [
  run("direct-8-frames", "direct", 8, 0.45),
  run("direct-32-frames", "direct", 32, 0.52),
  run("direct-128-frames", "direct", 128, 0.55),
  run("rrd-16-frames", "rrd", 40, 0.5),
  run("rrd-64-frames", "rrd", 88, 0.66),
  run("agent", "agent", 150, 0.4),
];

function curve(error: string, unit: string, loss: number): PropagationCurve {
  const random = seeded("curve", error);
  const draws = Array.from({ length: QUESTIONS }, () => random());
  const at = (rate: number) =>
    draws.map((draw, place) => ({
      value: draw < 0.7 - loss * rate ? 1 : 0,
      cluster: `v${place >> 2}`,
    }));
  const clean = at(0);
  return {
    error,
    summary: `damages ${unit}`,
    unit,
    questions: QUESTIONS,
    incomplete: 0,
    points: [0, 0.1, 0.2, 0.4, 0.8].map((rate) => {
      const items = at(rate);
      const pairs = items.map(({ value, cluster }, place) => ({
        ...{ a: clean[place]?.value ?? 0, b: value, cluster },
      }));
      return {
        ...{
          rate,
          realised: rate,
          damaged: 1200 * rate,
          units: 1200,
          samples_damaged: 240 * rate,
          questions_damaged: 240 * rate,
        },
        ...{ accuracy: meanShare(items), failed: 0, unscored: 0 },
        gold_error: [{ stage: "captions", words: 5000, missed: 600 + 4000 * rate }],
        difference: rate === 0 ? null : compareRuns(pairs, { seed: 0, draws: 1000 }),
      };
    }),
  };
}

function attribution() {
  const table = drawTable(
    {
      ...{ name: "page", stages: 4, videos: 60, outcomes: "latent", alike: 0.1 },
      kinds: [
        {
          share: 1,
          questions: [2, 4, 6],
          errors: independentErrors([0.4, 0.3, 0.25, 0.5]),
          right: Array.from({ length: 16 }, (_, set) => {
            const [a, b, c, d] = [set & 1, (set >> 1) & 1, (set >> 2) & 1, (set >> 3) & 1];
            return 0.75 - 0.4 * a - 0.25 * b * (1 - a) - 0.2 * c * (1 - 0.5 * b) + 0.15 * d;
          }),
        },
      ],
    },
    "page",
  );
  return stageReport({
    ...{ benchmark: "mmr-v", strategy: "rrd", metric: "accuracy", extractor: "sound", seed: 0 },
    ...{ recogniser: "openai:small", reasoner: "openai:small" },
    relative_to: "google-genai:gemini-2.5-pro",
    gold: [
      { stage: "captions", from: { "google-genai:gemini-2.5-pro": 240 } },
      { stage: "text", from: { sidecars: 120, "google-genai:gemini-2.5-pro": 120 } },
      { stage: "speech", from: { "the data": 240 } },
      { stage: "search", from: { "the data": 240 } },
    ],
    without_gold: [{ sample: "mmr-v/12", lacks: ["search"] }],
    failed: [],
    notes: [],
    table: { ...table, stages: ["captions", "text", "speech", "search"] },
  });
}

const PAGES = {
  frontier: () => frontierReport(studyFrontier(RUNS, { budget: "frames", target: 0.6 })),
  calibration: () => calibrationReport(RUNS.slice(3, 5).map((one) => studyCalibration(one))),
  propagation: () =>
    propagationReport([
      {
        ...{ run: "rrd-64-frames", strategy: "rrd", benchmark: "mmr-v", extractor: "sound" },
        ...{ seed: 0, left_out: 0 },
        curves: [curve("drop-captions", "captions", 0.5), curve("garble-text", "characters", 0.2)],
      },
      {
        ...{ run: "agent", strategy: "agent", benchmark: "mmr-v", extractor: "sound" },
        ...{ seed: 0, left_out: 0 },
        curves: [curve("drop-captions", "captions", 0.25)],
      },
    ]),
  attribution,
} as const;

/** Sizes of the text of all plots in pixels, and texts that end outside their plot. */
const TEXTS = `[...document.querySelectorAll(".plot")].map((svg) => {
  const box = svg.getBoundingClientRect();
  const scale = box.width / svg.viewBox.baseVal.width;
  const outside = [...svg.querySelectorAll("text")].filter((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
  });
  return { size: scale * parseFloat(getComputedStyle(svg).fontSize), outside: outside.map((text) => text.textContent) };
})`;

for (const [name, make] of Object.entries(PAGES))
  describePage(
    `the page of the study ${name} in a browser`,
    () => reportPage(make()),
    (open) => {
      test("on a phone and a desktop: a summary on top, and plots with text of the size of the body", async () => {
        for (const [device, width] of [
          ["phone", 390],
          ["narrow", 700],
          ["desktop", 1200],
        ] as const) {
          const page = await open(width);
          const summary = page.locator("h2 + .summary").first();
          expect(await summary.locator("li").count()).toBeGreaterThan(0);
          const texts = (await page.evaluate(TEXTS)) as { size: number; outside: string[] }[];
          expect(texts.length).toBeGreaterThan(0);
          for (const { size, outside } of texts) {
            expect(size).toBeGreaterThan(15);
            expect(size).toBeLessThan(18.5);
            expect(outside).toEqual([]);
          }
          if (device !== "narrow")
            expect(await checkPage(page, `study-${name}-${device}`)).toEqual([]);
        }
      });
    },
  );
