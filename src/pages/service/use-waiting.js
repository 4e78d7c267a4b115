import { getService } from "./api.js";
import { useEffect, useState } from "./html.js";

/** A question usually begins before the first look. */
const FIRST_MS = 2_000;
const AGAIN_MS = 5_000;

/**
 * Why no question is answered now, as a sentence, while one waits; null: questions are answered.
 * @param {boolean} isWaiting
 * @returns {string | null}
 */
export function useWaiting(isWaiting) {
  const [why, setWhy] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    setWhy(null);
    if (!isWaiting) return;
    let timer = setTimeout(look, FIRST_MS);
    let left = false;
    async function look() {
      const service = await getService().catch(() => null);
      if (left) return;
      if (service !== null) setWhy(service.waiting);
      timer = setTimeout(look, AGAIN_MS);
    }
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [isWaiting]);
  return why;
}
