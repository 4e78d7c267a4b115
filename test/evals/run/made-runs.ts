import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import type { EvalHeader } from "../../../evals/run/run-header.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { writeQuestions } from "../../../evals/run/stored-samples.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { readSettings, type SettingsInput, settingsHash } from "../../../src/core/settings.ts";

/* Folders of runs written by hand, so that results can be calculated by hand. */

export interface MadeRun {
  benchmark?: string;
  settings: SettingsInput;
  samples: readonly Sample[];
  /** Reply by sample; null: it failed; left out: no result yet. */
  replies: Record<string, string | null>;
  line?: Partial<RunLine>;
  header?: Partial<EvalHeader>;
}

export async function makeRun(folder: string, made: MadeRun): Promise<string> {
  const { benchmark = "vcrbench", samples, replies } = made;
  await mkdir(folder, { recursive: true });
  const header: EvalHeader = {
    run: "made",
    format: 1,
    status: "finished",
    ended_by: null,
    created_at: "2026-11-20T10:00:00.000Z",
    updated_at: "2026-11-20T10:00:00.000Z",
    versions: { "video-rrd": "0.1.0" },
    benchmark,
    data: { folder, files: [], hash: "h", subset: "mcq", samples: samples.length, notes: [] },
    selection: {
      limit: null,
      sample_id: [],
      sample_shuffle: null,
      skip_missing: false,
      asked: samples.length,
      skipped: [],
    },
    epochs: 1,
    descriptions: "recognised",
    settings: readSettings(made.settings),
    settings_hash: settingsHash(readSettings(made.settings)),
    prompts: {},
    prompts_replaced: [],
    protocol: null,
    max_samples: null,
    fail_on_error: null,
    total_cost_limit: null,
    ...made.header,
  };
  await writeFile(join(folder, "header.json"), JSON.stringify(header));
  await writeQuestions(folder, samples);
  const lines = Object.entries(replies).map(([id, reply]) => lineOf(id, reply, samples, made.line));
  await writeFile(
    join(folder, "samples.jsonl"),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  return folder;
}

/** The line of a reply. */
export function lineOf(
  id: string,
  reply: string | null,
  samples: readonly Sample[],
  more: Partial<RunLine> = {},
): RunLine {
  const failed = reply === null;
  return {
    sample: id,
    epoch: 1,
    attempt: 0,
    video: samples.find((sample) => sample.id === id)?.video ?? "",
    question: null,
    status: failed ? "error" : "answered",
    reply,
    reply_by: failed ? null : "model",
    answer: null,
    scores: {},
    cites: [],
    set: null,
    evidence: [],
    frames_s: [0.5, 61.25],
    calls: [],
    usage: { calls: 2, frames: 8, input: 1000, output: 20, cost: 0.01, paid: 0.01 },
    limits_met: [],
    diagnostics: {},
    ...(failed ? { error: { kind: "model-unreachable", message: "The server was away." } } : {}),
    started_at: "2026-11-20T10:00:00.000Z",
    seconds: 1.5,
    ...more,
  };
}

/** A VCRBench sample; `order` counted from 1. */
export function ordering(id: string, order: number[], goal = "Make tea"): Sample {
  return {
    id,
    video: `videos/video_${id}.mp4`,
    hasVideo: true,
    question: `Put the clips in the order that completes this task: ${goal}`,
    task: "order",
    goal,
    options: [],
    answer: order,
    row: { qid: id, goal, video_file: `video_${id}.mp4`, ground_truth: order.map((n) => n - 1) },
  };
}

/** Two procedures of three steps and two of four. */
export const PROCEDURES: Sample[] = [
  ordering("1", [2, 1, 3]),
  ordering("2", [3, 1, 2]),
  ordering("3", [4, 1, 2, 3], "Grill steak"),
  ordering("4", [1, 3, 2, 4], "Grill steak"),
];

export const order = (...numbers: number[]) => `Correct order: ${numbers.join(", ")}`;

/** Three of the four right; the fourth has two of its positions right. */
export const GOOD = {
  "1": order(2, 1, 3),
  "2": order(3, 1, 2),
  "3": order(4, 1, 2, 3),
  "4": order(1, 2, 3, 4),
};

/** One right, one wrong, one without an order, one failed. */
export const POOR = { "1": order(2, 1, 3), "2": order(1, 2, 3), "3": "I cannot tell.", "4": null };

/** A complete run of GPT-4o by the published protocol of VCRBench; every reply is right. */
export function officialRun(folder: string, { line }: Pick<MadeRun, "line"> = {}): Promise<string> {
  const samples = Array.from({ length: 365 }, (_, n) => ordering(String(n), [2, 1, 3]));
  const { settings } = readEvalSettings({
    ...{ strategy: "direct", model: "openai:gpt-4o", benchmark: "vcrbench", data: "x" },
    protocol: "official",
  });
  const data = "6d69d1d45fc1db0cdfd9f4fbbea0eef5e264aede8cd3be1a39c31c4c16ee8254";
  return makeRun(folder, {
    settings,
    samples,
    line,
    replies: Object.fromEntries(samples.map(({ id }) => [id, order(2, 1, 3)])),
    header: {
      data: { folder, files: [], hash: sha256(data), subset: "mcq", samples: 365, notes: [] },
      protocol: { source: "the paper", deviations: [] },
      wordings: {
        "vcrbench/direct": {
          sha256: "8630bafeb4f5cf43ebdc5b664a10da21f234c6ab6f9cefce566894c404d0dd31",
          quoted: [],
        },
      },
    },
  });
}
