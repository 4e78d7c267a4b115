/** @import { Part, QuestionView, ServiceView, VideoView } from "./types.d.ts" */
/** @import { Marked } from "./timeline.js" */

import { getVideo } from "./api.js";
import { askForm } from "./ask-form.js";
import { clock } from "./clock.js";
import { el, fill } from "./dom.js";
import { size } from "./format.js";
import { comparisonPicker, history } from "./history.js";
import { failure, noModel } from "./notices.js";
import { player } from "./player.js";
import { questionPane } from "./question-pane.js";
import { errorMessage } from "./request.js";
import { pathTo } from "./routes.js";
import { onKeys } from "./shortcuts.js";
import { changed } from "./tabs.js";
import { timeline } from "./timeline.js";

/**
 * A video with its player and timeline, and next to it no question, one question, or two side
 * by side.
 *
 * @param {ServiceView} service
 * @param {string} id
 * @returns {Part & { turn: (questions: string[]) => void }}
 */
export function videoView(service, id) {
  const node = el("div", { class: "watching" }, el("p", { class: "soft" }, "Loading the video…"));
  /** @type {ReturnType<typeof opened> | null} */
  let shown = null;
  /** @type {string[]} */
  let wanted = [];
  let left = false;

  const load = async () => {
    try {
      const video = await getVideo(id);
      if (left) return;
      shown = opened(service, video);
      fill(node, shown.node);
      shown.turn(wanted);
      document.title = `${video.name} – video-rrd`;
    } catch (error) {
      if (!left)
        fill(
          node,
          el("h1", {}, "This video cannot be shown"),
          failure(errorMessage(error), load),
          el("p", {}, el("a", { href: "#/" }, "All videos")),
        );
    }
  };
  load();
  return {
    node,
    turn: (questions) => {
      wanted = questions;
      shown?.turn(questions);
    },
    close: () => {
      left = true;
      shown?.close();
    },
  };
}

/**
 * @param {ServiceView} service
 * @param {VideoView} video
 */
function opened(service, video) {
  const screen = player(video);
  /** @type {ReturnType<typeof questionPane>[]} */
  let panes = [];
  /** @type {Map<string, readonly Marked[]>} */
  let marks = new Map();
  /** @type {() => void} */
  let closeSide = () => {};
  const line = timeline(video.duration_s, {
    seek: screen.seek,
    choose: (item) => {
      screen.seek(item.start_s);
      for (const pane of panes)
        if (marks.get(pane.id)?.some(({ id }) => id === item.id)) pane.choose(item);
    },
  });
  const side = el("div", { class: "side-column", tabindex: "-1" });
  screen.watch(line.at);
  line.show([]);

  const showMarks = () => {
    line.show(together(panes.map((pane) => marks.get(pane.id) ?? [])));
  };
  /** @param {QuestionView[]} questions */
  const go = (questions) => {
    changed(video.id);
    location.hash = pathTo(video.id, ...questions.map((one) => one.id));
  };
  /** @param {string[]} questions */
  const turn = (questions) => {
    closeSide();
    marks = new Map();
    panes = questions.map((one) =>
      questionPane(one, {
        seek: screen.seek,
        time: screen.time,
        point: line.point,
        asked: (question) => go([question]),
        marks: (items) => {
          marks.set(one, items);
          showMarks();
        },
      }),
    );
    showMarks();
    node.classList.toggle("two", panes.length === 2);
    closeSide = panes.length === 0 ? showAsking() : showPanes(questions);
    if (turned && wantsToAsk) asking?.focus();
    else if (turned) {
      side.focus({ preventScroll: true });
      side.scrollIntoView({ block: "start" });
    }
    turned = true;
    wantsToAsk = false;
  };
  let turned = false;
  let wantsToAsk = false;
  const showAsking = () => {
    const past = history(video.id);
    const form = askForm(service, video.id, go);
    asking = form;
    fill(side, noModel(service), form.node, past.node);
    return past.close;
  };
  /** @type {ReturnType<typeof askForm> | null} */
  let asking = null;
  /** @param {string[]} questions */
  const showPanes = (questions) => {
    asking = null;
    fill(
      side,
      el(
        "nav",
        { class: "question-nav", "aria-label": "Questions" },
        el("a", { href: pathTo(video.id) }, "← Ask another, all questions"),
        comparisonPicker(video.id, questions),
      ),
      el(
        "div",
        { class: "panes" },
        panes.map((pane) => pane.node),
      ),
    );
    const now = panes;
    return () => {
      for (const pane of now) pane.close();
    };
  };
  const stopKeys = onKeys({
    toggle: screen.toggle,
    skip: (seconds) => screen.seek(screen.time() + seconds),
    step: (by) => {
      const cards = panes.flatMap((pane) => pane.evidence.cards().map((card) => ({ pane, card })));
      const place = cards.findIndex(({ card }) => card.node.classList.contains("chosen"));
      const next = cards[place < 0 ? 0 : Math.min(cards.length - 1, Math.max(0, place + by))];
      next?.pane.choose(next.card.item);
      next?.card.node.focus();
    },
    act: (action) => {
      const card = side.querySelector("li.card.chosen");
      /** @type {HTMLElement | null} */ (card?.querySelector(`[data-action=${action}]`))?.click();
    },
    add: () => panes[0]?.evidence.write(),
    reason: () => panes[0]?.reason(),
    ask: () => {
      wantsToAsk = asking === null;
      if (asking === null) location.hash = pathTo(video.id);
      else asking.focus();
    },
  });

  const node = el(
    "div",
    { class: "columns" },
    el(
      "div",
      { class: "video-column" },
      el(
        "header",
        { class: "video-head" },
        el("h1", { tabindex: "-1" }, video.name),
        el(
          "p",
          { class: "soft" },
          `${clock(video.duration_s)}${video.width === null ? "" : ` · ${video.width} × ${video.height}`} · ${size(video.size)}`,
        ),
      ),
      screen.node,
      line.node,
    ),
    side,
  );
  return {
    node,
    turn,
    close: () => {
      closeSide();
      stopKeys();
      screen.close();
    },
  };
}

/**
 * The marks of one question, or of two: evidence of both appears once, with both names.
 * @param {(readonly Marked[])[]} lists
 */
function together(lists) {
  if (lists.length < 2) return lists.flat();
  /** @type {Map<string, Marked>} */
  const all = new Map();
  for (const [place, list] of lists.entries())
    for (const item of list) {
      const name = `${"AB"[place]} ${item.name ?? ""}`;
      const there = all.get(item.id);
      all.set(item.id, {
        ...item,
        name: there === undefined ? name : `${there.name}, ${name}`,
        cited: item.cited || there?.cited,
      });
    }
  return [...all.values()];
}
