import { checkModels, rolesOverEvidence } from "../../graphs/check-models.ts";
import type { RunLog, Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { readsSetting, type Settings } from "../../src/core/settings.ts";
import { addUsage, NO_USAGE } from "../../src/core/shapes.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import type { Video } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { judgedDollars } from "../judges/judged-dollars.ts";
import {
  askOverEvidence,
  type OverEvidenceWork,
  storedSet,
  troubleOf,
  withoutMedia,
} from "../run/ask-over-evidence.ts";
import { inDataLetters, variantOf } from "../run/option-orders.ts";
import { openCap } from "../run/paid-log.ts";
import { type OpenedRun, type ResumeChanges, reopen } from "../run/prepare-run.ts";
import { type OpenTasks, openTasks, runPool } from "../run/resumable-pool.ts";
import { resumeCommand } from "../run/resume-command.ts";
import { type RunLine, readLine } from "../run/run-line.ts";
import { errorOfSample } from "../run/run-sample.ts";
import { samplesAtOnce } from "../run/samples-at-once.ts";
import { videoOpener } from "../run/video-opener.ts";
import { answerKey } from "../scorers/answer-key.ts";
import { CONDITIONS, type Condition, itemsUnder } from "./conditions.ts";
import { requireCiting } from "./require-citing.ts";
import { type EvidenceTest, newTestHeader, readTest, type TestLine, testLog } from "./test-log.ts";

/** Store and progress of a test of cited evidence. */
export interface EvidenceTestOptions {
  signal?: AbortSignal;
  /** Results tested of those to be tested. */
  onProgress?: (done: number, total: number) => void;
  /** Default: the one in `settings.runtime.data`, closed again afterwards. */
  store?: Store;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
}

/**
 * Asks every answered question of a run again: from all of its evidence, from only what it cites, and from the rest
 * (see `evidence-test/conditions.ts`), texts as texts and frames as frames; and stores the answers in the run's folder. Called again it
 * continues: only what is missing or failed is asked.
 *
 * Throws `Failure`: `wrong-usage` for a strategy that does not choose what it cites; `not-found`, `data-malformed` as
 * `resumeRun`; `store-busy` and whatever else would stop every sample. A failure of only one sample is its error.
 */
export async function testEvidence(
  folder: string,
  changes: ResumeChanges = {},
  options: EvidenceTestOptions = {},
): Promise<EvidenceTest> {
  const run = await reopen(openRunLog(folder), changes);
  const { settings } = run;
  requireCiting(settings.strategy);
  if (options.createModels === undefined) checkModels(settings, rolesOverEvidence(settings));
  const log = testLog(folder);
  const lock = await log.lock();
  const store = options.store ?? (await openStore(settings.runtime.data));
  try {
    const header = newTestHeader(run.header.run);
    await log.writeHeader(header);
    const cap = await openCap(run.log.folder, run.header.total_cost_limit, run.paid, {
      account: { store, run: run.header.run },
      besides: await judgedDollars(run.log.folder, run.header.total_cost_limit),
    });
    const stopped = await testAll(await tasksOf(run, folder), run, { ...options, store, cap }, log);
    const status = stopped === null ? "finished" : statusOf(stopped);
    await log.writeHeader({ ...header, status });
    if (stopped !== null) throw stopped;
    return (await readTest(folder)) as EvidenceTest;
  } finally {
    if (options.store === undefined) await store.close();
    await lock.release();
  }
}

function statusOf(failure: Failure): "stopped" | "failed" {
  return failure.kind === "cancelled" || failure.kind === "limit-met" ? "stopped" : "failed";
}

interface Task {
  line: RunLine;
  sample: Sample;
}

/** Answered results that have no good test yet. */
async function tasksOf({ samples, log }: OpenedRun, folder: string): Promise<OpenTasks<Task>> {
  const [{ samples: lines }, before] = await Promise.all([log.read(), readTest(folder)]);
  const stored = new Map(before?.lines.map((line) => [`${line.epoch} ${line.sample}`, line]));
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const answered = lines
    .map((line) => readLine(line, folder))
    .flatMap((line): Task[] => {
      const sample = byId.get(line.sample);
      if (sample === undefined || line.status !== "answered" || line.answer === null) return [];
      return [{ line, sample }];
    });
  return openTasks(answered, ({ line }) => stored.get(`${line.epoch} ${line.sample}`));
}

type AttemptedTask = Task & { attempt: number };

type Work = EvidenceTestOptions & { store: Store; cap: SpendingCap };

/** Null when all was tested; else what stopped it. */
async function testAll(
  { open, total }: OpenTasks<Task>,
  run: OpenedRun,
  options: Work,
  log: RunLog,
): Promise<Failure | null> {
  let openOnce: ReturnType<typeof videoOpener> | undefined;
  let done = total - open.length;
  options.onProgress?.(done, total);
  const { fatal, capped, cancelled } = await runPool({
    tasks: open,
    width: run.header.max_samples ?? samplesAtOnce(run.settings),
    signal: options.signal,
    cap: options.cap,
    doing: ({ item }) => `testing sample ${item.sample.id}`,
    async run({ item, attempt }, signal) {
      openOnce ??= videoOpener(options.store, run.header.run, signal);
      await log.append(await testLine({ ...item, attempt }, run, { ...options, signal }, openOnce));
      options.onProgress?.(++done, total);
    },
  });
  const resume = resumeCommand("eval", run.log.folder);
  if (cancelled)
    return new Failure("cancelled", `Interrupted: continue with \`${resume} --evidence-test\`.`, {
      resume: `${resume} --evidence-test`,
    });
  if (fatal === null && capped)
    return new Failure(
      "limit-met",
      `The evidence test stopped at --total-cost-limit ${options.cap.limit}: $${options.cap.paid().toFixed(4)} is paid, ${done} of ${total} answers are tested. Continue with a higher limit: \`${resume} --evidence-test --total-cost-limit ...\`.`,
      { limit: options.cap.limit },
    );
  return fatal;
}

async function testLine(
  task: AttemptedTask,
  run: OpenedRun,
  work: Work & { signal: AbortSignal },
  openVideo: (path: string) => Promise<Video>,
): Promise<TestLine> {
  const { line, attempt } = task;
  const began = { at: new Date().toISOString(), ms: performance.now() };
  const base = { sample: line.sample, epoch: line.epoch, attempt, answer: line.answer };
  const ended = () => ({
    started_at: began.at,
    seconds: Math.round(performance.now() - began.ms) / 1000,
  });
  try {
    return { ...base, ...(await askAgain(task, run, { ...work, openVideo })), ...ended() };
  } catch (error) {
    const failed = errorOfSample(error, work.signal);
    const nothing = { cited_s: [], again: null, usage: NO_USAGE };
    return { ...base, ...nothing, error: failed, ...ended() };
  }
}

async function askAgain(
  task: AttemptedTask,
  run: OpenedRun,
  work: OverEvidenceWork,
): Promise<Pick<TestLine, "cited_s" | "again" | "usage" | "error">> {
  const { line, sample } = task;
  if (line.cites.length === 0) return { cited_s: [], again: null, usage: NO_USAGE };
  const items = itemsUnder(await storedSet(line, work.store), line.cites);
  const cited_s = items.cited.map(({ start_s, end_s }): [number, number] => [start_s, end_s]);
  const { round, shift } = variantOf(line.epoch, run.header.option_orders ?? 1);
  const ask = async (condition: Condition): Promise<Asked> => {
    const given = items[condition];
    const { answer } = await askOverEvidence(task, given, run, work, {
      purpose: "evidence test",
      settings: fromEvidenceOnly(run.settings, condition),
      // A stored reply of the run would agree with it whatever the model does.
      epoch: run.header.epochs + round,
    });
    const said = inDataLetters(sample, answer.answer, shift);
    const keyOf = (answer: typeof said) =>
      answer === null ? null : answerKey(run.benchmark, sample, answer);
    const same = keyOf(said) === keyOf(line.answer);
    return {
      usage: answer.usage,
      error: troubleOf(answer),
      again: { evidence: given.length, status: answer.status, answer: said, same },
    };
  };
  const [all, cited, rest] = (await Promise.all(CONDITIONS.map(ask))) as [Asked, Asked, Asked];
  const asked = [all, cited, rest];
  const usage = asked.map((one) => one.usage).reduce(addUsage, NO_USAGE);
  const error = asked.find((one) => one.error !== undefined)?.error;
  if (error !== undefined) return { cited_s, again: null, usage, error };
  return { cited_s, again: { all: all.again, cited: cited.again, rest: rest.again }, usage };
}

interface Asked {
  usage: TestLine["usage"];
  error: TestLine["error"];
  again: NonNullable<TestLine["again"]>["all"];
}

/** Subtitles that are cited are shown whole; else they would be searched for the question's words first. */
function fromEvidenceOnly(settings: Settings, condition: Condition): Settings {
  const own = withoutMedia(settings);
  if (condition !== "cited" || !readsSetting(settings.strategy, "recognition.subtitles"))
    return own;
  return { ...own, recognition: { ...own.recognition, subtitles: "full" } };
}
