/** @import { EstimateView, Task } from "./types.d.ts" */
import { estimateQuestion } from "./api.js";
import { count, money } from "./format.js";
import { html, useEffect, useState } from "./html.js";

/** Milliseconds after the last change before the service is asked. */
const PAUSE_MS = 400;

/**
 * What a question with these settings would take.
 * @param {{ video: string, task: Task, settings: Record<string, unknown> }} props
 */
export function EstimateLine({ video, task, settings }) {
  const [estimate, setEstimate] = useState(/** @type {EstimateView | null} */ (null));
  useEffect(() => {
    let left = false;
    const timer = setTimeout(async () => {
      // A setting that is refused is reported when the question is asked.
      const next = await estimateQuestion(video, { task, settings }).catch(() => null);
      if (!left) setEstimate(next);
    }, PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [video, task, JSON.stringify(settings)]);
  return html`<span class="soft hint">
    ${estimate === null ? "" : wordsOf(estimate)}
  </span>`;
}

/** @param {EstimateView} estimate */
function wordsOf({ calls, exact, cost, seconds, answered }) {
  const time =
    seconds === null
      ? ""
      : `${duration(seconds)} (median of ${count(answered, "question")} like this)`;
  if (calls === null) return ["Calls depend on the video", time].filter(Boolean).join(" · ");
  if (calls === 0) return ["No model call, free", time].filter(Boolean).join(" · ");
  const price = cost === null ? "price unknown" : `about ${money(cost.about)}`;
  return [`${exact ? "" : "at most "}${count(calls, "call")}`, price, time]
    .filter(Boolean)
    .join(" · ");
}

/** @param {number} seconds */
function duration(seconds) {
  return seconds < 90
    ? `about ${Math.max(1, Math.round(seconds))} s`
    : `about ${Math.round(seconds / 60)} min`;
}
