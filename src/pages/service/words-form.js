import { html, useEffect, useId, useLayoutEffect, useRef, useState } from "./html.js";

/** @typedef {{ text: string, start_s: number, end_s: number }} Words */

/**
 * Edits the words and the time of an item of evidence. Enter saves, Shift+Enter breaks the line, Escape cancels.
 *
 * @param {{ words: Words, keep: (words: Words) => void, save: (words: Words) => Promise<void>, leave: () => void,
 *   saveLabel?: string, children?: unknown }} props
 *   `keep` gets each change; `save` shows its own errors
 */
export function WordsForm({ words, keep, save, leave, saveLabel = "Save", children = null }) {
  const id = useId();
  const first = useRef(words);
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [text, setText] = useState(words.text);
  const [from, setFrom] = useState(round(words.start_s));
  const [to, setTo] = useState(round(words.end_s));
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => area.current?.focus(), []);

  /** A time that was not edited keeps all of its digits. */
  const given = () => ({
    text: text.trim(),
    start_s: from === round(first.current.start_s) ? first.current.start_s : Number(from),
    end_s: to === round(first.current.end_s) ? first.current.end_s : Number(to),
  });
  useEffect(() => keep({ ...given(), text }), [text, from, to]);
  const isBackwards = Number(to) < Number(from);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    setBusy(true);
    await save(given());
    setBusy(false);
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key === "Escape") leave();
    if (
      event.key !== "Enter" ||
      event.shiftKey ||
      event.isComposing ||
      event.target !== area.current
    )
      return;
    event.preventDefault();
    area.current?.form?.requestSubmit();
  };
  const seconds = (
    /** @type {string} */ label,
    /** @type {string} */ value,
    /** @type {(value: string) => void} */ set,
    /** @type {string} */ name,
  ) => html`<div
    class="field"
  >
    <label for=${`${id}-${name}`}>${label}</label>
    <input
      id=${`${id}-${name}`}
      type="number"
      min="0"
      max="1000000"
      step="0.01"
      required
      value=${value}
      onInput=${(/** @type {Event} */ event) => set(inputOf(event))}
    />
  </div>`;
  return html`<form class="words-form" onSubmit=${submit} onKeyDown=${onKeyDown}>
    ${children}
    <div class="field">
      <label for=${`${id}-words`}>Words</label>
      <textarea
        id=${`${id}-words`}
        ref=${area}
        rows="3"
        required
        maxlength="20000"
        aria-describedby=${`${id}-hint`}
        value=${text}
        onInput=${(/** @type {Event} */ event) => setText(inputOf(event))}
      ></textarea>
    </div>
    <div class="times">
      ${seconds("From second", from, setFrom, "from")} ${seconds("to second", to, setTo, "to")}
    </div>
    ${isBackwards && html`<p class="problem">The end must be after the start.</p>`}
    <p class="soft hint" id=${`${id}-hint`}>Enter saves, Escape cancels.</p>
    <div class="actions">
      <button class="primary" disabled=${busy || isBackwards}>${saveLabel}</button>
      <button type="button" class="quiet" onClick=${leave}>Cancel</button>
    </div>
  </form>`;
}

/** @param {number} seconds */
function round(seconds) {
  return String(Math.round(seconds * 100) / 100);
}

/** @param {Event} event */
function inputOf({ currentTarget }) {
  return /** @type {HTMLInputElement | HTMLTextAreaElement} */ (currentTarget).value;
}
