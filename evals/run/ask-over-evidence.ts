import { join } from "node:path";
import { type AskResult, askInStore } from "../../graphs/ask.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Settings } from "../../src/core/settings.ts";
import { type Answer, type Evidence, EvidenceSet } from "../../src/core/shapes.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import type { Models } from "../../src/models/chat.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import type { Video } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { shifted, variantOf } from "./option-orders.ts";
import type { OpenedRun } from "./prepare-run.ts";
import type { RunLine } from "./run-line.ts";

/* Asks the questions of a finished run again, from evidence that is given. */

export interface OverEvidenceWork {
  store: Store;
  cap: SpendingCap;
  signal: AbortSignal;
  openVideo: (path: string) => Promise<Video>;
  /** Default: the real ones. */
  createModels?: (options: ModelsOptions) => Models;
}

/**
 * Asks a sample from `given`; `purpose` and `attempt` name who pays for the calls. `epoch`: default that of the result; with
 * another one, no reply of the run is used again. Throws as `askInStore`.
 */
export async function askOverEvidence(
  { line, sample, attempt }: { line: RunLine; sample: Sample; attempt: number },
  given: readonly Evidence[],
  run: OpenedRun,
  { store, cap, signal, openVideo, createModels }: OverEvidenceWork,
  { purpose, settings, epoch }: { purpose: string; settings: Settings; epoch?: number },
): Promise<AskResult> {
  const video = await openVideo(join(run.loaded.folder, sample.video));
  const { question: text, task, goal } = sample;
  const { round, shift } = variantOf(line.epoch, run.header.option_orders ?? 1);
  const options = task === "choice" ? shifted(sample, shift).options : undefined;
  return askInStore({
    store,
    video,
    question: readQuestion(video.hash, { text, task, goal, options }),
    settings,
    defaults: run.header.defaults?.[task],
    prompts: run.prompts,
    wording: run.benchmark.wording,
    epoch: epoch ?? round,
    given,
    run: `${run.header.run} ${purpose}${attempt === 0 ? "" : ` again ${attempt}`}`,
    signal,
    createModels,
    cap,
  });
}

/** The run's settings with nothing of the video itself in the calls. */
export function withoutMedia(settings: Settings): Settings {
  return { ...settings, reasoning: { ...settings.reasoning, input: "text" } };
}

/** The evidence set of a result. Throws `Failure` `not-found` if the store does not hold it. */
export async function storedSet({ set, sample }: RunLine, store: Store): Promise<EvidenceSet> {
  const json = set === null ? undefined : await store.catalogue.set(set);
  if (json === undefined)
    throw new Failure(
      "not-found",
      `The store in ${store.folder} does not hold the evidence of sample ${sample}: use the store of the run, or pass its --data-dir.`,
      { sample, set },
    );
  return EvidenceSet.parse(JSON.parse(json));
}

/** Why there is no answer, if the reason is not the evidence. */
export function troubleOf({
  status,
  error,
  limits_met,
}: Answer): { kind: string; message: string } | undefined {
  const [limit] = limits_met;
  if (limit !== undefined && status !== "answered")
    return {
      kind: "limit-met",
      message: `The limit of ${limit} was met before there was an answer.`,
    };
  if (status !== "error") return undefined;
  return (
    error ?? { kind: "unexpected", message: "The strategy returned an error without a message." }
  );
}
