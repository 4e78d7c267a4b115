/** @import { Evidence, EvidenceKind } from "./types.d.ts" */

import { shownText } from "./answer-words.js";
import { clock } from "./clock.js";
import { el, fill } from "./dom.js";
import { KIND_NAMES, KINDS, span } from "./format.js";

/**
 * @typedef {Pick<Evidence, "id" | "kind" | "start_s" | "end_s" | "text" | "data"> & { name?: string, cited?: boolean }} Marked
 * @typedef {ReturnType<typeof timeline>} Timeline
 */

/**
 * A track for each kind of evidence, marks at their seconds, and where the player is. A track is one stop of Tab;
 * arrow keys, Home and End go from mark to mark.
 *
 * @param {number} duration_s
 * @param {{ seek: (seconds: number) => void, choose: (item: Marked) => void }} on
 */
export function timeline(duration_s, on) {
  const length = Math.max(duration_s, 0.001);
  /** Percent of the whole. @param {number} seconds */
  const share = (seconds) => 100 * Math.min(1, Math.max(0, seconds / length));
  const tracks = el("div", { class: "tracks" });
  const head = el("div", { class: "playhead" });
  const node = el(
    "section",
    { class: "timeline", "aria-label": "Timeline" },
    tracks,
    el(
      "div",
      { class: "scale soft", "aria-hidden": "true" },
      (duration_s < 8 ? [0, 1] : [0, 0.25, 0.5, 0.75, 1]).map((part) =>
        el("span", {}, clock(duration_s * part)),
      ),
    ),
  );
  /** @type {Map<string, HTMLButtonElement>} */
  let marks = new Map();
  let shown = "";

  /** @param {Marked} item */
  const mark = (item) => {
    const label = [
      item.name,
      item.kind,
      span(item),
      item.cited ? "cited" : "",
      shownText(item).slice(0, 80),
    ];
    const made = el("button", {
      type: "button",
      class: `mark ${item.kind}${item.cited ? " cited" : ""}`,
      title: `${span(item)} ${shownText(item).slice(0, 120)}`,
      "aria-label": label.filter((part) => part !== undefined && part !== "").join(", "),
      tabindex: "-1",
      onclick: () => on.choose(item),
    });
    made.style.left = `${share(item.start_s)}%`;
    made.style.width = `${share(item.end_s) - share(item.start_s)}%`;
    marks.set(item.id, made);
    return made;
  };
  /**
   * @param {EvidenceKind} kind
   * @param {readonly Marked[]} items
   */
  const track = (kind, items) => {
    const buttons = items.filter((item) => item.kind === kind).map(mark);
    if (buttons.length === 0) return null;
    buttons[0]?.setAttribute("tabindex", "0");
    const bar = el(
      "div",
      {
        class: "track",
        role: "toolbar",
        "aria-label": `${KIND_NAMES[kind]}: ${buttons.length}`,
        onkeydown: (/** @type {KeyboardEvent} */ event) => rove(event, buttons),
        onclick: (/** @type {MouseEvent} */ event) => {
          if (event.target !== bar) return;
          const box = bar.getBoundingClientRect();
          on.seek((duration_s * (event.clientX - box.left)) / box.width);
        },
      },
      buttons,
    );
    return el(
      "div",
      { class: "lane" },
      el("span", { class: `lane-name ${kind}` }, KIND_NAMES[kind]),
      bar,
    );
  };

  return {
    node,
    /** @param {readonly Marked[]} items */
    show: (items) => {
      const sorted = [...items].sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
      const now = JSON.stringify(sorted.map(({ id, name, cited }) => [id, name, cited]));
      if (now === shown) return;
      shown = now;
      marks = new Map();
      const lanes = KINDS.map((kind) => track(kind, sorted)).filter((lane) => lane !== null);
      fill(
        tracks,
        lanes.length === 0
          ? el("p", { class: "soft nothing" }, "Evidence will appear here, in order of time.")
          : lanes,
        lanes.length === 0 ? null : head,
      );
    },
    /** @param {number} seconds */
    at: (seconds) => {
      head.style.setProperty("--at", String(Math.min(1, Math.max(0, seconds / length))));
    },
    /** @param {string} id */
    point: (id) => {
      for (const [other, made] of marks) made.classList.toggle("chosen", other === id);
    },
  };
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLButtonElement[]} buttons
 */
function rove(event, buttons) {
  const place = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: buttons.length - 1 }[
    event.key
  ];
  const to = next === undefined ? undefined : buttons[next];
  if (place < 0 || to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[place]?.setAttribute("tabindex", "-1");
  to.setAttribute("tabindex", "0");
  to.focus();
}
