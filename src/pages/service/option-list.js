import { fieldValue } from "./field.js";
import { html, useRef } from "./html.js";

export const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Options lettered from A; several pasted lines become several options.
 * @param {{ options: readonly string[], change: (options: string[]) => void }} props
 */
export function OptionList({ options, change }) {
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  const focus = (/** @type {string} */ selector) =>
    queueMicrotask(() =>
      /** @type {HTMLElement | null} */ (
        [...(node.current?.querySelectorAll(selector) ?? [])].at(-1)
      )?.focus(),
    );
  const set = (/** @type {number} */ place, /** @type {string} */ text) =>
    change(options.map((option, n) => (n === place ? text : option)));
  const add = () => {
    change([...options, ""]);
    focus("input");
  };
  const remove = (/** @type {number} */ place) => {
    change(options.filter((_option, n) => n !== place));
    focus("button.add");
  };
  return html`<fieldset class="options-edit" ref=${node}>
    <legend>Options</legend>
    ${options.map(
      (option, place) => html`<div class="option-row">
        <span class="soft" aria-hidden="true">(${LETTERS[place]})</span>
        <input
          aria-label=${`Option ${LETTERS[place]}`}
          value=${option}
          maxlength="20000"
          onInput=${(/** @type {Event} */ event) => set(place, fieldValue(event))}
          onPaste=${(/** @type {ClipboardEvent} */ event) => {
            const lines = linesOf(event.clipboardData?.getData("text") ?? "");
            if (lines.length < 2) return;
            event.preventDefault();
            change(pasted(options, place, lines));
          }}
        />
        ${
          options.length > 2 &&
          html`<button
            type="button"
            class="quiet"
            aria-label=${`Remove option ${LETTERS[place]}`}
            onClick=${() => remove(place)}
          >
            Remove
          </button>`
        }
      </div>`,
    )}
    ${
      options.length < LETTERS.length &&
      html`<button type="button" class="quiet add" onClick=${add}>Add an option</button>`
    }
  </fieldset>`;
}

/** @param {string} text */
function linesOf(text) {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/**
 * The first line goes to `place`, the others to empty options and then to new ones.
 * @param {readonly string[]} options
 * @param {number} place
 * @param {string[]} lines
 */
function pasted(options, place, [first = "", ...lines]) {
  const filled = options.map((option, n) => {
    if (n === place) return first;
    return option.trim() === "" ? (lines.shift() ?? option) : option;
  });
  return [...filled, ...lines].slice(0, LETTERS.length);
}
