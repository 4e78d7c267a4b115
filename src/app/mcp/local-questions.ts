import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import pLimit from "p-limit";
import { Failure, isFailure } from "../../core/errors.ts";
import type { Settings } from "../../core/settings.ts";
import type { EvidenceSet } from "../../core/shapes.ts";
import { isAllowed, resolveSettings } from "../service/request-settings.ts";
import { firstOf } from "./background-jobs.ts";
import { readClientSettings } from "./client-settings.ts";
import type { AskedQuestion, AskRequest, McpHost, McpQuestions } from "./host.ts";
import type { McpCall } from "./mcp-call.ts";
import { inputOf } from "./question-input.ts";
import { stageMessage } from "./stage-message.ts";
import { readAnswer, type StoredAnswer, storeAnswer } from "./stored-answers.ts";

/** Questions that run at once; others wait. */
const MOST_RUNNING = 2;
/** Questions that run or wait. */
const MOST_OPEN = 16;
/** Ended questions whose answers are remembered. */
const MOST_ENDED = 200;

interface OpenQuestion {
  asked: AskedQuestion;
  settings: Settings;
  stored: StoredAnswer | null;
  abort: AbortController;
  waiting: Set<McpCall>;
  done: Promise<void>;
}

/** Questions of a client on this machine. Those that run end with the process; answers stay in the store. */
export function createLocalQuestions(host: Omit<McpHost, "questions">): McpQuestions & {
  close(): Promise<void>;
} {
  const questions = new Map<string, OpenQuestion>();
  const places = pLimit(MOST_RUNNING);

  /** The answer to a question of this process or of an earlier one. Throws `Failure` `not-found`. */
  async function storedOf(id: string): Promise<StoredAnswer> {
    const known = questions.get(id);
    if (known?.stored != null) return known.stored;
    if (known !== undefined)
      throw new Failure(
        "not-found",
        `The question ${id} has no answer. Its state is ${known.asked.state}.`,
        { id },
      );
    const stored = await readAnswer(id, await host.store());
    if (stored !== null && (await host.mayRead(stored.question.video))) return stored;
    throw new Failure(
      "not-found",
      `Unknown question ${JSON.stringify(id)}. Ask it again; replies that were paid for are stored.`,
      { id },
    );
  }

  function forgetOldest(): void {
    const ended = [...questions].filter(([, { asked }]) => !isOpen(asked));
    for (const [id] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) questions.delete(id);
  }

  async function answer(one: OpenQuestion, request: AskRequest): Promise<void> {
    const { asked, settings, abort } = one;
    const { signal } = abort;
    const progress = (message: string) => {
      asked.doing = message;
      for (const call of one.waiting) call.progress(message);
    };
    try {
      const { askInStore } = await import("../../../graphs/ask.ts");
      const { readAskedQuestion } = await import("../../../graphs/read-question.ts");
      signal.throwIfAborted();
      asked.state = "running";
      progress("open video");
      const video = await host.openVideo(request.video, { signal, progress });
      const question = readAskedQuestion(video.hash, inputOf(request));
      asked.question = question;
      const result = await askInStore({
        ...{ video, question, settings, signal },
        prompts: await host.prompts(),
        store: await host.store(),
        owner: host.owner,
        mayCall: (model) => isAllowed(model, host.own),
        onEvent: (event) => progress(stageMessage(event.stage, event)),
      });
      const { answer, evidence, events } = result;
      const { strategy } = settings;
      one.stored = { video: request.video, question, answer, evidence, events, strategy };
      await storeAnswer(asked.id, one.stored, await host.store());
      asked.answer = answer;
      asked.state = result.answer.status === "error" ? "failed" : "answered";
    } catch (error) {
      asked.state = signal.aborted ? "cancelled" : "failed";
      const kind = isFailure(error) ? error.kind : "internal";
      if (!signal.aborted) asked.failure = { kind, message: host.explain(error) };
    }
  }

  return {
    async ask(request) {
      const { readAskedQuestion } = await import("../../../graphs/read-question.ts");
      const { billedRoles, checkModels } = await import("../../../graphs/check-models.ts");
      const { checkPrices } = await import("../../models/check-prices.ts");
      const { checkTask } = await import("../service/validate-question.ts");
      const given = readClientSettings(request.settings, host.own);
      const settings = resolveSettings(given, host.own, host.data);
      checkModels(settings);
      await checkPrices(settings, null, billedRoles(settings));
      // Any hash does: only what the client wrote is checked.
      const { task, ...rest } = readAskedQuestion("0".repeat(64), inputOf(request));
      checkTask({ task, ...rest });
      const forTask = resolveSettings(given, host.own, host.data, task);
      const open = [...questions.values()].filter(({ asked }) => isOpen(asked)).length;
      if (open >= MOST_OPEN)
        throw new Failure(
          "limit-met",
          `${open} questions are open, which is the limit. Wait for their answers.`,
          { most: MOST_OPEN },
        );
      const id = randomUUID();
      const none = { question: null, answer: null, failure: null, doing: null };
      const one: OpenQuestion = {
        asked: { id, video: request.video, state: "queued", ...none },
        settings: forTask,
        stored: null,
        abort: new AbortController(),
        waiting: new Set(),
        done: Promise.resolve(),
      };
      questions.set(id, one);
      forgetOldest();
      one.done = places(() => answer(one, request));
      return id;
    },
    async wait(id, ms, call) {
      const one = questions.get(id);
      if (one === undefined) return endedEarlier(id, await storedOf(id));
      one.waiting.add(call);
      try {
        await firstOf(one.done, ms, call.signal);
      } finally {
        one.waiting.delete(call);
      }
      return { ...one.asked };
    },
    async cancel(id) {
      const one = questions.get(id);
      one?.abort.abort();
      await one?.done;
    },
    evidence: async (id): Promise<EvidenceSet> => (await storedOf(id)).evidence,
    async page(id) {
      const { illustratedPage } = await import("../../../tools/evidence-page.ts");
      const { video: given, ...answered } = await storedOf(id);
      const signal = new AbortController().signal;
      const file = await host.openVideo(given, { signal, progress: () => undefined });
      const video = { name: basename(file.path), duration_s: file.probe.duration_s };
      return illustratedPage({ ...answered, video }, await host.store());
    },
    answered: async () =>
      [...questions.values()]
        .flatMap(({ asked, stored }) =>
          stored === null ? [] : [{ id: asked.id, text: stored.question.text }],
        )
        .reverse(),
    async close() {
      const all = [...questions.values()];
      for (const { abort } of all) abort.abort();
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

function endedEarlier(id: string, { video, question, answer }: StoredAnswer): AskedQuestion {
  const state = answer.status === "error" ? "failed" : "answered";
  return { id, video, state, question, answer, failure: null, doing: null };
}

function isOpen({ state }: AskedQuestion): boolean {
  return state === "queued" || state === "running";
}
