import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { questionDefaults } from "../../graphs/question-settings.ts";
import { type Settings, settingsHash } from "../../src/core/settings.ts";
import { version } from "../../src/core/version.ts";
import type { ServerRecord } from "../../tools/mcp/server-record.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { StoredExtractor } from "../score/extractor-settings.ts";
import { modulesForHeader } from "./check-modules.ts";
import { serversForHeader } from "./check-servers.ts";
import type { EvalSettings } from "./eval-settings.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { type EvalHeader, RUN_FORMAT } from "./run-header.ts";

/** The header of a run that begins now. */
export function newRunHeader(
  asked: EvalSettings,
  prepared: PreparedRun,
  servers: readonly ServerRecord[],
): EvalHeader {
  const { loaded, samples, skipped, prompts, benchmark } = prepared;
  const now = new Date().toISOString();
  return {
    run: randomUUID(),
    format: RUN_FORMAT,
    status: "running",
    ended_by: null,
    created_at: now,
    updated_at: now,
    versions: { "video-rrd": version(), node: process.versions.node },
    benchmark: benchmark.name,
    data: {
      folder: loaded.folder,
      path: resolve(asked.data),
      files: loaded.files,
      hash: loaded.hash,
      subset: asked.subset,
      ...(Object.keys(asked.load).length === 0 ? {} : { load: asked.load }),
      samples: loaded.samples.length,
      notes: loaded.notes,
    },
    selection: {
      limit: asked.limit,
      sample_id: asked.sample_id,
      sample_shuffle: asked.sample_shuffle,
      skip_missing: asked.skip_missing,
      asked: samples.length,
      skipped: skipped.map((sample) => sample.id),
      ...(prepared.left_out === null ? {} : { left_out: prepared.left_out }),
    },
    epochs: asked.epochs,
    ...(asked.option_orders === 1 ? {} : { option_orders: asked.option_orders }),
    descriptions: asked.descriptions,
    ...(asked.gold === null ? {} : { gold: asked.gold }),
    settings: asked.settings,
    settings_hash: settingsHash(asked.settings),
    ...modulesForHeader(),
    ...serversForHeader(servers),
    defaults: defaultsByTask(asked.settings, samples, benchmark),
    prompts: prompts.hashes(),
    prompts_replaced: prompts.replaced,
    protocol: prepared.protocol,
    extractor: StoredExtractor.parse(prepared.extractor),
    scorers: asked.scorers,
    wordings: prepared.wordings,
    certificate: prepared.certificate,
    max_samples: asked.max_samples,
    fail_on_error: asked.fail_on_error,
    total_cost_limit: asked.total_cost_limit,
    ...(asked.workers === "remote"
      ? { workers: "remote" as const, sample_tries: asked.sample_tries }
      : {}),
    ...(asked.keep_requests ? { keep_requests: true } : {}),
  };
}

/** What the strategy takes for settings that are not set, for each task of the samples. */
function defaultsByTask(
  settings: Settings,
  samples: readonly Sample[],
  { wording }: Benchmark,
): NonNullable<EvalHeader["defaults"]> {
  const tasks = [...new Set(samples.map(({ task }) => task))];
  return Object.fromEntries(tasks.map((task) => [task, questionDefaults(settings, task, wording)]));
}
