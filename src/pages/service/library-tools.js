import { fieldValue } from "./field.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";

const SORTS = /** @type {const} */ ([
  ["created", "Newest first"],
  ["name", "Name"],
  ["duration", "Longest first"],
  ["questions", "Most questions"],
]);
/** Milliseconds after the last key before a search starts. */
const PAUSE_MS = 250;

/**
 * Search, sort and tags of the library.
 * @param {{ query: { q: string, tag: string, sort: string }, tags: readonly string[],
 *   choose: (change: Record<string, string>) => void, selecting: boolean, toggleSelecting: () => void }} props
 */
export function LibraryTools({ query, tags, choose, selecting, toggleSelecting }) {
  return html`<div class="library-tools">
    <${SearchBox}
      words=${query.q}
      label="Search the library"
      placeholder="Search names, speech, text on screen, captions"
      search=${(/** @type {string} */ q) => choose({ q })}
    />
    <select
      aria-label="Sort by"
      value=${query.sort}
      onChange=${(/** @type {Event} */ event) => choose({ sort: fieldValue(event) })}
    >
      ${SORTS.map(([value, label]) => html`<option value=${value} selected=${value === query.sort}>${label}</option>`)}
    </select>
    ${
      tags.length > 0 &&
      html`<select
        aria-label="Tag"
        value=${query.tag}
        onChange=${(/** @type {Event} */ event) => choose({ tag: fieldValue(event) })}
      >
        <option value="" selected=${query.tag === ""}>All tags</option>
        ${tags.map((tag) => html`<option value=${tag} selected=${tag === query.tag}>${tag}</option>`)}
      </select>`
    }
    <button type="button" aria-pressed=${String(selecting)} onClick=${toggleSelecting}>Select</button>
  </div>`;
}

/**
 * Words that are searched for when typing pauses, or at once with Enter.
 * @param {{ words: string, label: string, placeholder: string, search: (words: string) => void }} props
 */
export function SearchBox({ words, label, placeholder, search }) {
  const [typed, setTyped] = useState(words);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const sent = useRef(words);
  useEffect(() => {
    // What was typed has the space before the next word, which the words that were sent lack.
    if (words !== sent.current) setTyped(words);
    sent.current = words;
  }, [words]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const send = (/** @type {string} */ text) => {
    sent.current = text.trim();
    search(sent.current);
  };
  const type = (/** @type {Event} */ event) => {
    const next = fieldValue(event);
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(next), PAUSE_MS);
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    clearTimeout(timer.current);
    send(typed);
  };
  return html`<form class="search" role="search" onSubmit=${submit}>
    <${Icon} name="search" />
    <input
      type="search"
      aria-label=${label}
      placeholder=${placeholder}
      value=${typed}
      maxlength="300"
      onInput=${type}
    />
  </form>`;
}
