/** @import { ClipView } from "./types.d.ts" */
import { announce } from "./announce.js";
import { thumbnailUrl } from "./api.js";
import { classes } from "./evidence-card.js";
import { span } from "./format.js";
import { html, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";

/**
 * An order of clips as a storyboard. A click shows the clip in the player.
 * @param {{ order: readonly number[], clips: readonly ClipView[], video: string, seek: (seconds: number) => void }} props
 */
export function OrderStrip({ order, clips, video, seek }) {
  return html`<ol class="storyboard" aria-label="Storyboard">
    ${order.map((number) => {
      const clip = clips.find((one) => one.number === number);
      return html`<li key=${number}>
        <button
          type="button"
          class="tile"
          disabled=${clip === undefined}
          onClick=${() => clip !== undefined && seek(clip.start_s)}
        >
          <${Still} clip=${clip} video=${video} />
          <span>Clip ${number}</span>
        </button>
      </li>`;
    })}
  </ol>`;
}

/**
 * An order of clips that a person changes: by dragging, with the arrow keys, or with the buttons of each clip.
 * @param {{ order: readonly number[], clips: readonly ClipView[], video: string, change: (order: number[]) => void }} props
 */
export function OrderEditor({ order, clips, video, change }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const [dragged, setDragged] = useState(/** @type {number | null} */ (null));
  /** @param {number} clip @param {number} to @param {boolean} [keyboard] */
  const move = (clip, to, keyboard = false) => {
    const place = Math.min(order.length - 1, Math.max(0, to));
    if (order[place] === clip) return;
    const others = order.filter((one) => one !== clip);
    change([...others.slice(0, place), clip, ...others.slice(place)]);
    if (!keyboard) return;
    announce(`Clip ${clip} is now number ${place + 1} of ${order.length}.`);
    // A moved element may lose the focus.
    setTimeout(() =>
      /** @type {HTMLElement | null | undefined} */ (
        list.current?.querySelector(`[data-clip="${clip}"]`)
      )?.focus(),
    );
  };
  /** @param {KeyboardEvent} event @param {number} clip @param {number} place */
  const onKeyDown = (event, clip, place) => {
    const to = {
      ArrowLeft: place - 1,
      ArrowUp: place - 1,
      ArrowRight: place + 1,
      ArrowDown: place + 1,
      Home: 0,
      End: order.length - 1,
    }[event.key];
    if (to === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    event.stopPropagation();
    move(clip, to, true);
  };
  return html`<ol class="storyboard editable" aria-label="The right order" ref=${list}>
    ${order.map((number, place) => {
      const clip = clips.find((one) => one.number === number);
      const button = (
        /** @type {string} */ label,
        /** @type {string} */ icon,
        /** @type {number} */ to,
      ) => html`<button
        type="button"
        class="quiet"
        aria-label=${`Move clip ${number} ${label}`}
        disabled=${to < 0 || to >= order.length}
        onClick=${() => move(number, to)}
      >
        <${Icon} name=${icon} />
      </button>`;
      return html`<li
        key=${number}
        class=${classes("tile", dragged === number && "dragged")}
        tabindex="0"
        draggable="true"
        data-clip=${number}
        aria-label=${`Clip ${number}, number ${place + 1} of ${order.length}. The arrow keys move it.`}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => onKeyDown(event, number, place)}
        onDragStart=${(/** @type {DragEvent} */ event) => {
          event.dataTransfer?.setData("text/plain", String(number));
          setDragged(number);
        }}
        onDragEnter=${() => dragged !== null && move(dragged, place)}
        onDragOver=${(/** @type {DragEvent} */ event) => event.preventDefault()}
        onDrop=${(/** @type {DragEvent} */ event) => event.preventDefault()}
        onDragEnd=${() => setDragged(null)}
      >
        <${Still} clip=${clip} video=${video} />
        <span class="place">${place + 1}. Clip ${number}</span>
        ${clip !== undefined && html`<span class="soft">${span(clip)}</span>`}
        <span class="moves">${button("earlier", "back", place - 1)} ${button("later", "back", place + 1)}</span>
      </li>`;
    })}
  </ol>`;
}

/**
 * The answer's order, and after it the clips that it leaves out.
 * @param {string | number[] | null} own
 * @param {readonly number[]} clips
 */
export function startOrder(own, clips) {
  const order = Array.isArray(own) ? own : [];
  return [...order, ...clips.filter((clip) => !order.includes(clip))];
}

/** @param {{ clip: ClipView | undefined, video: string }} props */
function Still({ clip, video }) {
  const [isBroken, setBroken] = useState(false);
  if (clip === undefined || isBroken)
    return html`<span class="still-none" aria-hidden="true"></span>`;
  return html`<img
    src=${thumbnailUrl(video, (clip.start_s + clip.end_s) / 2)}
    alt=""
    loading="lazy"
    draggable="false"
    onError=${() => setBroken(true)}
  />`;
}
