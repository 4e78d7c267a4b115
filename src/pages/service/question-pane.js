/** @import { EvidenceList, EvidenceView, QuestionView } from "./types.d.ts" */
/** @import { Marked } from "./timeline.js" */

import { announce } from "./announce.js";
import { answerChanges } from "./answer-changes.js";
import { answerView } from "./answer-view.js";
import { answerText } from "./answer-words.js";
import {
  addEvidence,
  ask,
  cancelQuestion,
  editEvidence,
  getEvidence,
  getQuestion,
  reasonAgain,
  rejectEvidence,
} from "./api.js";
import { connected } from "./connection.js";
import { button, el, fill, keepingFocus } from "./dom.js";
import { follow } from "./events.js";
import { evidenceView } from "./evidence-view.js";
import { count, STATE_NAMES } from "./format.js";
import { matrix } from "./matrix.js";
import { failure, gone } from "./notices.js";
import { questionHead } from "./question-head.js";
import { errorMessage, Problem } from "./request.js";
import { reviewView } from "./review-view.js";
import { fold, noProgress } from "./stages.js";
import { stagesView } from "./stages-view.js";
import { changed, onChanged } from "./tabs.js";

/**
 * @typedef {{ seek: (seconds: number) => void, time: () => number, marks: (items: readonly Marked[]) => void,
 *   point: (id: string) => void, asked: (question: QuestionView) => void }} Surroundings
 * @typedef {ReturnType<typeof questionPane>} Pane
 */

/**
 * One question from its first stage to its reviewed answer.
 * @param {string} id
 * @param {Surroundings} around
 */
