import type { RunOptions } from "../../../evals/run/run.ts";
import { estimateRate, type RunProgress } from "../../../evals/run/run-progress.ts";
import { countOf } from "../../core/count-of.ts";
import { money } from "../../core/money.ts";
import { clock } from "../../core/time.ts";
import type { BatchProgress } from "../../models/batch/batches.ts";
import { liveLines } from "./live-lines.ts";

const PLAIN_EVERY_MS = 5000;
const LIVE_EVERY_MS = 100;
const FIRST_AFTER_MS = 1000;
const BAR = 24;
/** Batches that are shown. */
const MOST_BATCHES = 3;

/** How far a stage of one sample is. */
type Step = Parameters<NonNullable<RunOptions["onStep"]>>[1];

/**
 * `120 of 365 (33 %) · 4.1 a second · 01:00 left · accuracy 41.7 % of 118 scored · $0.52 · 2 errors`, and the current
 * stages: `now: speech 1 (30 of 600 seconds of sound transcribed), caption 2`. Results without a score, such as errors, are
 * not part of this accuracy, and each pair of a question is.
 */
export function progressText(
  progress: RunProgress,
  seconds: number,
  stages: ReadonlyMap<string, number> = new Map(),
  steps: ReadonlyMap<string, Step> = new Map(),
  batches: readonly BatchProgress[] = [],
): string {
  const { total, done, errors, stopped, right, scored, cost, paid } = progress;
  const going = estimateRate(progress, seconds);
  const share = total === 0 ? 100 : Math.floor((100 * (done + errors)) / total);
  return [
    `${done + errors} of ${total} (${share} %)`,
    going === null ? null : `${going.rate.toFixed(going.rate < 10 ? 2 : 1)} a second`,
    going === null ? null : `${clock(going.left_s)} left`,
    scored === 0 ? null : `accuracy ${((100 * right) / scored).toFixed(1)} % of ${scored} scored`,
    cost === 0
      ? null
      : `${money(cost)}${paid === cost || cost === null ? "" : ` (${money(paid)} paid now)`}`,
    errors === 0 ? null : countOf(errors, "error"),
    stopped === 0 ? null : `${stopped} stopped by a budget`,
    batchText(batches, Date.now()),
    stages.size === 0
      ? null
      : `now: ${[...stages].map(([stage, samples]) => `${stage} ${samples}${stepText(steps.get(stage))}`).join(", ")}`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/**
 * `batch 2 of openai:gpt-4.1: 120 requests, sent 12 min ago, 80 done`, for each batch that is being processed; null if
 * there is none.
 */
export function batchText(batches: readonly BatchProgress[], now: number): string | null {
  const running = batches.filter(({ state }) => state === "running");
  if (running.length === 0) return null;
  return running
    .slice(-MOST_BATCHES)
    .map(({ number, model, requests, done, sent_at }) => {
      const ago = Math.max(0, Math.floor((now - sent_at) / 60_000));
      return `batch ${number} of ${model}: ${countOf(requests, "request")}, sent ${ago} min ago, ${done} done`;
    })
    .join("; ");
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return "";
  const { done, total, unit } = step;
  return ` (${Math.round(done)}${total === null ? "" : ` of ${Math.round(total)}`} ${unit})`;
}

/**
 * Prints progress to standard error: a live bar on a terminal, otherwise a plain line after the first second, every few
 * seconds, and at the end. It includes the current stages of the samples, and how far the last one that moved in each
 * stage is. Before the first sample it says that the data are read.
 */
export function evalProgress(): {
  update(progress: RunProgress): void;
  stages(samples: ReadonlyMap<string, number>): void;
  step(stage: string, step: Step): void;
  batches(batches: readonly BatchProgress[]): void;
  done(): void;
} {
  const began = performance.now();
  const live = liveLines();
  let printedAt: number | null = null;
  /** Time of the first progress: reading settings and data is not counted. */
  let first = began;
  let last: RunProgress | undefined;
  let stages: ReadonlyMap<string, number> = new Map();
  const steps = new Map<string, Step>();
  let batches: readonly BatchProgress[] = [];
  const show = () => {
    const due =
      live !== undefined ? LIVE_EVERY_MS : printedAt === null ? FIRST_AFTER_MS : PLAIN_EVERY_MS;
    if (performance.now() - (printedAt ?? first) < due) return;
    printedAt = performance.now();
    const text =
      last === undefined
        ? "Reading the data…"
        : progressText(last, (printedAt - began) / 1000, stages, steps, batches);
    if (live === undefined) process.stderr.write(`${text}\n`);
    else live(last === undefined ? text : `${bar(last)} ${text}`);
  };
  const timer = setInterval(show, FIRST_AFTER_MS);
  timer.unref();
  return {
    update(progress) {
      if (last === undefined) first = performance.now();
      last = progress;
      show();
    },
    stages(samples) {
      stages = samples;
      for (const stage of steps.keys()) if (!samples.has(stage)) steps.delete(stage);
      show();
    },
    step(stage, step) {
      steps.set(stage, step);
      show();
    },
    batches(now) {
      batches = now;
      show();
    },
    done() {
      clearInterval(timer);
      live?.clear();
      if (last !== undefined)
        process.stderr.write(`${progressText(last, (performance.now() - began) / 1000)}\n`);
    },
  };
}

function bar({ done, errors, total }: RunProgress): string {
  const full = total === 0 ? BAR : Math.floor((BAR * (done + errors)) / total);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
}
