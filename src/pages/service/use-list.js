import { onChanged } from "./changes.js";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { errorMessage } from "./request.js";

/**
 * A list that is read in pages, keeps itself up to date, and is as long and as far scrolled after Back as it was before.
 *
 * @template Item
 * @typedef {{ items: Item[], next: string | null, total: number }} Page
 */

/** Items of a page, and the most that one request brings. */
const PAGE = 50;
const MOST = 200;
/** Milliseconds between looks at the service while the page is visible, for what other programs change in its data. */
const LOOK_MS = 60_000;

/** Lists of earlier views, by their entry in the history of the browser. @type {Map<string, { key: string, list: Page<any>, scroll: number }>} */
const earlier = new Map();
let entries = 0;

/** The name of this entry of the history; null state: it is new. */
function entryOf() {
  const known = history.state?.entry;
  if (typeof known === "string") return known;
  const entry = `${Date.now().toString(36)}-${entries++}`;
  history.replaceState({ entry }, "");
  return entry;
}

/**
 * @template {{ id: string }} Item
 * @param {(page: { limit: number, cursor?: string }) => Promise<Page<Item>>} fetchPage
 * @param {string} key of what is listed: sort and filters; another key lists again
 * @param {string} topic whose changes are shown: `videos`, `questions` or the id of a video
 */
export function useList(fetchPage, key, topic) {
  const entry = useRef("");
  if (entry.current === "") entry.current = entryOf();
  const [list, setList] = useState(() => {
    const kept = earlier.get(entry.current);
    return kept?.key === key ? /** @type {Page<Item>} */ (kept.list) : null;
  });
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [outdated, setOutdated] = useState(false);
  const shown = useRef(list);
  shown.current = list;
  const turn = useRef(0);

  const load = useCallback(
    async (
      /** @type {{ quiet?: boolean, first?: boolean }} */ { quiet = false, first = false } = {},
    ) => {
      const now = ++turn.current;
      const before = first ? null : shown.current;
      const limit = Math.min(MOST, Math.max(PAGE, before?.items.length ?? 0));
      try {
        const page = await fetchPage({ limit });
        if (now !== turn.current) return;
        setProblem(null);
        if (before === null || before.items.length <= MOST) setList(page);
        else if (sameIds(page, before))
          setList({ ...before, items: [...page.items, ...before.items.slice(MOST)] });
        else setOutdated(true);
      } catch (error) {
        if (now === turn.current && !quiet) setProblem(errorMessage(error));
      }
    },
    [key],
  );
  /** Reads the next page; false if that failed. */
  const more = async () => {
    const before = shown.current;
    if (before === null || before.next === null) return true;
    const now = ++turn.current;
    try {
      const page = await fetchPage({ limit: PAGE, cursor: before.next });
      if (now !== turn.current) return true;
      setProblem(null);
      const known = new Set(before.items.map(({ id }) => id));
      const added = page.items.filter(({ id }) => !known.has(id));
      setList({ ...page, items: [...before.items, ...added] });
      return true;
    } catch (error) {
      if (now === turn.current) setProblem(errorMessage(error));
      return false;
    }
  };

  const listed = useRef("");
  useEffect(() => {
    const other = listed.current !== "" && listed.current !== key;
    listed.current = key;
    load({ first: other });
    const look = () => {
      if (!document.hidden) load({ quiet: true });
    };
    const timer = setInterval(look, LOOK_MS);
    const stop = onChanged(topic, look);
    document.addEventListener("visibilitychange", look);
    return () => {
      turn.current++;
      clearInterval(timer);
      stop();
      document.removeEventListener("visibilitychange", look);
    };
  }, [load, topic]);
  useRestoredScroll(entry.current, key, shown);
  return {
    list,
    problem,
    more,
    /** Reads the list again from its start. */
    again: () => {
      setOutdated(false);
      load({ first: true });
    },
    /** Reads what is shown again. */
    refresh: () => load({ quiet: true }),
    /** The list differs from what is shown, which is too long to be read again unasked. */
    outdated,
    /** Shows a change before the service is asked again. @param {(items: Item[]) => Item[]} change */
    edit: (change) => {
      turn.current++;
      setList((before) => {
        if (before === null) return null;
        const items = change(before.items);
        return { ...before, items, total: before.total - (before.items.length - items.length) };
      });
    },
  };
}

/**
 * @param {string} entry
 * @param {string} key
 * @param {{ current: Page<any> | null }} shown
 */
function useRestoredScroll(entry, key, shown) {
  const scroll = useRef(0);
  const last = useRef(key);
  last.current = key;
  useLayoutEffect(() => {
    const kept = earlier.get(entry);
    if (kept?.key === key) window.scrollTo({ top: kept.scroll, behavior: "instant" });
    scroll.current = window.scrollY;
    const note = () => {
      scroll.current = window.scrollY;
    };
    window.addEventListener("scroll", note, { passive: true });
    return () => {
      window.removeEventListener("scroll", note);
      const list = shown.current;
      if (list !== null) earlier.set(entry, { key: last.current, list, scroll: scroll.current });
    };
  }, []);
}

/**
 * Whether the start of a long list has the same items in the same order as a new page.
 * @param {Page<{ id: string }>} page
 * @param {Page<{ id: string }>} before
 */
function sameIds(page, before) {
  return page.total === before.total && page.items.every(({ id }, n) => id === before.items[n]?.id);
}