export function questionPane(id, around) {
  /** @type {QuestionView | null} */
  let question = null;
  /** @type {EvidenceList | null} */
  let list = null;
  /** @type {QuestionView | null} */
  let before = null;
  /** @type {EvidenceList | null} */
  let then = null;
  let stopFollowing = () => {};
  let left = false;

  const head = el("div", {}, el("p", { class: "soft" }, "Loading the question…"));
  const progress = el("div", {});
  const answer = el("div", { class: "stack" });
  const pending = el("div", { class: "pending-place" });
  const evidence = evidenceView({
    choose: (item) => choose(item),
    edit: (item, words) =>
      change(editEvidence(id, list?.set, item.id, words), `Corrected ${item.name}.`),
    reject: (item) => change(rejectEvidence(id, list?.set, item.id), `Rejected ${item.name}.`),
    putBack: (item) => change(editEvidence(id, list?.set, item.id, {}), `Restored ${item.name}.`),
    add: (kind, words) => change(addEvidence(id, list?.set, { kind, ...words }), "Added."),
    time: around.time,
  });
  evidence.node.hidden = true;
  const node = el("article", { class: "pane" }, head, progress, answer, evidence.node, pending);

  /** @param {EvidenceView | Marked} item */
  const choose = (item) => {
    around.seek(item.start_s);
    around.point(item.id);
    const card = evidence.reveal(item.id);
    announce(`At ${item.start_s.toFixed(1)} seconds.`);
    return card;
  };
  /**
   * @param {Promise<EvidenceList>} edit
   * @param {string} done
   */
  const change = async (edit, done) => {
    try {
      list = await edit;
    } catch (error) {
      await load();
      throw error;
    }
    question = await getQuestion(id);
    show();
    announce(done);
    changed(id);
  };

  const load = async () => {
    try {
      question = await getQuestion(id);
      const settled = question.state !== "queued" && question.state !== "running";
      if (settled && question.set !== null) list = await getEvidence(id);
      if (question.from !== null && before === null) await loadBefore(question.from);
      if (left) return;
      show();
      if (settled) stopFollowing();
      else watch();
    } catch (error) {
      if (left) return;
      refuse(error);
      if (error instanceof Problem && error.status === 0)
        connected().then(() => (left ? undefined : load()));
    }
  };
  /** @param {unknown} error */
  const refuse = (error) => {
    if (!(error instanceof Problem) || error.status !== 404) {
      fill(head, failure(errorMessage(error), load));
      return;
    }
    stopFollowing();
    question = null;
    around.marks([]);
    evidence.node.hidden = true;
    for (const place of [progress, answer, pending]) fill(place);
    fill(head, gone());
  };
  /** @param {string} from */
  const loadBefore = async (from) => {
    try {
      before = await getQuestion(from);
      then = await getEvidence(from);
    } catch {
      // The earlier question may be deleted; this one is then shown without it.
    }
  };

  const watch = () => {
    stopFollowing();
    const known = noProgress();
    const stages = stagesView(() => cancel(stages));
    fill(progress, stages.node);
    let waits = false;
    const showStages = () => {
      waits = false;
      if (left) return;
      stages.show(known);
      around.marks(known.evidence);
    };
    stopFollowing = follow(id, {
      event: (event) => {
        fold(known, event);
        if (question?.state === "queued") {
          question = { ...question, state: "running" };
          fill(head, questionHead(question));
        }
        if (waits) return;
        waits = true;
        requestAnimationFrame(showStages);
      },
      end: async () => {
        await load();
        if (question !== null && !left) announce(ended(question));
        changed(question?.video ?? "videos");
      },
      refused: refuse,
    });
  };
  /** @param {ReturnType<typeof stagesView>} stages */
  const cancel = async (stages) => {
    try {
      await cancelQuestion(id);
    } catch (error) {
      stages.again();
      progress.append(el("p", { class: "problem", role: "alert" }, errorMessage(error)));
    }
  };
  const again = async () => {
    if (question === null) return;
    const { text, task, goal, options } = question.asked;
    const { strategy, model, settings, video } = question;
    const body = {
      text,
      task,
      ...(goal === undefined ? {} : { goal }),
      ...(options === undefined
        ? {}
        : { options: options.map((option) => `(${option.letter}) ${option.text}`) }),
      settings: { ...settings, strategy, ...(model === null ? {} : { model }) },
    };
    await start(() => ask(video, body));
  };
  const reason = () => start(() => reasonAgain(id));
  /** @param {() => Promise<QuestionView>} asking */
  const start = async (asking) => {
    try {
      const made = await asking();
      changed(made.video);
      around.asked(made);
    } catch (error) {
      pending.append(el("p", { class: "problem", role: "alert" }, errorMessage(error)));
    }
  };

  const show = () => keepingFocus(node, draw);
  const draw = () => {
    if (question === null) return;
    fill(head, questionHead(question));
    const settled = question.state !== "queued" && question.state !== "running";
    if (!settled) return;
    fill(progress);
    const items = list?.items ?? [];
    fill(
      answer,
      answerView(
        question,
        items.filter(({ cited }) => cited),
        items,
        choose,
      ),
      question.state !== "answered"
        ? el("div", { class: "actions" }, button("Ask again", again, { class: "primary" }))
        : null,
      before === null ? null : answerChanges(before, question, then, list),
      matrix(question.answer?.diagnostics, question.answer?.answer ?? null),
      reviewView(question, (next) => {
        question = next;
        show();
        changed(id);
      }),
    );
    evidence.node.hidden = list === null;
    if (list !== null) evidence.set(list);
    around.marks(items);
    fill(pending, question.edited && list !== null ? pendingBar(list, reason) : null);
  };

  const stopListening = onChanged(id, load);
  load();
  const close = () => {
    left = true;
    stopFollowing();
    stopListening();
  };
  return {
    id,
    node,
    close,
    choose,
    evidence,
    reason: () => {
      if (question?.edited) reason();
    },
  };
}

/**
 * @param {EvidenceList} list
 * @param {() => void} reason
 */
function pendingBar({ items, rejected }, reason) {
  const written = items.filter(({ by }) => by.who === "person").length;
  const parts = [
    written === 0 ? "" : `${count(written, "item")} corrected or added`,
    rejected.length === 0 ? "" : `${count(rejected.length, "item")} rejected`,
  ].filter((part) => part !== "");
  return el(
    "div",
    { class: "pending", role: "status" },
    el(
      "span",
      {},
      `The answer does not include your changes yet: ${parts.join(", ") || "changed"}.`,
    ),
    button("Reason again", reason, { class: "primary", "data-action": "reason-again" }),
  );
}

/** @param {QuestionView} question */
function ended({ state, asked, answer, failure: why }) {
  if (answer !== null) return `Answer: ${answerText(asked, answer)}`;
  return `${STATE_NAMES[state]}. ${why?.message ?? ""}`;
}
