import type { Event } from "../../core/events.ts";
import { addUsage, NO_USAGE, type Usage } from "../../core/shapes.ts";
import { liveLines } from "./live-lines.ts";

interface StageView {
  state: "running" | "done";
  seconds: number | null;
  usage: Usage;
  cached: number;
  evidence: number;
  progress: string | null;
}

/** Applies an event of a question to the state of its stages. */
export function updateStages(stages: Map<string, StageView>, event: Event): void {
  const stage = stages.get(event.stage) ?? {
    state: "running",
    seconds: null,
    usage: NO_USAGE,
    cached: 0,
    evidence: 0,
    progress: null,
  };
  stages.set(event.stage, stage);
  switch (event.type) {
    case "stage":
      stage.state = event.state === "end" ? "done" : "running";
      stage.seconds = event.seconds ?? stage.seconds;
      if (event.state === "end") stage.progress = null;
      break;
    case "progress":
      stage.progress = `${Math.round(event.done)}${event.total === null ? "" : ` of ${Math.round(event.total)}`} ${event.unit}`;
      break;
    case "call":
      stage.usage = addUsage(stage.usage, event.call.usage);
      stage.cached += event.call.cached ? 1 : 0;
      break;
    case "evidence":
      stage.evidence++;
      break;
  }
}

function stageLine(name: string, stage: StageView): string {
  const parts = [
    stage.progress,
    stage.evidence > 0 ? `${stage.evidence} evidence` : null,
    stage.usage.calls > 0
      ? `${stage.usage.calls} calls${stage.cached > 0 ? ` (${stage.cached} cached)` : ""}`
      : null,
    stage.seconds === null ? null : `${stage.seconds.toFixed(1)} s`,
  ].filter((part) => part !== null);
  return `${stage.state === "done" ? "✓" : "…"} ${name}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}

/** Prints the stages of a question to standard error: live on a terminal, otherwise a plain line when a stage ends or is slow. */
export function stageProgress(): { onEvent(event: Event): void; done(): void } {
  const stages = new Map<string, StageView>();
  const live = liveLines();
  let drawn = Number.NEGATIVE_INFINITY;
  const draw = () => {
    drawn = performance.now();
    live?.([...stages].map(([name, stage]) => stageLine(name, stage)).join("\n"));
  };
  return {
    onEvent(event) {
      updateStages(stages, event);
      const stage = stages.get(event.stage) as StageView;
      const ended = event.type === "stage" && event.state === "end";
      if (event.type === "note") {
        live?.clear();
        process.stderr.write(`note: ${event.text}\n`);
      }
      if (live !== undefined) {
        if (ended || performance.now() - drawn > 80) draw();
        return;
      }
      if (ended || (event.type === "progress" && performance.now() - drawn > 5000)) {
        drawn = performance.now();
        process.stderr.write(`${stageLine(event.stage, stage)}\n`);
      }
    },
    done() {
      if (live === undefined) return;
      draw();
      live.done();
    },
  };
}
