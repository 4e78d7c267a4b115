import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { checkModels } from "../../graphs/check-models.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { RunLog, Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import { money } from "../../src/core/money.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { BatchProgress } from "../../src/models/batch/batches.ts";
import type { Models } from "../../src/models/chat.ts";
import { checkPrices } from "../../src/models/check-prices.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { modelOf } from "../../src/models/name.ts";
import { openStore } from "../../src/storage/open.ts";
import { modulesForHeader } from "../run/check-modules.ts";
import { openCap } from "../run/paid-log.ts";
import { type OpenTasks, openTasks, runPool } from "../run/resumable-pool.ts";
import { checkBatchServers, checkRunBatches, openRunBatches } from "../run/run-batches.ts";
import { samplesAtOnce } from "../run/samples-at-once.ts";
import type { Results } from "../score/read-results.ts";
import { judgeFor } from "./define-judge.ts";
import type { Judge, Subject } from "./judge.ts";
import { judgeReply, type ReplyWork } from "./judge-reply.ts";
import {
  type JudgeAsked,
  type JudgeInput,
  judgeRuns,
  judgeSettings,
  judgingIdentity,
  readJudgeInput,
} from "./judge-settings.ts";
import {
  type JudgementLine,
  type Judging,
  type JudgingHeader,
  judgingLog,
  newJudgingHeader,
  readJudging,
} from "./judging.ts";
import { countOutdated, replyKey } from "./reply-key.ts";
import { subjectsOf } from "./subjects.ts";

/** Where judgements are kept, and what they may cost. */
export interface JudgeOptions {
  /** Where the judgements go: the run's folder, or one for those on a response file. */
  folder: string;
  /** Folder or file of the data, where a response file does not say where its videos lie. */
  data?: string;
  /** Only these samples, right or wrong. */
  only?: ReadonlySet<string>;
  signal?: AbortSignal;
  /** Dollars that this judging may pay in all, those of earlier processes included. Default: any. */
  total_cost_limit?: number | null;
  /** Is told the dollars that this judging has paid in all, those of earlier processes included, when it ends. */
  onPaid?: (dollars: number) => void;
  /** The command that continues after a limit, without its flag; default: the same command. */
  resume?: string;
  /** The batches of `--batch`, whenever one changes. */
  onBatches?: (batches: readonly BatchProgress[]) => void;
  onNote?: (text: string) => void;
  /** Judgements that are stored, of those asked for. */
  onProgress?: (done: number, total: number) => void;
  /** Default: the one in `settings.runtime.data`, closed again afterwards. */
  store?: Store;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
}

/**
 * Has the replies of a run or response file judged and keeps every judgement as it comes. Called again it continues:
 * only what failed or is missing is asked. A judge that needs the critique of another one has that asked first, once.
 *
 * Throws `Failure`: `wrong-setting`; `wrong-usage` for a kind that does not judge the benchmark; `missing-key`,
 * `unknown-model`, `store-busy` and whatever else would stop every judgement. What fails for one reply alone is kept
 * as its error.
 */
export async function judgeResults(
  results: Results,
  input: JudgeInput,
  options: JudgeOptions,
): Promise<Judging> {
  const asked = readJudgeInput(input);
  return judgeWith(judgeFor(asked.kind, results.benchmark), results, asked, options);
}

/** As `judgeResults`, by a judge that need not be known by name. */
export async function judgeWith(
  judge: Judge<unknown>,
  results: Results,
  asked: JudgeAsked,
  options: JudgeOptions,
): Promise<Judging> {
  const store = results.header?.settings.runtime as { data?: string } | undefined;
  const settings = judgeSettings(asked, judge, store?.data);
  if (options.createModels === undefined) {
    checkModels(settings, ["judge"]);
    checkRunBatches(settings, ["judge"]);
    await checkBatchServers(settings, ["judge"], options.signal);
    await checkPrices(settings, options.total_cost_limit ?? null, ["judge"]);
  }
  const opened = options.store ?? (await openStore(settings.runtime.data));
  const paid = { others: 0 };
  try {
    const work = { ...options, store: opened, paid };
    const critiques =
      judge.after === undefined
        ? undefined
        : await critiquesBy(judgeFor(judge.after, results.benchmark), results, asked, work);
    return await judgeAll(judge, results, asked, work, critiques);
  } finally {
    options.onPaid?.(paid.others);
    if (options.store === undefined) await opened.close();
  }
}

/** `paid.others`: dollars of the kinds that were judged before, for the same limit. */
type OpenedOptions = JudgeOptions & { store: Store; paid: { others: number } };

interface Task {
  subject: Subject;
  /** Judge run, from 1. */
  run: number;
}

