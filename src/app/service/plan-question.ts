import { namesOverEvidence } from "../../../graphs/answer-question.ts";
import { checkModels } from "../../../graphs/check-models.ts";
import { needsModel } from "../../../graphs/define-strategy.ts";
import { readAskedQuestion } from "../../../graphs/read-question.ts";
import type { QuestionRow, Store, UploadRow } from "../../core/contracts.ts";
import { modelOf } from "../../models/name.ts";
import type { ClipView, NewQuestion } from "./api.ts";
import type { Caller } from "./auth.ts";
import { readSet, withoutEvidence } from "./evidence-sets.ts";
import { earlierAnswers } from "./follow-ups.ts";
import { keyPlaceOf, type ServiceOptions } from "./options.ts";
import { httpProblem, notFound } from "./problems.ts";
import { undescribedClips, withClips } from "./question-clips.ts";
import { checkPriced } from "./question-limits.ts";
import { newQuestionRecord, type QuestionRecord, type StoredQuestion } from "./question-record.ts";
import { parseRequestSettings, resolveSettings } from "./request-settings.ts";
import { checkTask, videoOf } from "./validate-question.ts";

/** Turns requests into records of questions, validated before they are queued. `current` parses the row of a question. */
export function createPlanner(
  { store, options }: { store: Store; options: ServiceOptions },
  current: (row: QuestionRow) => StoredQuestion,
) {
  /** The record of a new question, validated. Throws as `parseRequestSettings` and `readAskedQuestion`, and a 422 problem. */
  async function plan(
    caller: Caller,
    upload: UploadRow,
    request: NewQuestion,
  ): Promise<QuestionRecord> {
    const { settings: requested = {}, follows, ...input } = request;
    const given = parseRequestSettings(requested, options);
    const settings = resolveSettings(given, options, options.data);
    checkModels(settings, undefined, keyPlaceOf(options));
    await checkPriced(settings, caller, options);
    const asked = readAskedQuestion(videoOf(upload), input);
    checkTask(asked);
    // Refuses settings that do not fit the task.
    resolveSettings(given, options, options.data, asked.task);
    const { strategy } = settings;
    const model = needsModel(strategy) ? modelOf(settings, "reasoner") : null;
    const about = { asked, strategy, model, given };
    if (follows === undefined) return newQuestionRecord(about);
    const row = await store.service.question(follows);
    if (row === undefined || row.owner !== caller.owner) throw notFound("a question to follow");
    const earlier = earlierAnswers(current(row), upload, asked);
    return newQuestionRecord({ ...about, follows, earlier });
  }

  /** The record of a question that reasons again over the current evidence of `question`. Throws a 409 problem. */
  async function planAgain(caller: Caller, question: StoredQuestion): Promise<QuestionRecord> {
    const { asked, strategy, model, given, set, follows, earlier } = question.record;
    if (set === null) throw withoutEvidence(question.record);
    if (!namesOverEvidence().includes(strategy))
      throw httpProblem(
        409,
        "wrong-strategy",
        `The strategy \`${strategy}\` answers from the video itself and ignores corrected evidence. Ask again with one of ${namesOverEvidence().join(", ")}.`,
      );
    await checkPriced(resolveSettings(given, options, options.data, asked.task), caller, options);
    const about = { asked, strategy, model, given, follows, earlier };
    const { items } = await readSet(store, set);
    const known = question.record.clips ?? (await clipsOfAnswer(question));
    const clips =
      asked.task === "order"
        ? { clips: withClips(known, items), undescribed: await undescribedOf(question) }
        : {};
    const basis = { from: question.id, over: set, ...clips };
    return newQuestionRecord(about, basis);
  }

  /** For questions that were answered before their clips were stored. */
  async function clipsOfAnswer({ record: { answer } }: StoredQuestion): Promise<ClipView[]> {
    return answer === null ? [] : withClips([], (await readSet(store, answer.set)).items);
  }

  async function undescribedOf({ record }: StoredQuestion): Promise<number[]> {
    const { answer } = record;
    return undescribedClips(
      record,
      answer === null ? [] : (await readSet(store, answer.set)).items,
    );
  }

  return { plan, planAgain };
}
