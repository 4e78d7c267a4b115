/** @import { VNode } from "preact" */
/** @import { EvidenceView, QuestionView as Question, VideoView } from "./types.d.ts" */
/** @import { Lane, Marked } from "./timeline.js" */
/** @import { QuestionStore } from "./question-store.js" */

import { announce } from "./announce.js";
import { AnswerChanges } from "./answer-changes.js";
import { AnswerView } from "./answer-view.js";
import { ask as askQuestion, reasonAgain } from "./api.js";
import { changed } from "./changes.js";
import { ComparePicker } from "./compare-picker.js";
import { ComparisonHead, nameAmong } from "./comparison-view.js";
import { beginAdding, EvidenceListView } from "./evidence-view.js";
import { count } from "./format.js";
import { HowView } from "./how-view.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { FailureNotice, GoneNotice } from "./notices.js";
import { isSettled, useQuestions } from "./question-store.js";
import { errorMessage } from "./request.js";
import { ReviewView } from "./review-view.js";
import { pathTo } from "./routes.js";
import { onKeys } from "./shortcuts.js";
import { StagesView } from "./stages-view.js";
import { lanesByKind, Timeline } from "./timeline.js";
import { Transcript } from "./transcript.js";
import { useRequestKeys } from "./use-request-keys.js";
import { withCode } from "./with-code.js";

/**
 * What the player offers to the view around it.
 * @typedef {{ player: VNode<any>, seek: (seconds: number) => void, time: () => number, toggle: () => void,
 *   watch: (watcher: (seconds: number) => void) => () => void }} Screen
 */

/**
 * One question with its answer, its evidence and the video, or several to compare. The answer comes first on every width.
 * @param {{ video: VideoView, ids: readonly string[], screen: Screen, ask: () => void, mayAsk: boolean, thread: unknown }} props
 *   `ask`: opens the form of a new question; `mayAsk`: whether the key of the person may ask; `thread`: shown after the answer
 */
