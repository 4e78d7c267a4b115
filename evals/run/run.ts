import { join, resolve } from "node:path";
import { rolesOf } from "../../graphs/check-models.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { openServerTools } from "../../graphs/toolbox/server-tools.ts";
import type { RunLog, Store } from "../../src/core/contracts.ts";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { unscoredTasks, unscoredText } from "../score/scorer-choice.ts";
import { joinRun, refuseRemote } from "../workers/join-run.ts";
import { runKey } from "../workers/run-key.ts";
import { checkRun } from "./check-run.ts";
import { checkServers } from "./check-servers.ts";
import { type EvalSettings, readEvalSettings } from "./eval-settings.ts";
import { executeRun } from "./execute-run.ts";
import { newRunHeader } from "./new-run-header.ts";
import { loadData, prepare, progressExtractor, type ResumeChanges, reopen } from "./prepare-run.ts";
import { remainingTasks } from "./remaining-tasks.ts";
import { checkBatchServers } from "./run-batches.ts";
import { type EvalHeader, readEvalHeader } from "./run-header.ts";
import type { RunEnd, RunOptions } from "./run-options.ts";
import { refuseAllMissing } from "./selection.ts";
import { writeQuestions } from "./stored-samples.ts";

export type { RunEnd, RunOptions } from "./run-options.ts";

/**
 * Runs a benchmark by the settings of `readEvalSettings` and keeps the results in `folder`, one sample after another as
 * they come. What fails for one sample alone is kept as its error.
 *
 * Throws `Failure`: `wrong-setting`; `wrong-usage` where the folder holds a run already; `not-found` for data that is
 * missing or still packed; `data-malformed`; `store-busy`; and what would stop every sample (`missing-key`, `disk-full`
 * ...), after which `resumeRun` goes on.
 */
export async function startRun(
  input: unknown,
  folder: string,
  options: RunOptions = {},
): Promise<RunEnd> {
  const asked = withWholePaths(readEvalSettings(input));
  if (asked.workers === "remote") refuseRemote(asked);
  // First, because data need no key, no server and no money.
  const data = await loadData(asked);
  if (options.createModels === undefined) {
    await checkRun(asked, asked.total_cost_limit);
    await checkBatchServers(asked.settings, rolesOf(asked.settings), options.signal);
  }
  const prepared = await prepare(asked, data);
  if (strategies.get(asked.settings.strategy).withoutVideo === undefined)
    refuseAllMissing(prepared.samples, prepared.loaded.folder);
  const log = openRunLog(folder);
  const { mcp } = asked.settings.runtime;
  if (asked.workers === "remote" && (await isSubmitted(log, newRunHeader(asked, prepared, []))))
    return resumeRun(folder, mcp === null ? {} : { runtime: { mcp } }, options);
  await refuseSecond(log);
  const servers = await openServerTools(asked.settings.runtime, options.signal);
  const lock = await log.lock().catch(async (error: unknown) => {
    await servers.release();
    throw error;
  });
  let shared: Store | undefined;
  let ownStore = false;
  try {
    // Another process may have begun one meanwhile.
    await refuseSecond(log);
    const { samples, benchmark } = prepared;
    for (const one of unscoredTasks(benchmark, samples)) options.onNote?.(unscoredText(one));
    const planned = newRunHeader(asked, prepared, servers.records);
    if (asked.workers === "remote") {
      shared = options.store ?? (await openStore(asked.settings.runtime.data));
      ownStore = options.store === undefined;
    }
    const header = shared === undefined ? planned : await joinRun(shared, planned, asked);
    await writeQuestions(log.folder, samples);
    await log.writeHeader(header);
    const left = remainingTasks(samples, asked, [], progressExtractor(header, benchmark));
    const run = { ...prepared, ...left, log, header, settings: asked.settings };
    const ended = await executeRun(run, {
      ...options,
      ...(shared === undefined ? {} : { store: shared }),
    });
    return { ...ended, samples };
  } finally {
    if (ownStore) await shared?.close();
    await servers.release();
    await lock.release();
  }
}

/** Whether the folder holds the same run, which workers answer: the same command collects its results. */
async function isSubmitted(log: RunLog, planned: EvalHeader): Promise<boolean> {
  const there = await readEvalHeader(log).catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  return there?.workers === "remote" && runKey(there) === runKey(planned);
}

/** The run may go on from another folder. Remote workers look for data of tesseract in their own folder. */
function withWholePaths(asked: EvalSettings): EvalSettings {
  const { runtime, recognition } = asked.settings;
  const { data, prompts, prices, mcp } = runtime;
  const whole = (path: string | null) => (path === null ? null : resolve(path));
  const paths = {
    ...{ data: resolve(data), prompts: whole(prompts), prices: whole(prices), mcp: whole(mcp) },
  };
  const { ocr_data } = recognition;
  return {
    ...asked,
    settings: {
      ...asked.settings,
      runtime: { ...runtime, ...paths },
      recognition: {
        ...recognition,
        ocr_data: asked.workers === "remote" ? ocr_data : whole(ocr_data),
      },
    },
  };
}

/**
 * Goes on with a run: asks what is missing and what failed; good results stay. Throws as `startRun`, and `not-found`,
 * `store-format` (the run of a newer version), and `data-malformed` where data or prompts are no longer those that the
 * run began with.
 */
export async function resumeRun(
  folder: string,
  changes: ResumeChanges = {},
  options: RunOptions = {},
): Promise<RunEnd> {
  const log = openRunLog(folder);
  // Read before the lock is taken, which would make the folder.
  await readEvalHeader(log);
  const lock = await log.lock();
  let endServers = async () => {};
  try {
    const opened = await reopen(log, changes);
    const { runtime } = opened.settings;
    const servers = await openServerTools(runtime, options.signal);
    endServers = servers.release;
    checkServers(opened.header.mcp, servers.records, log.folder);
    const { settings, header } = opened;
    if (header.workers === "remote") refuseRemote({ gold: header.gold ?? null, settings });
    if (options.createModels === undefined) {
      const { descriptions, gold, total_cost_limit } = header;
      await checkRun({ settings, descriptions, gold }, total_cost_limit);
      await checkBatchServers(settings, rolesOf(settings), options.signal);
    }
    return await executeRun(opened, options);
  } finally {
    await endServers();
    await lock.release();
  }
}

async function refuseSecond(log: RunLog): Promise<void> {
  const there = await log.readHeader().catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  if (there === null) return;
  throw new Failure(
    "wrong-usage",
    `${log.folder} already holds a run (${there.status}). Continue it with \`eval --resume ${log.folder}\`, or choose another folder.`,
    { folder: log.folder },
  );
}

/** A folder that no run has taken: `runs/vcrbench-direct-20260801-093000`. */
export function newRunFolder({ benchmark, settings }: EvalSettings, now = new Date()): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return resolve(join("runs", `${benchmark}-${settings.strategy}-${stamp}`));
}
