/** @import { Progress, Stage } from "./stages.js" */

import { announce } from "./announce.js";
import { button, el, fill } from "./dom.js";
import { count, spent, stageName } from "./format.js";
import { shareOf } from "./stages.js";

/**
 * A running question: its stages as they arrive, what it has spent so far, and a button that cancels it.
 * @param {() => void} cancel
 */
export function stagesView(cancel) {
  const list = el("ol", { class: "stages", "aria-label": "Stages" });
  const total = el("p", { class: "soft" });
  const notes = el("div", {});
  const stop = button("Cancel", () => {
    stop.disabled = true;
    cancel();
  });
  const title = el("h3", {}, "Waiting for its turn…");
  const node = el(
    "div",
    { role: "group", class: "panel running", "aria-label": "Progress" },
    el("div", { class: "running-head" }, title, stop),
    list,
    total,
    notes,
  );
  /** @type {Map<string, { node: HTMLElement, update: (stage: Stage, share: number | null) => void }>} */
  const rows = new Map();
  let announced = "";

  /** @param {Progress} progress */
  const show = (progress) => {
    for (const [name, row] of rows)
      if (!progress.stages.some((stage) => stage.name === name)) {
        row.node.remove();
        rows.delete(name);
      }
    for (const stage of progress.stages) {
      let row = rows.get(stage.name);
      if (row === undefined) {
        row = stageRow(stage.name);
        rows.set(stage.name, row);
        list.append(row.node);
      }
      row.update(stage, shareOf(stage, progress));
    }
    const running = progress.stages
      .filter((stage) => stage.running)
      .map(({ name }) => stageName(name));
    const now = running.length === 0 ? "Running…" : `${running.join(", ")}…`;
    if (progress.stages.length > 0) title.textContent = now;
    if (running.length > 0 && now !== announced) {
      announced = now;
      announce(now);
    }
    total.textContent = `So far: ${spent(progress.total)}${storedCalls(progress.cached)}`;
    fill(
      notes,
      progress.notes.slice(-3).map((note) => el("p", { class: "note" }, note)),
    );
  };
  return {
    node,
    show,
    again: () => {
      stop.disabled = false;
    },
  };
}

/** @param {number} cached */
export function storedCalls(cached) {
  return cached === 0 ? "" : ` (${count(cached, "call")} from stored replies)`;
}

/** @param {string} name */
function stageRow(name) {
  const mark = el("span", { class: "mark-state", role: "img" });
  const about = el("span", { class: "soft" });
  const bar = el("progress", { "aria-label": `Progress of ${stageName(name)}`, hidden: true });
  const node = el("li", {}, mark, el("span", { class: "name" }, stageName(name)), bar, about);
  /**
   * @param {Stage} stage
   * @param {number | null} share
   */
  const update = (stage, share) => {
    node.className = stage.running ? "now" : "done";
    mark.setAttribute("aria-label", stage.running ? "running" : "done");
    bar.hidden = !stage.running;
    // Without a value the bar shows that the stage runs.
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
    about.textContent = said(stage);
  };
  return { node, update };
}

/** @param {Stage} stage */
function said({ done, total, unit, usage, cached, evidence, seconds }) {
  const parts = [
    done === null
      ? ""
      : `${Math.round(done)}${total === null ? "" : ` of ${Math.round(total)}`} ${unit}`,
    evidence === 0 ? "" : `${evidence} evidence`,
    usage.calls === 0 ? "" : `${spent(usage)}${storedCalls(cached)}`,
    seconds === null ? "" : `${seconds.toFixed(1)} s`,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
