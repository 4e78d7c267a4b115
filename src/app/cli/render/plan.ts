import { noteText } from "../../../../evals/benchmarks/tally.ts";
import type { HoursPlan } from "../../../../evals/run/estimate-hours.ts";
import type { RunPlan } from "../../../../evals/run/plan-run.ts";
import { unscoredText } from "../../../../evals/score/scorer-choice.ts";
import { scorersText } from "../../../../evals/scorers/choose-scorers.ts";
import { countOf } from "../../../core/count-of.ts";
import { money } from "../../../core/money.ts";
import { printable, table } from "../output.ts";
import { renderCertificate } from "./certificate.ts";

/** Hours by the number of workers, and what they are estimated from. */
function timeRows(time: HoursPlan | null): string[][] {
  if (time === null) return [];
  const { basis, by_workers } = time;
  const rate = [
    basis.requests_per_minute === null ? [] : [`${basis.requests_per_minute} requests a minute`],
    basis.tokens_per_minute === null ? [] : [`${basis.tokens_per_minute} tokens a minute`],
  ].flat();
  return [
    ...by_workers.map(({ workers, hours, limited_by }) => [
      workers === 1 ? "time" : "",
      `${workers === 1 ? "1 worker" : `${workers} workers`}: at least ${hoursText(hours)}, limited by ${limited_by}`,
    ]),
    [
      "time from",
      `${basis.call_s.toPrecision(2)} s a call (${basis.from.call_s}) and ${basis.own_s.toPrecision(2)} s of a core a result (${basis.from.own_s === "assumed" ? "assumed: decoding of the frames only" : basis.from.own_s}); each worker ${basis.connections} calls at once and ${basis.cores} cores; ${rate.length === 0 ? "no rate limit (--requests-per-minute)" : rate.join(", ")}`,
    ],
  ];
}

/** `3.1 h`, minutes below an hour, or seconds below a minute. Rounded down: it is told as a lower bound. */
export function hoursText(hours: number): string {
  const down = (value: number, step: number) => Math.floor(value / step + 1e-9) * step;
  if (hours >= 1) return `${down(hours, 0.1).toFixed(1)} h`;
  const minutes = hours * 60;
  return minutes >= 1 ? `${down(minutes, 1)} min` : `${down(minutes * 60, 0.1).toFixed(1)} s`;
}

/** The planned calls, tokens and cost of a run, each marked as exact, a bound or an estimate. */
export function renderPlan(plan: RunPlan): string {
  const { cost, tokens } = plan;
  const scored = scorersText(plan.scorers);
  const rows = [
    [
      "samples",
      `${plan.samples}${plan.epochs > 1 ? `, ${plan.epochs} times each` : ""}${plan.option_orders > 1 ? `, under up to ${plan.option_orders} orders of the options (${plan.results} results)` : ""}`,
    ],
    ...(plan.without_video > 0 ? [["without their video", String(plan.without_video)]] : []),
    ...(plan.skipped > 0 ? [["skipped", `${plan.skipped} without a video`]] : []),
    [
      "model calls",
      plan.unplanned !== null
        ? `not known, nor frames, tokens and cost: ${plan.unplanned} does not plan its calls (\`plan\` of defineStrategy)`
        : plan.exact
          ? `${plan.calls}`
          : plan.bound
            ? `at most ${plan.calls}`
            : `about ${plan.calls}; unreadable replies are requested again`,
    ],
    ...(plan.unplanned === null
      ? [["frames sent", `${plan.bound ? "at most" : "about"} ${plan.frames}`]]
      : []),
    ...(plan.text === null
      ? []
      : [
          [
            "text on screen",
            plan.text.by === "tesseract"
              ? `read in ${countOf(plan.text.videos, "video")} by tesseract on this machine: no model calls`
              : `read in ${countOf(plan.text.videos, "video")} by the model: counted above`,
          ],
        ]),
    ...(plan.speech === null
      ? []
      : [
          [
            "speech",
            `at most ${plan.speech.sound_s} s of sound in ${countOf(plan.speech.videos, "video")} by ${plan.speech.by}: ${plan.speech.cost === null ? "no price" : `at most ${money(plan.speech.cost)}, counted below`}`,
          ],
        ]),
    ...(plan.evidence_test === null
      ? []
      : [
          [
            "evidence test",
            `about ${plan.evidence_test.calls} more calls if every sample is answered; not counted above or in the cost`,
          ],
        ]),
    ...(plan.video_s > 0 ? [["video sent", `at most ${plan.video_s} s`]] : []),
    ...(plan.sound_s > 0 ? [["sound sent", `at most ${plan.sound_s} s`]] : []),
    ...(plan.unplanned === null
      ? [
          [
            "tokens",
            `about ${tokens.input} in, ${tokens.output_most} out if every reply has the full --max-tokens`,
          ],
        ]
      : []),
    ...plan.not_foreseen.map((model) => [
      "not estimated",
      `tokens of video and sound: ${model} does not document them`,
    ]),
    ...(plan.unplanned === null
      ? [
          [
            "cost",
            cost.about === null
              ? plan.not_foreseen.length > 0
                ? "not known: without the tokens of video and sound"
                : "not known: the model has no price (--prices)"
              : `about ${money(cost.about)}, ${money(cost.most)} if every reply has the full --max-tokens`,
          ],
        ]
      : []),
    ...timeRows(plan.time),
    ...(plan.batch
      ? [["batch", "batch: half price, or that of the price file; replies within 24 hours"]]
      : []),
    ...(plan.limits.question === null
      ? []
      : [["limit a question", `$${plan.limits.question}, plus calls in flight`]]),
    ...(plan.limits.total === null
      ? []
      : [["limit in total", `$${plan.limits.total}, plus calls in flight`]]),
    [
      "extractor",
      plan.extractor.model === null
        ? plan.extractor.name
        : `${plan.extractor.name} by ${plan.extractor.model}: one more call for each reply, not counted above`,
    ],
    ...(plan.extractor.warning === null ? [] : [["extractor", plan.extractor.warning]]),
    ...(scored === "" ? [] : [["scorer", scored]]),
    ...(plan.grading === null
      ? []
      : [
          [
            "grading",
            `${plan.grading.calls} more calls of ${plan.grading.model}, one for each reply with an answer; not counted above or in the cost`,
          ],
        ]),
    ...plan.unscored.map((one) => ["scorer", unscoredText(one)]),
    ...plan.reading.map((line) => ["data", printable(line)]),
    ...plan.notes.map((note) => ["data", printable(noteText(note))]),
  ];
  const certificate = plan.deviations === null ? "" : `\n\n${renderCertificate(plan.certificate)}`;
  return `${table(rows)}${certificate}\nNothing was sent.`;
}
