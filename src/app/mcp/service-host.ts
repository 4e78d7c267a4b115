import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { loadPrompts, type Prompts } from "../../../prompts/load-prompts.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { Failure } from "../../core/errors.ts";
import { questionText } from "../../pages/answer-words.js";
import { readSet } from "../service/evidence-sets.ts";
import { exportPage } from "../service/export-question.ts";
import { toProblemResponse } from "../service/problems.ts";
import { isOpen, type StoredQuestion } from "../service/question-record.ts";
import { resolveSettings } from "../service/request-settings.ts";
import { hasRole } from "../service/roles.ts";
import { ownQuestion, ownVideo, type ServiceContext } from "../service/service-context.ts";
import { newId } from "../service/uploads.ts";
import { allowFolders } from "./allowed-folders.ts";
import { readClientSettings } from "./client-settings.ts";
import type { CurrentCaller } from "./current-caller.ts";
import type { AskedQuestion, McpHost, McpQuestions, RunFolders } from "./host.ts";
import { inputOf } from "./question-input.ts";

/** Shortest time between two looks at a question that is waited for. */
const LOOK_MS = 200;
const MOST_PAGES = 100;

/** The service on behalf of one key: its own uploads and questions, within its quotas and limits. */
export function createServiceHost(context: ServiceContext, now: CurrentCaller): McpHost {
  const { store, options, uploads, quota } = context;
  const { owner } = now.caller;
  let prompts: Promise<Prompts> | undefined;
  return {
    owner,
    videoHint: "id of an uploaded video, as list_videos names it",
    own: { settings: options.settings, models: options.models },
    data: options.data,
    store: async () => store,
    prompts() {
      const { runtime } = resolveSettings({}, options, options.data);
      prompts ??= loadPrompts(runtime.prompts);
      return prompts;
    },
    async openVideo(given, { signal }) {
      const row = await ownVideo(context, now.caller, given);
      return openVideo(await uploads.pathOf(row), { store, run: "mcp", signal });
    },
    async listVideos() {
      const rows = await store.service.uploads(owner);
      return rows.flatMap(({ id, name, size, video }) =>
        video === null ? [] : [{ video: id, name, hash: video.hash, size }],
      );
    },
    async mayRead(hash) {
      const rows = await store.service.uploads(owner);
      return rows.some(({ video }) => video?.hash === hash);
    },
    checkStorage: () => quota.checkDerived(now.caller),
    questions: serviceQuestions(context, now),
    result_ms: options.timeouts.result_ms,
    runs: runFolders(options.reports, now),
    explain(error) {
      const id = newId();
      const { problem, internal } = toProblemResponse(error, id);
      if (internal) context.log.error({ request: id, err: error }, "an MCP call failed");
      return context.hidePaths(problem.detail);
    },
  };
}

function serviceQuestions(context: ServiceContext, now: CurrentCaller): McpQuestions {
  const { store, options, questions, changes, log } = context;
  const own = (id: string) => ownQuestion(context, now.caller, id);

  async function audit(action: string, question: StoredQuestion): Promise<void> {
    const { caller, address } = now;
    const name = (await store.service.upload(question.upload))?.name ?? null;
    const entry = { at: Date.now(), who: caller.name ?? "", address, action, name };
    await store.audit
      .append({ ...entry, video: question.upload, question: question.id })
      .catch((error: unknown) => log.error({ err: error }, "cannot write to the audit log"));
  }

  async function answered(id: string) {
    const question = await own(id);
    const { answer } = question.record;
    if (answer !== null) return { question, answer };
    throw new Failure("not-found", `The question ${id} has no answer yet. Call get_answer.`, {
      id,
    });
  }

  return {
    async ask(request) {
      const settings = readClientSettings(request.settings, options);
      const upload = await ownVideo(context, now.caller, request.video);
      const input = { ...inputOf(request), settings };
      const question = await questions.ask(now.caller, upload, input);
      await audit("question.asked", question);
      return question.id;
    },
    async wait(id, ms, { signal, progress }) {
      const until = performance.now() + ms;
      for (;;) {
        const question = await own(id);
        const left = until - performance.now();
        const asked = toAsked(question);
        if (!isOpen(question.record) || left <= 0 || changes.isClosed()) return asked;
        progress(asked.doing ?? asked.state);
        await changes.wait(id, left, signal);
        signal.throwIfAborted();
        await delay(Math.min(LOOK_MS, Math.max(0, left)), undefined, { signal });
      }
    },
    async cancel(id) {
      const question = await own(id);
      if (!isOpen(question.record)) return;
      await questions.cancel(question);
      await audit("question.cancelled", question);
    },
    evidence: async (id) => readSet(store, (await answered(id)).answer.set),
    async page(id) {
      const { question } = await answered(id);
      return exportPage(store, await ownVideo(context, now.caller, question.upload), question);
    },
    async answered() {
      const { owner } = now.caller;
      const page = { order: "desc", limit: MOST_PAGES, after: null } as const;
      const { rows } = await store.service.listQuestions({ owner, state: "answered" }, page);
      return questions
        .list(rows)
        .map(({ id, record }) => ({ id, text: questionText(record.asked) }));
    },
  };
}

function toAsked({ id, upload, record }: StoredQuestion): AskedQuestion {
  const { state, asked, answer, failure, usage, stages } = record;
  const last = stages.at(-1)?.stage;
  const calls = `${usage.calls} model call${usage.calls === 1 ? "" : "s"}`;
  return {
    ...{ id, video: upload, state, question: asked, answer, failure },
    doing: state !== "running" || last === undefined ? null : `${last}: ${calls}`,
  };
}

/** The folder of reports, for keys with the role `operate`. */
function runFolders(folder: string | null, { caller }: CurrentCaller): RunFolders | null {
  if (folder === null || !hasRole(caller.roles, ["operate"])) return null;
  const allowed = allowFolders([folder], async () => null);
  allowed.catch(() => undefined); // thrown again at each use
  return {
    roots: async () => (await allowed).folders(),
    resolve: async (given) => (await allowed).resolve(given),
    nameOf: async (path) => relative(await realpath(folder), path) || ".",
  };
}
