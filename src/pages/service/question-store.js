/** @import { EvidenceList, EvidenceView, Event as QuestionEvent, QuestionView, Review } from "./types.d.ts" */
/** @import { Words } from "./words-form.js" */
/** @import { Progress } from "./stages.js" */

import { announce } from "./announce.js";
import { answerText, stateText } from "./answer-words.js";
import * as api from "./api.js";
import { changed, onChanged } from "./changes.js";
import { connected } from "./connection.js";
import { openDrafts } from "./drafts.js";
import { follow } from "./events.js";
import { useEffect, useMemo, useReducer } from "./html.js";
import { errorMessage, Problem } from "./request.js";
import { fold, noProgress } from "./stages.js";

/** @typedef {ReturnType<typeof openQuestion>} QuestionStore */

/** Milliseconds between two pictures of the progress. */
const PACE_MS = 80;

/**
 * The questions with these ids, each from its first stage to its reviewed answer. The component is rendered again
 * whenever one of them changes.
 * @param {readonly string[]} ids
 * @returns {QuestionStore[]}
 */
export function useQuestions(ids) {
  const [, redraw] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const stores = useMemo(() => ids.map((id) => openQuestion(id, () => redraw(0))), [ids.join()]);
  useEffect(() => {
    for (const store of stores) store.start();
    return () => {
      for (const store of stores) store.close();
    };
  }, [stores]);
  return stores;
}

/**
 * One question, its evidence and its progress, kept up to date while it is open.
 * @param {string} id
 * @param {() => void} redraw
 */
