import { createLogUpdate } from "log-update";
import { pace, type RunProgress } from "../../evals/run-progress.ts";
import { clock } from "../core/time.ts";
import { money } from "../pages/evidence-page.ts";

const PLAIN_EVERY_MS = 5000;
const LIVE_EVERY_MS = 100;
const BAR = 24;

/** `120 of 365 (33 %) · 4.1 a second · 01:00 left · accuracy 41.7 % · $0.52 · 2 errors`. */
export function progressText(progress: RunProgress, seconds: number): string {
  const { total, done, errors, stopped, right, scored, cost, paid } = progress;
  const going = pace(progress, seconds);
  const share = total === 0 ? 100 : Math.floor((100 * (done + errors)) / total);
  return [
    `${done + errors} of ${total} (${share} %)`,
    going === null ? null : `${going.rate.toFixed(going.rate < 10 ? 2 : 1)} a second`,
    going === null ? null : `${clock(going.left_s)} left`,
    scored === 0 ? null : `accuracy ${((100 * right) / scored).toFixed(1)} %`,
    cost === 0 ? null : `${money(cost)}${paid === cost ? "" : ` (${money(paid)} paid now)`}`,
    errors === 0 ? null : `${errors} ${errors === 1 ? "error" : "errors"}`,
    stopped === 0 ? null : `${stopped} stopped by a budget`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/** Progress on standard error: a bar redrawn on a terminal, else a plain line every few seconds and at the end. */
export function evalProgress(): { update(progress: RunProgress): void; done(): void } {
  const began = Date.now();
  const live = process.stderr.isTTY ? createLogUpdate(process.stderr) : undefined;
  let spoke = began;
  let last: RunProgress | undefined;
  const text = (progress: RunProgress) => progressText(progress, (Date.now() - began) / 1000);
  return {
    update(progress) {
      last = progress;
      if (Date.now() - spoke < (live === undefined ? PLAIN_EVERY_MS : LIVE_EVERY_MS)) return;
      spoke = Date.now();
      if (live === undefined) process.stderr.write(`${text(progress)}\n`);
      else live(`${bar(progress)} ${text(progress)}`);
    },
    done() {
      live?.clear();
      if (last !== undefined) process.stderr.write(`${text(last)}\n`);
    },
  };
}

function bar({ done, errors, total }: RunProgress): string {
  const full = total === 0 ? BAR : Math.floor((BAR * (done + errors)) / total);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
}
