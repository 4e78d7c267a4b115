import { count } from "./format.js";
import { html, useEffect, useRef, useState } from "./html.js";

/**
 * Brings the next page of a list: when it comes near the window, or when pressed; after a failure only when pressed.
 * @param {{ list: { items: readonly unknown[], next: string | null, total: number }, more: () => Promise<boolean>, noun: string }} props
 *   `more` resolves to false if the page could not be read
 */
export function MoreButton({ list, more, noun }) {
  const { items, next, total } = list;
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(/** @type {typeof list | null} */ (null));
  const bring = async () => {
    setBusy(true);
    setFailed((await more()) ? null : list);
    setBusy(false);
  };
  const isStuck = failed === list;
  useEffect(() => {
    if (next === null || busy || isStuck || node.current === null) return;
    const watcher = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) bring();
      },
      { rootMargin: "600px" },
    );
    watcher.observe(node.current);
    return () => watcher.disconnect();
  }, [list, busy, isStuck]);
  if (next === null) return null;
  return html`<p class="more" ref=${node}>
    <span class="soft">${items.length.toLocaleString("en")} of ${count(total, noun)} shown</span>
    <button type="button" disabled=${busy} onClick=${bring}>Load more</button>
  </p>`;
}
