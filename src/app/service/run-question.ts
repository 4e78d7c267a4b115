import type { Logger } from "pino";
import { askInStore } from "../../../graphs/ask.ts";
import { needsModel } from "../../../graphs/define-strategy.ts";
import type { Prompts } from "../../../prompts/load.ts";
import { openVideo } from "../../../tools/video/video.ts";
import type { Store } from "../../core/contracts.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import type { Event } from "../../core/events.ts";
import { hashOf } from "../../core/hash.ts";
import { addUsage } from "../../core/shapes.ts";
import type { Budgets } from "./budgets.ts";
import type { Wakes } from "./change-notifier.ts";
import type { DerivedSize } from "./derived-size.ts";
import { isRecognised, readSet } from "./evidence-sets.ts";
import type { Metrics } from "./metrics.ts";
import type { CallerLimits, ServiceOptions } from "./options.ts";
import type { Quota } from "./quota.ts";
import type { Kept } from "./record.ts";
import { settingsFor } from "./settings-given.ts";
import type { Uploads } from "./uploads.ts";

/** Marks where a run of a question begins among its events: usage is that of the last run. */
const BEGUN = "begun";

export interface AnsweringParts {
  store: Store;
  options: ServiceOptions;
  /** The operator's own, read once. */
  prompts: Prompts;
  uploads: Uploads;
  quota: Quota;
  derived: DerivedSize;
  wakes: Wakes;
  metrics: Metrics;
  log: Logger;
  hidePaths: (text: string) => string;
}

/** Runs one question of the service within its owner's money, and tells its record, streams and figures each step. */
export function createAnswering(parts: AnsweringParts, budgets: Budgets) {
  const { store, options, prompts, uploads, wakes, metrics, log, hidePaths } = parts;

  function hear(kept: Kept, event: Event): void {
    metrics.onEvent(event);
    if (event.type === "call") {
      const { usage } = event.call;
      const { stages } = kept.record;
      const at = stages.find(({ stage }) => stage === event.stage);
      if (at === undefined) stages.push({ stage: event.stage, usage });
      else at.usage = addUsage(at.usage, usage);
      kept.record.usage = addUsage(kept.record.usage, usage);
      budgets
        .spend(kept.owner, kept.id, usage.paid ?? 0)
        .catch((error: unknown) =>
          log.error({ question: kept.id, err: error }, "spending was not kept"),
        );
    }
    wakes.wake(kept.id);
  }

  return {
    /** Throws `Failure`: `not-found` where the video was removed, and those of asking. */
    async answer(kept: Kept, limits: CallerLimits, signal: AbortSignal) {
      const { record, id, owner } = kept;
      const upload = await store.service.upload(kept.upload);
      if (upload === undefined)
        throw new Failure("not-found", "Expected the video of the question, but it was removed.");
      const settings = settingsFor(record.given, options, options.data);
      const at_once = Math.min(options.at_once, limits.in_flight ?? options.at_once);
      const booked = await budgets.book(owner, id, limits.cost_a_day, at_once);
      try {
        if (booked !== null && needsModel(record.strategy))
          settings.budget.cost = Math.min(settings.budget.cost ?? booked, booked);
        const video = await openVideo(uploads.pathOf(upload), { store, run: "service", signal });
        const given = record.over === null ? undefined : await readSet(store, record.over);
        await store.events.append(id, "service", Date.now(), { type: "note", text: BEGUN });
        const asking = await askInStore({
          video,
          question: record.asked,
          settings,
          prompts,
          store,
          given: given?.items.filter(isRecognised),
          run: hashOf(["service", id]),
          events: id,
          owner,
          signal,
          onEvent: (event) => hear(kept, event),
        });
        const { error } = asking.answer;
        if (error != null) error.message = hidePaths(error.message);
        return asking;
      } finally {
        await budgets.release(id);
      }
    },
    /** What a person is told of an error that ended a question; what is ours stands in the log. */
    failureOf(error: unknown, id: string): { kind: string; message: string } {
      if (isFailure(error)) return { kind: error.kind, message: hidePaths(error.message) };
      log.error({ question: id, err: error }, "a question failed");
      const message = "Something went wrong here; the log of the service has it.";
      return { kind: "internal", message };
    },
  };
}
