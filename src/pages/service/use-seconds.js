import { useEffect, useRef } from "./html.js";

/**
 * Seconds since `subject` was shown, without the time in which the page was hidden.
 * @param {unknown} subject
 * @returns {() => number}
 */
export function useSeconds(subject) {
  const visible = useRef({ before: 0, since: performance.now() });
  useEffect(() => {
    visible.current = { before: 0, since: performance.now() };
    const change = () => {
      const { before, since } = visible.current;
      const now = performance.now();
      visible.current = document.hidden
        ? { before: before + now - since, since: Number.POSITIVE_INFINITY }
        : { before, since: now };
    };
    document.addEventListener("visibilitychange", change);
    return () => document.removeEventListener("visibilitychange", change);
  }, [subject]);
  return () => {
    const { before, since } = visible.current;
    return (before + Math.max(0, performance.now() - since)) / 1000;
  };
}