export function QuestionView({ video, ids, screen, ask, mayAsk, thread }) {
  const unique = [...new Set(ids)];
  const stores = useQuestions(unique);
  const [chosen, setChosen] = useState(
    /** @type {{ store: string | null, name: string } | null} */ (null),
  );
  const root = useRef(/** @type {HTMLDivElement | null} */ (null));
  const isComparing = stores.length > 1;
  const first = stores[0];

  /** @param {Pick<EvidenceView, "start_s" | "name">} item @param {string | null} store */
  const choose = (item, store) => {
    screen.seek(item.start_s);
    setChosen({ store, name: item.name });
    announce(`At ${item.start_s.toFixed(1)} seconds.`);
  };
  useEffect(() => {
    if (chosen === null) return;
    const card = root.current?.querySelector("li.card.chosen");
    card?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const shownIn = (/** @type {QuestionStore} */ { id }) =>
    chosen !== null && (chosen.store === null || chosen.store === id) ? chosen.name : null;

  useKeys(stores, screen, ask, root, choose);
  if (first === undefined) return null;
  return html`<div class=${isComparing ? "question-page comparing" : "question-page"} ref=${root}>
    <nav class="question-nav" aria-label="Questions">
      <h1 tabindex="-1">${video.name}</h1>
      <a href=${pathTo(video.id)}><${Icon} name="back" /> ${mayAsk ? "Ask another, all questions" : "All questions"}</a>
    </nav>
    <div class="lead">
      ${
        isComparing
          ? html`<${ComparisonHead} stores=${stores} video=${video.id} />`
          : html`<${Lead} store=${first} mayAsk=${mayAsk} choose=${choose} seek=${screen.seek} />`
      }
      ${thread}
      <${ComparePicker} video=${video.id} ids=${unique} />
    </div>
    <div class="watch">
      ${screen.player}
      <${Timeline}
        video=${video}
        lanes=${isComparing ? lanesByQuestion(stores) : lanesByKind(marksOf(first))}
        chosen=${chosen?.name ?? null}
        seek=${screen.seek}
        choose=${(/** @type {Marked & { name: string }} */ item, /** @type {string} */ lane) =>
          choose(item, isComparing ? lane : first.id)}
        watch=${screen.watch}
      />
      ${
        first.state.list !== null &&
        html`<${Transcript}
          store=${first}
          items=${first.state.list.items}
          chosen=${shownIn(first)}
          choose=${(/** @type {EvidenceView} */ item) => choose(item, first.id)}
          watch=${screen.watch}
        />`
      }
    </div>
    <div class="rest">
      ${stores.map(
        (store) => html`<${Rest}
          key=${store.id}
          store=${store}
          mayAsk=${mayAsk}
          title=${isComparing ? titleAmong(store, stores) : null}
          chosen=${shownIn(store)}
          choose=${(/** @type {EvidenceView} */ item) => choose(item, store.id)}
          time=${screen.time}
        />`,
      )}
    </div>
  </div>`;
}

/**
 * The question, its verdict and its review; while it runs, its stages.
 * @param {{ store: QuestionStore, mayAsk: boolean, choose: (item: EvidenceView, store: string) => void, seek: (seconds: number) => void }} props
 */
function Lead({ store, mayAsk, choose, seek }) {
  const { question, list, before, progress, problem, gone } = store.state;
  if (gone) return html`<${GoneNotice} />`;
  const notice =
    problem !== null && html`<${FailureNotice} sentence=${problem} again=${store.load} />`;
  if (question === null) return notice || html`<p class="soft">Loading the question…</p>`;
  return html`<article class="pane">
    ${notice}
    <${AnswerView} question=${question} list=${list} choose=${(/** @type {EvidenceView} */ item) => choose(item, store.id)} seek=${seek}>
      <${ReviewView} store=${store} question=${question} />
    <//>
    ${!isSettled(question) && html`<${StagesView} progress=${progress} cancel=${store.cancel} />`}
    ${mayAsk && isSettled(question) && question.state !== "answered" && html`<${AskAgain} key=${question.id} question=${question} />`}
    ${
      before !== null &&
      html`<${AnswerChanges} before=${before.question} then=${before.list} now=${question} list=${list} />`
    }
  </article>`;
}

/**
 * The evidence of a question, and how it was answered.
 * @param {{ store: QuestionStore, mayAsk: boolean, title: string | null, chosen: string | null, choose: (item: EvidenceView) => void, time: () => number }} props
 */
function Rest({ store, mayAsk, title, chosen, choose, time }) {
  const { question, list, progress } = store.state;
  // Several answers below each other are long: on a phone they are folded.
  const isWide = useRef(matchMedia("(min-width: 44rem)").matches).current;
  if (question === null) return null;
  const rest = html`${
    title !== null &&
    (isSettled(question)
      ? html`<${ReviewView} store=${store} question=${question} />`
      : html`<${StagesView} progress=${progress} cancel=${store.cancel} />`)
  }
    ${
      list !== null &&
      html`<${EvidenceListView} store=${store} list=${list} chosen=${chosen} choose=${choose} time=${time} />`
    }
    ${isSettled(question) && html`<${HowView} question=${question} />`}
    ${mayAsk && html`<${PendingBar} store=${store} />`}`;
  if (title === null)
    return html`<section class="pane" aria-label="Evidence and details">${rest}</section>`;
  return html`<details class="pane folded" open=${chosen !== null || isWide}>
    <summary class="pane-name">${title}</summary>
    <div class="pane">${rest}</div>
  </details>`;
}

/** @param {{ store: QuestionStore }} props */
function PendingBar({ store }) {
  const { question, list } = store.state;
  const { start, busy, problem } = useAsking(`reason:${store.id}`);
  if (question === null || list === null || !question.edited) return null;
  const written = list.items.filter(({ by }) => by.who === "person").length;
  const parts = [
    written === 0 ? "" : `${count(written, "item")} corrected or added`,
    list.rejected.length === 0 ? "" : `${count(list.rejected.length, "item")} rejected`,
  ].filter((part) => part !== "");
  // Other evidence makes another question.
  const reason = () => start(list.set, (key) => reasonAgain(question.id, key));
  return html`<div class="pending" role="status">
    <span>The answer does not include your changes yet: ${parts.join(", ") || "changed"}.</span>
    <button type="button" class="primary" data-action="reason-again" disabled=${busy} onClick=${reason}>Reason again</button>
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  </div>`;
}

/** @param {{ question: Question }} props */
function AskAgain({ question }) {
  const { start, busy, problem } = useAsking(`again:${question.id}`);
  const again = () => {
    const { text, task, goal, options } = question.asked;
    const { strategy, model, settings, video, follows } = question;
    const body = {
      text,
      task,
      ...(goal === undefined ? {} : { goal }),
      ...(follows === null ? {} : { follows }),
      ...(options === undefined
        ? {}
        : { options: options.map((option) => `(${option.letter}) ${option.text}`) }),
      settings: { ...settings, strategy, ...(model === null ? {} : { model }) },
    };
    start(body, (key) => askQuestion(video, body, key));
  };
  return html`<div class="actions">
    <button type="button" class="primary" disabled=${busy} onClick=${again}>Ask again</button>
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  </div>`;
}

/**
 * What a button needs whose request makes a question, which is then opened.
 * @param {string} name of the button, the same after a reload
 */
function useAsking(name) {
  const keys = useRequestKeys(name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  /**
   * @param {unknown} request what makes it another request
   * @param {(key: string) => Promise<Question>} send
   */
  const start = async (request, send) => {
    setProblem(null);
    setBusy(true);
    try {
      const made = await send(keys.keyOf(request));
      keys.forget();
      changed(made.video);
      location.hash = pathTo(made.video, made.id);
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };
  return { start, busy, problem };
}

/**
 * What the timeline shows: the evidence so far while the question runs, then that of the answer.
 * @param {QuestionStore} store
 * @returns {readonly Marked[]}
 */
function marksOf({ state: { question, list, progress } }) {
  if (list !== null) return list.items;
  return question !== null && isSettled(question) ? [] : progress.evidence;
}

/**
 * @param {readonly QuestionStore[]} stores
 * @returns {Lane[]}
 */
function lanesByQuestion(stores) {
  return stores.map((store) => ({
    key: store.id,
    name: titleAmong(store, stores),
    items: marksOf(store),
  }));
}

/**
 * @param {QuestionStore} store
 * @param {readonly QuestionStore[]} stores
 */
function titleAmong({ state: { question } }, stores) {
  const all = stores.flatMap(({ state }) => state.question ?? []);
  return question === null ? "…" : nameAmong(question, all);
}

/**
 * The single-key shortcuts of a question.
 * @param {readonly QuestionStore[]} stores
 * @param {Screen} screen
 * @param {() => void} ask
 * @param {{ current: HTMLElement | null }} root
 * @param {(item: EvidenceView, store: string | null) => void} choose
 */
function useKeys(stores, screen, ask, root, choose) {
  const now = useRef({ stores, choose });
  now.current = { stores, choose };
  useEffect(() => {
    const cards = () => [...(root.current?.querySelectorAll("li.card") ?? [])];
    const isChosen = (/** @type {Element} */ card) => card.classList.contains("chosen");
    return onKeys({
      toggle: screen.toggle,
      skip: (seconds) => screen.seek(screen.time() + seconds),
      step: (by) => {
        const all = cards();
        const place = all.findIndex(isChosen);
        const next = all[place < 0 ? 0 : Math.min(all.length - 1, Math.max(0, place + by))];
        if (!(next instanceof HTMLElement)) return;
        /** @type {HTMLElement | null} */ (next.querySelector("[data-action=go]"))?.click();
        next.focus();
      },
      act: (action) =>
        /** @type {HTMLElement | null | undefined} */ (
          cards().find(isChosen)?.querySelector(`[data-action=${action}]`)
        )?.click(),
      add: () => {
        const [first] = now.current.stores;
        if (first !== undefined) beginAdding(first, screen.time());
      },
      reason: () =>
        /** @type {HTMLElement | null | undefined} */ (
          root.current?.querySelector("[data-action=reason-again]")
        )?.click(),
      ask,
    });
  }, [screen]);
}
