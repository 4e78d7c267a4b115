/** @import { VideoView } from "./types.d.ts" */
import { announce } from "./announce.js";
import { editVideo, thumbnailUrl } from "./api.js";
import { clock } from "./clock.js";
import { fieldValue } from "./field.js";
import { count, day, size } from "./format.js";
import { html, useId, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { errorMessage } from "./request.js";
import { pathTo } from "./routes.js";
import { withCode } from "./with-code.js";

/**
 * @typedef {{ video: VideoView, tags: readonly string[], remove: () => void, changed: (video: VideoView) => void,
 *   chooseTag: (tag: string) => void, selected: boolean | null, select: (on: boolean) => void }} CardProps
 *   `selected` null: videos are not being selected
 */

/**
 * A video of the library, which can be renamed and tagged in place.
 * @param {CardProps} props
 */
export function VideoCard({ video, tags, remove, changed, chooseTag, selected, select }) {
  const { id, name, questions, created_at } = video;
  const [editing, setEditing] = useState(/** @type {"name" | "tags" | null} */ (null));
  const [problem, setProblem] = useState("");
  const node = useRef(/** @type {HTMLElement | null} */ (null));

  const leave = (/** @type {"name" | "tags"} */ what) => {
    setEditing(null);
    setProblem("");
    queueMicrotask(() =>
      /** @type {HTMLElement | null} */ (
        node.current?.querySelector(`[data-action="${what}"]`)
      )?.focus(),
    );
  };
  /** @param {{ name?: string, tags?: string[] }} change @param {"name" | "tags"} what */
  const save = async (change, what) => {
    try {
      changed(await editVideo(id, change));
      leave(what);
      announce(what === "name" ? `Renamed to ${change.name}.` : "Tags saved.");
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  const action = (
    /** @type {string} */ icon,
    /** @type {string} */ label,
    /** @type {string} */ what,
    /** @type {() => void} */ onClick,
  ) => html`<button
    type="button"
    class="quiet icon-only"
    data-action=${what}
    title=${label}
    aria-label=${`${label} ${name}`}
    onClick=${onClick}
  >
    <${Icon} name=${icon} />
  </button>`;

  return html`<li class=${selected ? "video selected" : "video"} ref=${node}>
    <a href=${pathTo(id)}>
      <${Poster} video=${video} />
      ${editing !== "name" && html`<span class="name">${name}</span>`}
    </a>
    ${
      selected !== null &&
      html`<input
        type="checkbox"
        class="pick"
        aria-label=${`Select ${name}`}
        checked=${selected}
        onChange=${(/** @type {Event} */ { currentTarget }) => select(/** @type {HTMLInputElement} */ (currentTarget).checked)}
      />`
    }
    ${
      editing === "name" &&
      html`<${InlineEdit}
        label=${`New name of ${name}`}
        value=${name}
        save=${(/** @type {string} */ next) => (next === "" || next === name ? leave("name") : save({ name: next }, "name"))}
        leave=${() => leave("name")}
      />`
    }
    <p class="soft facts">
      <span>${questions === 0 ? "No question yet" : count(questions, "question")}</span>
      <span>${size(video.size)}</span>
      <span>${day(created_at)}</span>
    </p>
    ${
      editing === "tags"
        ? html`<${InlineEdit}
            label=${`Tags of ${name}, separated by commas`}
            value=${video.tags.join(", ")}
            suggestions=${tags}
            save=${(/** @type {string} */ text) => save({ tags: tagsIn(text) }, "tags")}
            leave=${() => leave("tags")}
          />`
        : video.tags.length > 0 &&
          html`<p class="chips">
            ${video.tags.map(
              (tag) => html`<button
                type="button"
                class="chip"
                aria-label=${`Show videos with the tag ${tag}`}
                onClick=${() => chooseTag(tag)}
              >
                ${tag}
              </button>`,
            )}
          </p>`
    }
    ${problem !== "" && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    <div class="card-actions">
      ${action("pencil", "Rename", "name", () => setEditing("name"))}
      ${action("tag", "Tags of", "tags", () => setEditing("tags"))}
      ${action("trash", "Delete", "delete", remove)}
    </div>
  </li>`;
}

/** @param {{ video: VideoView }} props */
function Poster({ video: { id, duration_s, width } }) {
  const [missing, setMissing] = useState(width === null);
  return html`<span class="poster">
    ${
      missing
        ? html`<${Icon} name=${width === null ? "sound" : "video"} />`
        : html`<img
            src=${thumbnailUrl(id, duration_s / 4)}
            alt=""
            loading="lazy"
            onError=${() => setMissing(true)}
          />`
    }
    <span class="length">${clock(duration_s)}</span>
  </span>`;
}

/**
 * One line that is edited in place: Enter and leaving the field save, Escape cancels.
 * @param {{ label: string, value: string, suggestions?: readonly string[], save: (text: string) => void, leave: () => void }} props
 */
function InlineEdit({ label, value, suggestions = [], save, leave }) {
  const [text, setText] = useState(value);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const list = useId();
  useLayoutEffect(() => input.current?.select(), []);
  const key = (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key === "Escape") leave();
    if (event.key === "Enter" && !event.isComposing) save(text.trim());
  };
  return html`<div class="inline-edit">
    <input
      ref=${input}
      aria-label=${label}
      value=${text}
      list=${list}
      maxlength="1000"
      onInput=${(/** @type {Event} */ event) => setText(fieldValue(event))}
      onKeyDown=${key}
    />
    <datalist id=${list}>${suggestions.map((one) => html`<option value=${one}></option>`)}</datalist>
    <button type="button" class="primary" onClick=${() => save(text.trim())}>Save</button>
    <button type="button" class="quiet" onClick=${leave}>Cancel</button>
  </div>`;
}

/** @param {string} text */
function tagsIn(text) {
  const words = text.split(",").map((tag) => tag.trim());
  return [...new Set(words.filter((tag) => tag !== ""))];
}
