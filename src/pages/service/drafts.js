/** @import { EvidenceView } from "./types.d.ts" */
/** @import { Words } from "./words-form.js" */

/**
 * Edits of evidence that are not saved yet, by the name of the item; they outlive a reload of the page. `of`: the item as
 * it was when the edit began; null: a new item. `at`: where the form is open.
 *
 * @typedef {{ of: EvidenceView | null, words: Words, at: "card" | "transcript", kind?: string }} Draft
 * @typedef {ReturnType<typeof openDrafts>} Drafts
 */

/**
 * @param {string} question
 * @param {() => void} redraw
 */
export function openDrafts(question, redraw) {
  const key = `video-rrd:drafts:${question}`;
  const drafts = /** @type {Map<string, Draft>} */ (new Map(stored(key)));
  const store = () => {
    try {
      if (drafts.size === 0) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify([...drafts]));
    } catch {
      // A full or forbidden store: the drafts last until the page is closed.
    }
  };
  return {
    /** @param {string} name */
    get: (name) => drafts.get(name),
    all: () => [...drafts],
    /** @param {string} name @param {Draft} draft */
    begin: (name, draft) => {
      drafts.set(name, draft);
      store();
      redraw();
    },
    /** Keeps what was typed, without rendering again. @param {string} name @param {Partial<Draft>} change */
    keep: (name, change) => {
      const draft = drafts.get(name);
      if (draft === undefined) return;
      drafts.set(name, { ...draft, ...change });
      store();
    },
    /** @param {string} name */
    end: (name) => {
      drafts.delete(name);
      store();
      redraw();
    },
  };
}

/** @param {string} key @returns {[string, Draft][]} */
function stored(key) {
  try {
    const read = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
