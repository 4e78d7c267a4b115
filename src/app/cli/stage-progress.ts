import { countOf } from "../../core/count-of.ts";
import type { Event } from "../../core/events.ts";
import { addUsage, NO_USAGE, type Usage } from "../../core/shapes.ts";
import { liveLines } from "./live-lines.ts";

/** What a person is shown of one stage. Times are milliseconds since 1970. */
interface StageView {
  state: "running" | "done";
  /** How often it runs at present: a strategy may ask several times at once. */
  runs: number;
  began_at: number;
  /** Its last event. */
  moved_at: number;
  /** Duration once it has ended. */
  seconds: number | null;
  usage: Usage;
  cached: number;
  evidence: number;
  progress: string | null;
}

/** The stage before the first event, which comes once the video is open. */
const OPENING = "open video";
const LIVE_EVERY_MS = 80;
const TICK_MS = 500;
const FIRST_AFTER_MS = 1000;
const PLAIN_EVERY_MS = 5000;

/** Applies an event of a question to the state of its stages. */
export function updateStages(stages: Map<string, StageView>, event: Event): void {
  const stage = stages.get(event.stage) ?? runningSince(event.at);
  stages.set(event.stage, stage);
  stage.moved_at = event.at;
  switch (event.type) {
    case "stage":
      if (event.state === "start" && stage.state === "done") stage.began_at = event.at;
      stage.runs = Math.max(0, stage.runs + (event.state === "start" ? 1 : -1));
      stage.state = stage.runs > 0 ? "running" : "done";
      stage.seconds = event.seconds ?? stage.seconds;
      if (stage.state === "done") stage.progress = null;
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

function runningSince(at: number): StageView {
  return {
    state: "running",
    runs: 0,
    began_at: at,
    moved_at: at,
    seconds: null,
    usage: NO_USAGE,
    cached: 0,
    evidence: 0,
    progress: null,
  };
}

/**
 * Every running stage in one line, the one that moved last first, each with the time it has taken so far:
 * `… speech: 30 of 600 seconds of sound transcribed, 12 s · text: 3 of 40 pictures read, 14 s`. Empty if none is running.
 */
export function runningText(stages: ReadonlyMap<string, StageView>, now: number): string {
  const running = [...stages]
    .filter(([, { state }]) => state === "running")
    .sort(([, a], [, b]) => b.moved_at - a.moved_at);
  if (running.length === 0) return "";
  return `… ${running.map(([name, stage]) => stageText(name, stage, now)).join(" · ")}`;
}

function stageText(name: string, stage: StageView, now: number): string {
  const { progress, evidence, usage, cached, seconds, state } = stage;
  const parts = [
    progress,
    evidence > 0 ? `${evidence} evidence` : null,
    usage.calls > 0
      ? `${countOf(usage.calls, "call")}${cached > 0 ? ` (${cached} cached)` : ""}`
      : null,
    state === "running"
      ? `${Math.max(0, Math.round((now - stage.began_at) / 1000))} s`
      : seconds === null
        ? null
        : `${seconds.toFixed(1)} s`,
  ].filter((part) => part !== null);
  return `${name}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}

function stageLine(name: string, stage: StageView, now: number): string {
  return `${stage.state === "done" ? "✓" : "…"} ${stageText(name, stage, now)}`;
}

/**
 * Prints the stages of a question to standard error, from the moment of the call: live on a terminal; otherwise a line
 * when a stage ends, and the running stages after a second and then every few seconds without a line. With `after_ms`
 * nothing is printed before that time, for commands that are usually fast.
 */
export function stageProgress({ after_ms = 0 }: { after_ms?: number } = {}): {
  onEvent(event: Event): void;
  done(): void;
} {
  const began = Date.now();
  const stages = new Map<string, StageView>([[OPENING, runningSince(began)]]);
  const live = liveLines();
  let printed: number | null = null;
  const isEarly = () => Date.now() - began < after_ms;
  const write = (text: string) => {
    printed = Date.now();
    process.stderr.write(`${text}\n`);
  };
  const draw = () => {
    printed = Date.now();
    live?.([...stages].map(([name, stage]) => stageLine(name, stage, Date.now())).join("\n"));
  };
  const tick = () => {
    if (isEarly()) return;
    const wait_ms =
      live !== undefined ? TICK_MS : printed === null ? FIRST_AFTER_MS : PLAIN_EVERY_MS;
    if (Date.now() - (printed ?? began) < wait_ms) return;
    if (live !== undefined) draw();
    else {
      const text = runningText(stages, Date.now());
      if (text !== "") write(text);
    }
  };
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  return {
    onEvent(event) {
      stages.delete(OPENING);
      updateStages(stages, event);
      const ended = event.type === "stage" && stages.get(event.stage)?.state === "done";
      if (event.type === "note") {
        live?.clear();
        process.stderr.write(`note: ${event.text}\n`);
      }
      if (isEarly()) return;
      if (live !== undefined) {
        if (ended || Date.now() - (printed ?? 0) > LIVE_EVERY_MS) draw();
      } else if (ended)
        write(stageLine(event.stage, stages.get(event.stage) as StageView, Date.now()));
      else tick();
    },
    done() {
      clearInterval(timer);
      if (live === undefined || isEarly()) return;
      draw();
      live.done();
    },
  };
}
