import { useDraft } from "./use-draft.js";

/**
 * Keys for requests that make a question: the service answers a request with the key of an earlier one with the response
 * to that one. Whoever sends again, since a response was lost or another request was refused, asks nothing twice.
 *
 * @param {string} name of what sends them, the same after a reload
 * @returns {{ keyOf: (request: unknown) => string, forget: () => void }}
 *   `keyOf`: the same key for the same request, also after a reload of this tab, until `forget`, which is called once all
 *   have arrived
 */
export function useRequestKeys(name) {
  const none = /** @type {Record<string, string>} */ ({});
  const [keys, change, forget] = useDraft(`keys:${name}`, none);
  const keyOf = (/** @type {unknown} */ request) => {
    const text = JSON.stringify(request);
    const key = keys[text] ?? randomKey();
    change({ [text]: key });
    return key;
  };
  return { keyOf, forget };
}

/** Not `randomUUID`, which a page over plain HTTP lacks. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