function openQuestion(id, redraw) {
  let left = false;
  let following = false;
  /** Counts loads and edits: what a load brings is dropped if another began after it. */
  let turn = 0;
  let paced = false;
  let stopFollowing = () => {};
  let stopListening = () => {};
  const state = {
    question: /** @type {QuestionView | null} */ (null),
    list: /** @type {EvidenceList | null} */ (null),
    /** The question whose evidence was corrected, and its current evidence. */
    before: /** @type {{ question: QuestionView, list: EvidenceList } | null} */ (null),
    progress: /** @type {Progress} */ (noProgress()),
    /** Why the question cannot be shown, as a sentence. */
    problem: /** @type {string | null} */ (null),
    gone: false,
  };
  const drafts = openDrafts(id, redraw);

  /** @param {Partial<typeof state>} next */
  const set = (next) => {
    Object.assign(state, next);
    if (!left) redraw();
  };
  const load = async () => {
    const now = ++turn;
    try {
      const question = await api.getQuestion(id);
      const list = isSettled(question) && question.set !== null ? await api.getEvidence(id) : null;
      if (question.from !== null && state.before === null) await loadBefore(question.from);
      if (left || now !== turn) return;
      set({ question, list, problem: null });
      if (isSettled(question)) endFollowing();
      else if (!following) watch();
    } catch (error) {
      if (!left && now === turn) refuse(error);
    }
  };
  const endFollowing = () => {
    following = false;
    stopFollowing();
  };
  /** @param {unknown} error */
  const refuse = (error) => {
    if (error instanceof Problem && error.status === 404) {
      endFollowing();
      set({ question: null, list: null, gone: true });
      return;
    }
    set({ problem: errorMessage(error) });
    if (error instanceof Problem && error.status === 0)
      connected().then(() => (left ? undefined : load()));
  };
  /** @param {string} from */
  const loadBefore = async (from) => {
    try {
      const [question, list] = await Promise.all([api.getQuestion(from), api.getEvidence(from)]);
      state.before = { question, list };
    } catch {
      // The earlier question may be deleted; this one is then shown without it.
    }
  };

  const watch = () => {
    following = true;
    state.progress = noProgress();
    stopFollowing = follow(id, {
      event: (/** @type {QuestionEvent} */ event) => {
        fold(state.progress, event);
        if (state.question?.state === "queued")
          state.question = { ...state.question, state: "running" };
        if (paced) return;
        paced = true;
        setTimeout(() => {
          paced = false;
          set({});
        }, PACE_MS);
      },
      end: async () => {
        following = false;
        await load();
        if (state.question === null || left) return;
        announce(endOf(state.question));
        changed(state.question.video);
      },
      refused: (error) => {
        following = false;
        refuse(error);
      },
    });
  };

  /**
   * Makes an edit of the evidence.
   * @param {() => Promise<EvidenceList>} edit
   * @param {string} done
   */
  const change = async (edit, done) => {
    try {
      const list = await edit();
      turn++;
      state.list = list;
    } catch (error) {
      await load();
      throw error;
    }
    set({ question: await api.getQuestion(id) });
    announce(done);
    changed(id);
  };
  /**
   * Makes an edit that changes one item. An edit by someone else to another item is no reason to refuse it.
   * @param {EvidenceView} item as the person saw it
   * @param {(set: string | undefined) => Promise<EvidenceList>} edit
   * @param {string} done
   */
  const changeItem = async (item, edit, done) => {
    const isUnchanged = () => currentOf(state.list, item.name)?.id === item.id;
    try {
      await change(() => edit(state.list?.set), done);
    } catch (error) {
      if (!isOutdated(error) || !isUnchanged()) throw error;
      await change(() => edit(state.list?.set), done);
    }
  };

  return {
    id,
    state,
    drafts,
    load,
    start: () => {
      stopListening = onChanged(id, load);
      load();
    },
    close: () => {
      left = true;
      endFollowing();
      stopListening();
    },
    cancel: () => api.cancelQuestion(id),
    /** @param {EvidenceView} item @param {Words} words */
    edit: (item, words) =>
      changeItem(
        item,
        (set) => api.editEvidence(id, set, item.id, words),
        `Corrected ${item.name}.`,
      ),
    /** @param {EvidenceView} item */
    reject: (item) =>
      changeItem(item, (set) => api.rejectEvidence(id, set, item.id), `Rejected ${item.name}.`),
    /** @param {EvidenceView} item */
    putBack: (item) =>
      changeItem(item, (set) => api.editEvidence(id, set, item.id, {}), `Restored ${item.name}.`),
    /** @param {Words & { kind: string, clip?: number | undefined }} item */
    add: async (item) => {
      const add = () => api.addEvidence(id, state.list?.set, item);
      await change(add, "Added.").catch((error) => {
        if (!isOutdated(error)) throw error;
        return change(add, "Added.");
      });
    },
    /** @param {Record<string, unknown>} review @param {Review | null} seen the review that the person knows of */
    review: async (review, seen) => {
      try {
        const question = await api.reviewQuestion(id, review, seen);
        turn++;
        set({ question });
      } catch (error) {
        await load();
        throw error;
      }
      announce(review.verdict === "approved" ? "Marked as right." : "The right answer is saved.");
      changed(id);
    },
  };
}

/** @param {QuestionView} question */
export function isSettled({ state }) {
  return state !== "queued" && state !== "running";
}

/**
 * The current item of a name, whether it is rejected or not.
 * @param {EvidenceList | null} list
 * @param {string} name
 */
export function currentOf(list, name) {
  if (list === null) return undefined;
  const named = (/** @type {EvidenceView} */ item) => item.name === name;
  return list.items.find(named) ?? list.rejected.find(named);
}

/**
 * Whether an edit was refused because someone else made one first.
 * @param {unknown} error
 */
export function isOutdated(error) {
  return error instanceof Problem && ["stale", "changed"].includes(error.view.kind ?? "");
}

/** @param {QuestionView} question */
function endOf(question) {
  const { answer, asked, failure } = question;
  if (answer !== null) return `Answer: ${answerText(asked, answer)}`;
  return `${stateText(question)}. ${failure?.message ?? ""}`;
}
