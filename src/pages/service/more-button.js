import { count } from "./format.js";
import { html, useEffect, useRef, useState } from "./html.js";

/**
 * Brings the next page of a list: when it comes near the window, or when pressed.
 * @param {{ list: { items: readonly unknown[], next: string | null, total: number }, more: () => Promise<void>, noun: string }} props
 */
export function MoreButton({ list: { items, next, total }, more, noun }) {
  const node = useRef(/** @type {HTMLElement | null} */ (null));
  const [busy, setBusy] = useState(false);
  const bring = async () => {
    setBusy(true);
    await more();
    setBusy(false);
  };
  useEffect(() => {
    if (next === null || busy || node.current === null) return;
    const watcher = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) bring();
      },
      { rootMargin: "600px" },
    );
    watcher.observe(node.current);
    return () => watcher.disconnect();
  }, [next, busy]);
  if (next === null) return null;
  return html`<p class="more" ref=${node}>
    <span class="soft">${items.length.toLocaleString("en")} of ${count(total, noun)} shown</span>
    <button type="button" disabled=${busy} onClick=${bring}>Load more</button>
  </p>`;
}
