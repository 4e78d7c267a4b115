import { useCallback, useEffect, useRef, useState } from "./html.js";
import { errorMessage } from "./request.js";

/**
 * What `fetcher` resolves to. It is fetched again when one of `inputs` differs, and by `again`; until the new value is
 * there, the old one stays.
 *
 * @template Value
 * @param {() => Promise<Value>} fetcher
 * @param {readonly unknown[]} inputs
 * @returns {{ value: Value | null, problem: string | null, again: () => void, set: (value: Value) => void }}
 *   `problem`: one sentence, if the last request failed
 */
export function useFetched(fetcher, inputs) {
  const [value, setValue] = useState(/** @type {Value | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const last = useRef(0);
  const again = useCallback(async () => {
    const turn = ++last.current;
    try {
      const fetched = await fetcher();
      if (turn !== last.current) return;
      setValue(() => fetched);
      setProblem(null);
    } catch (error) {
      if (turn === last.current) setProblem(errorMessage(error));
    }
  }, inputs);
  useEffect(() => {
    again();
    return () => {
      last.current++;
    };
  }, [again]);
  return { value, problem, again, set: (next) => setValue(() => next) };
}