async function judgeAll(
  judge: Judge<unknown>,
  results: Results,
  asked: JudgeAsked,
  options: OpenedOptions,
  critiques?: ReadonlyMap<string, string | null>,
): Promise<Judging> {
  const { text_only, limit, extractor } = asked;
  const { kind } = judge;
  const settings = judgeSettings(asked, judge, options.store.folder);
  const all = subjectsOf(judge, results, extractor, options.only).subjects;
  const subjects = limit === null ? all : all.slice(0, limit);
  const prompts = await loadPrompts(settings.runtime.prompts);
  const hashes = Object.fromEntries(
    [...judge.prompts, "judges/repair" as const].map((prompt) =>
      typeof prompt === "string" ? [prompt, prompts.hashes()[prompt]] : [prompt.name, prompt.hash],
    ),
  );
  const name = modelOf(settings, "judge");
  const identity = hashOf({
    ...judgingIdentity(judge, settings, hashes, text_only),
    modules: modulesForHeader().modules?.map(({ sha256 }) => sha256),
  });
  const log = judgingLog(options.folder, kind, name, identity);
  const lock = await log.lock();
  try {
    const before = await readJudging(log);
    const header: JudgingHeader = {
      ...(before?.header ??
        newJudgingHeader({
          run: identity,
          kind,
          judge: name,
          benchmark: results.benchmark.name,
          settings,
          prompts: hashes,
          text_only,
          ...modulesForHeader(),
        })),
      status: "running",
    };
    const tasks = tasksOf(subjects, judgeRuns(asked), before?.lines ?? []);
    const outdated = countOutdated(
      subjects,
      (before?.lines ?? []).map(({ sample }) => sample),
    );
    if (outdated > 0) options.onNote?.(outdatedText(outdated));
    const known = (before?.lines ?? []).reduce((sum, { usage }) => sum + (usage.paid ?? 0), 0);
    const { total_cost_limit: total = null, paid } = options;
    const cap = await openCap(log.folder, total === null ? null : total - paid.others, known);
    const work = {
      cap,
      judge,
      prompts,
      settings,
      store: options.store,
      run: identity,
      videos: await videoFolder(results, options.data),
      text_only,
      critiques,
      createModels: options.createModels,
    };
    await log.writeHeader(header);
    const ended = await runTasks(tasks, work, log, options);
    paid.others += cap.paid();
    await log.writeHeader({ ...header, status: ended === null ? "finished" : statusOf(ended) });
    if (ended !== null) throw ended;
    return (await readJudging(log)) as Judging;
  } finally {
    await lock.release();
  }
}

function outdatedText(count: number): string {
  return `The stored judgements of ${count} ${count === 1 ? "reply" : "replies"} belong to an earlier question or reference, or to an older version: ${count === 1 ? "the reply is" : "these replies are"} judged again.`;
}

/** Dollars with at most four decimals. */
function shown(dollars: number | null): string {
  return String(Number((dollars ?? 0).toFixed(4)));
}

function statusOf(failure: Failure): "stopped" | "failed" {
  return failure.kind === "cancelled" || failure.kind === "limit-met" ? "stopped" : "failed";
}

/** What has no judgement yet, judge run by judge run. */
function tasksOf(
  subjects: readonly Subject[],
  runs: number,
  lines: readonly JudgementLine[],
): OpenTasks<Task> {
  const stored = new Map(lines.map((line) => [`${line.epoch} ${line.sample}`, line]));
  const all = Array.from({ length: runs }, (_, index) =>
    subjects.map((subject): Task => ({ subject, run: index + 1 })),
  ).flat();
  return openTasks(all, ({ run, subject }) => stored.get(`${run} ${replyKey(subject)}`));
}

/** Null when all was judged; else what stopped it. */
async function runTasks(
  { open, total }: OpenTasks<Task>,
  work: ReplyWork & { cap: SpendingCap },
  log: RunLog,
  options: OpenedOptions,
): Promise<Failure | null> {
  const { signal, onProgress, resume = "the same command", total_cost_limit = null } = options;
  let done = total - open.length;
  onProgress?.(done, total);
  const batched = await openRunBatches(work.settings, {
    ...{ data: options.store.folder, run: work.run, width: samplesAtOnce(work.settings) },
    ...{ onBatches: options.onBatches, onNote: options.onNote },
    resume: "the same command",
  });
  const context = { ...work, batches: batched.batches };
  const { fatal, capped, cancelled } = await runPool({
    tasks: open,
    width: batched.width,
    signal,
    cap: work.cap,
    doing: ({ item }) => `judging sample ${item.subject.sample.id}`,
    async run({ item: { subject, run }, attempt }, inner) {
      const line = await batched.sample(() =>
        judgeReply(subject, run, attempt, { ...context, signal: inner }),
      );
      await log.append(line);
      onProgress?.(++done, total);
    },
  }).finally(() => batched.close(done === total));
  if (cancelled)
    return new Failure("cancelled", "Interrupted: run the same command again to continue.");
  if (fatal === null && capped)
    return new Failure(
      "limit-met",
      `The judging stopped at --total-cost-limit, which left it $${shown(total_cost_limit)}: ${money(work.cap.paid())} is paid, ${done} of ${total} judgements are there. Run ${resume} with a higher --total-cost-limit to continue.`,
      { limit: total_cost_limit },
    );
  return fatal;
}

/** The critiques of a judge that is asked once, by reply; null for what was not judged, nothing for what failed. */
async function critiquesBy(
  judge: Judge<unknown>,
  results: Results,
  asked: JudgeAsked,
  work: OpenedOptions,
): Promise<Map<string, string | null>> {
  const once = { ...asked, kind: judge.kind, judge_runs: 1 };
  const { lines } = await judgeAll(judge, results, once, work);
  return new Map(
    lines
      .filter((line) => line.epoch === 1 && line.error === undefined)
      .map((line) => {
        const read = judge.value.safeParse(line.parts[0]?.value);
        return [line.sample, read.success ? (judge.critiqueOf?.(read.data) ?? null) : null];
      }),
  );
}

/** The folder that the paths of the samples' videos start from; null if unknown. */
async function videoFolder(results: Results, data: string | undefined): Promise<string | null> {
  if (data === undefined) return results.header?.data.folder ?? null;
  const path = resolve(data);
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() ?? false;
  return isFolder ? path : dirname(path);
}
