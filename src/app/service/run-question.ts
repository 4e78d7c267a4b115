import type { Logger } from "pino";
import { askInStore } from "../../../graphs/ask.ts";
import { needsModel } from "../../../graphs/define-strategy.ts";
import { withEarlier } from "../../../graphs/read-question.ts";
import type { Prompts } from "../../../prompts/load-prompts.ts";
import { openVideo } from "../../../tools/video/video.ts";
import type { Store } from "../../core/contracts.ts";
import { isRecognised } from "../../core/corrections.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import type { Event } from "../../core/events.ts";
import { hashOf } from "../../core/hash.ts";
import { addUsage } from "../../core/shapes.ts";
import type { Budgets } from "./budgets.ts";
import type { ChangeNotifier } from "./change-notifier.ts";
import type { DerivedSize } from "./derived-size.ts";
import { readSet } from "./evidence-sets.ts";
import type { CallerLimits, ServiceOptions } from "./options.ts";
import { messageForCaller } from "./problems.ts";
import type { QuestionMetrics } from "./question-metrics.ts";
import type { QuestionRecord, StoredQuestion } from "./question-record.ts";
import { isAllowed, resolveSettings } from "./request-settings.ts";
import { keepRequest } from "./trace.ts";
import type { Uploads } from "./uploads.ts";
import type { UsageRecorder } from "./usage-recorder.ts";

/** The note that begins each run in the events of a question: `usage` counts the last run only. */
const RUN_STARTED = "begun";

/** Shorter than the time for which the cache of blobs keeps a file that was used. */
const USE_MS = 120_000;

export interface QuestionRunnerContext {
  store: Store;
  options: ServiceOptions;
  /** The operator's prompts, loaded once. */
  prompts: Prompts;
  uploads: Pick<Uploads, "pathOf">;
  derived: Pick<DerivedSize, "refresh">;
  changes: Pick<ChangeNotifier, "notify">;
  metrics: QuestionMetrics;
  log: Logger;
  hidePaths: (text: string) => string;
  usage: UsageRecorder;
}

/** Runs one question within its owner's budget, and reports each event to its record, event streams and metrics. */
export function createQuestionRunner(context: QuestionRunnerContext, budgets: Budgets) {
  const { store, options, prompts, uploads, changes, metrics, log, hidePaths } = context;
  const events = { ...store.events, append: store.events.appendAsHolder };

  function handleEvent(question: StoredQuestion, event: Event): void {
    metrics.onEvent(event);
    if (event.type === "call") {
      const { usage, model, error } = event.call;
      const { stages } = question.record;
      // Not the message: servers repeat what they were asked.
      if (error !== undefined)
        log.warn(
          { question: question.id, stage: event.stage, model, kind: error.kind },
          "a model call failed",
        );
      const at = stages.find(({ stage }) => stage === event.stage);
      if (at === undefined) stages.push({ stage: event.stage, usage });
      else at.usage = addUsage(at.usage, usage);
      question.record.usage = addUsage(question.record.usage, usage);
      budgets
        .spend(question.owner, question.id, usage.paid ?? 0)
        .catch((error: unknown) =>
          log.error({ question: question.id, err: error }, "cannot store what a question spent"),
        );
      const { strategy } = question.record;
      context.usage
        .call({ owner: question.owner, strategy, model }, usage)
        .catch((error: unknown) =>
          log.error({ question: question.id, err: error }, "cannot store what a call used"),
        );
    }
    if (event.type === "stage" && event.seconds !== undefined)
      addTiming(question.record, event.stage, event.seconds);
    changes.notify(question.id);
  }

  return {
    /** Returns the answer and its evidence. Throws `Failure`: `not-found` (the video was removed), and those of `ask`. */
    async run(question: StoredQuestion, limits: CallerLimits, signal: AbortSignal) {
      const { record, id, owner } = question;
      const upload = await store.service.upload(question.upload);
      if (upload === undefined)
        throw new Failure("not-found", "The video of the question was removed.");
      const settings = resolveSettings(record.given, options, options.data, record.asked.task);
      const concurrency = Math.min(options.concurrency, limits.in_flight ?? options.concurrency);
      const reserved = await budgets.reserve(owner, id, limits.cost_a_day, concurrency);
      let using: NodeJS.Timeout | undefined;
      try {
        if (reserved !== null && needsModel(record.strategy))
          settings.budget.cost = Math.min(settings.budget.cost ?? reserved, reserved);
        // A copy that is used now and then stays in the cache.
        using = setInterval(() => void uploads.pathOf(upload).catch(() => {}), USE_MS).unref();
        const path = await uploads.pathOf(upload);
        const video = await openVideo(path, { store, run: "service", signal });
        const given = record.over === null ? undefined : await readSet(store, record.over);
        await events.append(id, "service", Date.now(), { type: "note", text: RUN_STARTED });
        const result = await askInStore({
          video,
          question: withEarlier(record.asked, record.earlier ?? []),
          settings,
          prompts,
          store: { ...store, events },
          given: given?.items.filter(isRecognised),
          names: given?.names,
          undescribed: record.undescribed,
          run: hashOf(["service", id]),
          events: id,
          owner,
          keepRequest: (video, request) => keepRequest(store, video, request),
          mayCall: (model) => isAllowed(model, options),
          signal,
          onEvent: (event) => handleEvent(question, event),
        });
        const { error } = result.answer;
        if (error != null) error.message = hidePaths(error.message);
        return result;
      } finally {
        clearInterval(using);
        await budgets.release(id);
      }
    },
    /** The failure that a caller sees. Errors of the service itself are logged and hidden from the caller. */
    toFailureView(error: unknown, id: string): { kind: string; message: string } {
      if (isFailure(error))
        return { kind: error.kind, message: hidePaths(messageForCaller(error)) };
      log.error({ question: id, err: error }, "a question failed");
      const message = "Internal error. The log of the service has the details.";
      return { kind: "internal", message };
    },
  };
}

export type QuestionRunner = ReturnType<typeof createQuestionRunner>;

/** A stage may run several times. */
function addTiming({ timings }: QuestionRecord, stage: string, seconds: number): void {
  const known = timings.find((timing) => timing.stage === stage);
  if (known === undefined) timings.push({ stage, seconds });
  else known.seconds += seconds;
}
