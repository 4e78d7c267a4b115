/** @import { Evidence, EvidenceKind } from "./types.d.ts" */

import { shownText } from "./answer-words.js";
import { thumbnailUrl } from "./api.js";
import { clock } from "./clock.js";
import { classes } from "./evidence-card.js";
import { KIND_NAMES, KINDS, span } from "./format.js";
import { html, useEffect, useRef, useState } from "./html.js";

/**
 * @typedef {Pick<Evidence, "id" | "kind" | "start_s" | "end_s" | "text" | "data"> & { name?: string, cited?: boolean }} Marked
 * @typedef {{ key: string, name: string, kind?: EvidenceKind, items: readonly Marked[] }} Lane
 */

/** Width of the picture that shows what is under the pointer, in pixels. */
const PREVIEW = 160;

/**
 * A lane for each kind of evidence, with its items in order.
 * @param {readonly Marked[]} items
 * @returns {Lane[]}
 */
export function lanesByKind(items) {
  return KINDS.map((kind) => ({
    key: kind,
    name: KIND_NAMES[kind],
    kind,
    items: items.filter((item) => item.kind === kind),
  })).filter((lane) => lane.items.length > 0);
}

/**
 * Lanes with marks at their seconds, and where the player is. A lane is one stop of Tab; arrow keys, Home and End go from
 * mark to mark. The pointer shows the picture of its second.
 *
 * @param {{ video: { id: string, duration_s: number, width: number | null }, lanes: readonly Lane[], chosen: string | null,
 *   seek: (seconds: number) => void, choose: (item: Marked, lane: string) => void,
 *   watch: (watcher: (seconds: number) => void) => () => void }} props
 *   `chosen`: name of an item
 */
export function Timeline({ video, lanes, chosen, seek, choose, watch }) {
  const head = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { duration_s } = video;
  const length = Math.max(duration_s, 0.001);
  const [preview, setPreview] = useState(/** @type {{ at_s: number, x: number } | null} */ (null));
  useEffect(
    () =>
      watch((seconds) => {
        head.current?.style.setProperty("--at", String(Math.min(1, Math.max(0, seconds / length))));
      }),
    [length],
  );
  const hover = (/** @type {MouseEvent} */ event) => {
    const track = /** @type {HTMLElement} */ (event.currentTarget);
    const box = track.getBoundingClientRect();
    const whole = track.closest(".tracks")?.getBoundingClientRect() ?? box;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const x = Math.min(
      whole.width - PREVIEW,
      Math.max(0, event.clientX - whole.left - PREVIEW / 2),
    );
    setPreview({ at_s: share * duration_s, x });
  };
  if (lanes.length === 0)
    return html`<section class="timeline" aria-label="Timeline">
      <p class="soft nothing">Evidence will appear here, in order of time.</p>
    </section>`;
  return html`<section class="timeline" aria-label="Timeline">
    <div class="tracks" onMouseLeave=${() => setPreview(null)}>
      ${preview !== null && html`<${Preview} video=${video} at_s=${preview.at_s} x=${preview.x} />`}
      ${lanes.map(
        (lane) => html`<${LaneView}
          key=${lane.key}
          lane=${lane}
          length=${length}
          chosen=${chosen}
          hover=${hover}
          seek=${seek}
          choose=${choose}
        />`,
      )}
      <div class="playhead" ref=${head}></div>
    </div>
    <div class="scale soft" aria-hidden="true">
      ${(duration_s < 8 ? [0, 1] : [0, 0.25, 0.5, 0.75, 1]).map((part) => html`<span key=${part}>${clock(duration_s * part)}</span>`)}
    </div>
  </section>`;
}

/**
 * @param {{ lane: Lane, length: number, chosen: string | null, hover: (event: MouseEvent) => void,
 *   seek: (seconds: number) => void, choose: (item: Marked, lane: string) => void }} props
 */
function LaneView({ lane, length, chosen, hover, seek, choose }) {
  const { name, kind } = lane;
  const items = [...lane.items].sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  const [stop, setStop] = useState(0);
  const track = useRef(/** @type {HTMLDivElement | null} */ (null));
  /** Percent of the whole. @param {number} seconds */
  const share = (seconds) => 100 * Math.min(1, Math.max(0, seconds / length));
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const buttons = [...(track.current?.querySelectorAll("button") ?? [])];
    const place = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: buttons.length - 1 }[
      event.key
    ];
    const to = next === undefined ? undefined : buttons[next];
    if (place < 0 || to === undefined || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setStop(next);
    to.focus();
  };
  const onClick = (/** @type {MouseEvent} */ event) => {
    const box = track.current?.getBoundingClientRect();
    if (event.target !== track.current || box === undefined) return;
    seek((length * (event.clientX - box.left)) / box.width);
  };
  return html`<div class="lane">
    <span class=${classes("lane-name", kind ?? "")}>${name}</span>
    <div
      class="track"
      role="toolbar"
      aria-label=${`${name}: ${items.length}`}
      ref=${track}
      onKeyDown=${onKeyDown}
      onClick=${onClick}
      onMouseMove=${hover}
    >
      ${items.map(
        (item, place) => html`<${Mark}
          key=${item.name ?? item.id}
          item=${item}
          left=${share(item.start_s)}
          width=${share(item.end_s) - share(item.start_s)}
          stop=${place === Math.min(stop, items.length - 1)}
          chosen=${item.name !== undefined && item.name === chosen}
          choose=${() => choose(item, lane.key)}
        />`,
      )}
    </div>
  </div>`;
}

/** @param {{ item: Marked, left: number, width: number, stop: boolean, chosen: boolean, choose: () => void }} props */
function Mark({ item, left, width, stop, chosen, choose }) {
  const words = shownText(item);
  const label = [item.name, item.kind, span(item), item.cited ? "cited" : "", words.slice(0, 80)];
  return html`<button
    type="button"
    class=${classes("mark", item.kind, item.cited === true && "cited", chosen && "chosen")}
    style=${{ left: `${left}%`, width: `${width}%` }}
    title=${`${item.name ?? ""} ${span(item)} ${words.slice(0, 120)}`.trim()}
    aria-label=${label.filter((part) => part !== undefined && part !== "").join(", ")}
    tabindex=${stop ? "0" : "-1"}
    onClick=${choose}
  >
    <span class="mark-name" aria-hidden="true">${item.name}</span>
  </button>`;
}

/**
 * What is seen at a second.
 * @param {{ video: { id: string, width: number | null }, at_s: number, x: number }} props
 */
function Preview({ video, at_s, x }) {
  // The service makes a picture for each half second.
  const second = Math.round(at_s * 2) / 2;
  return html`<div class="preview" style=${{ left: `${x}px` }} aria-hidden="true">
    ${video.width !== null && html`<img src=${thumbnailUrl(video.id, second)} alt="" width=${PREVIEW} />`}
    <span>${clock(at_s)}</span>
  </div>`;
}
