import { useCallback, useState } from "./html.js";

/**
 * State that survives a reload of this tab, until the tab is closed: what a person wrote and did not send yet.
 *
 * @template Value
 * @param {string} name of the draft, the same after a reload
 * @param {Value} initial what there is before anything was written; its members are filled in if an older draft lacks them
 * @returns {[Value, (change: Partial<Value>) => void, () => void]} the draft, changes it, forgets it
 */
export function useDraft(name, initial) {
  const place = `video-rrd:draft:${name}`;
  const [value, setValue] = useState(() => ({ ...initial, ...stored(place) }));
  const change = useCallback(
    (/** @type {Partial<Value>} */ part) =>
      setValue((before) => {
        const next = { ...before, ...part };
        store(place, next);
        return next;
      }),
    [place],
  );
  const forget = useCallback(() => {
    sessionStorage.removeItem(place);
    setValue(initial);
  }, [place]);
  return [value, change, forget];
}

/** @param {string} place @returns {object} */
function stored(place) {
  try {
    const value = JSON.parse(sessionStorage.getItem(place) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** @param {string} place @param {unknown} value */
function store(place, value) {
  try {
    sessionStorage.setItem(place, JSON.stringify(value));
  } catch {
    // A full or forbidden storage loses the draft at a reload, and nothing else.
  }
}
