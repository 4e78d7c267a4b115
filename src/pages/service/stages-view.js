/** @import { Progress, Stage } from "./stages.js" */

import { announce } from "./announce.js";
import { count, spent, stageName } from "./format.js";
import { html, useEffect, useState } from "./html.js";
import { errorMessage } from "./request.js";
import { shareOf } from "./stages.js";
import { useWaiting } from "./use-waiting.js";
import { withCode } from "./with-code.js";

/**
 * A running question: its stages as they arrive, what it has spent so far, and a button that cancels it.
 * @param {{ progress: Progress, cancel: () => Promise<unknown> }} props
 */
export function StagesView({ progress, cancel }) {
  const [isCancelled, setCancelled] = useState(false);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const waiting = useWaiting(progress.stages.length === 0);
  const running = progress.stages
    .filter((stage) => stage.running)
    .map(({ name }) => stageName(name));
  const now = running.length === 0 ? "Running…" : `${running.join(", ")}…`;
  useEffect(() => {
    if (running.length > 0) announce(now);
  }, [now]);
  const stop = async () => {
    setCancelled(true);
    setProblem(null);
    try {
      await cancel();
    } catch (error) {
      setProblem(errorMessage(error));
      setCancelled(false);
    }
  };
  return html`<div role="group" class="panel running" aria-label="Progress">
    <div class="running-head">
      <h3>${progress.stages.length === 0 ? "Waiting for its turn…" : now}</h3>
      <button type="button" disabled=${isCancelled} onClick=${stop}>Cancel</button>
    </div>
    ${waiting !== null && html`<p class="note" role="status">${withCode(waiting)}</p>`}
    <ol class="stages" aria-label="Stages">
      ${progress.stages.map((stage) => html`<${StageRow} key=${stage.name} stage=${stage} share=${shareOf(stage, progress)} />`)}
    </ol>
    <p class="soft">${`So far: ${spent(progress.total)}${storedCalls(progress.cached)}`}</p>
    ${progress.notes.slice(-3).map((note) => html`<p class="note" key=${note}>${withCode(note)}</p>`)}
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  </div>`;
}

/** @param {number} cached */
export function storedCalls(cached) {
  return cached === 0 ? "" : ` (${count(cached, "call")} from stored replies)`;
}

/** @param {{ stage: Stage, share: number | null }} props */
function StageRow({ stage, share }) {
  const { name, running } = stage;
  // Without a value the bar shows that the stage runs.
  const value = share === null ? {} : { value: share };
  return html`<li class=${running ? "now" : "done"}>
    <span class="mark-state" role="img" aria-label=${running ? "running" : "done"}></span>
    <span class="name">${stageName(name)}</span>
    ${running && html`<progress key=${share === null} aria-label=${`Progress of ${stageName(name)}`} ...${value}></progress>`}
    <span class="soft">${said(stage)}</span>
  </li>`;
}

/** @param {Stage} stage */
function said({ running, done, total, unit, usage, cached, evidence, seconds }) {
  const parts = [
    done === null
      ? ""
      : `${Math.round(done)}${total === null ? "" : ` of ${Math.round(total)}`} ${unit}`,
    evidence === 0 ? "" : `${evidence} evidence`,
    usage.calls === 0 ? "" : `${spent(usage)}${storedCalls(cached)}`,
    running || seconds === null ? "" : `${seconds.toFixed(1)} s`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
