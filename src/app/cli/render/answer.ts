import type { AskResult } from "../../../../graphs/ask.ts";
import type { SampleAnswer } from "../../../../graphs/ask-samples.ts";
import { needsModel } from "../../../../graphs/define-strategy.ts";
import { oneLine } from "../../../core/errors.ts";
import { usageByStage } from "../../../core/events.ts";
import { evidenceNames } from "../../../core/evidence.ts";
import { money } from "../../../core/money.ts";
import type { Settings } from "../../../core/settings.ts";
import type { Answer, Question } from "../../../core/shapes.ts";
import { clock } from "../../../core/time.ts";
import {
  answerText,
  momentsTitle,
  remarksOn,
  SUPPORT_TEXT,
  shownText,
} from "../../../pages/answer-words.js";
import { toolCallLines } from "../../../pages/tool-calls.ts";
import { printable, table } from "../output.ts";

/** The answer as text, with its cited evidence and its usage. */
export function renderAnswer(
  { question, answer, evidence, events, samples = [] }: AskResult & { samples?: SampleAnswer[] },
  settings: Settings,
): string {
  const lines = [printable(answerText(question, answer))];
  if (answer.error !== undefined && answer.status !== "answered")
    lines.push(printable(answer.error.message));
  lines.push(...sampleLines(question, samples));
  lines.push(...supportLines(answer), ...fallbackLines(answer));
  const names = evidenceNames(evidence);
  const cited = evidence.items.filter((item) => answer.cites.includes(item.id));
  if (cited.length > 0) {
    lines.push("", `Evidence (cited by ${answer.cited_by}):`);
    for (const item of cited.slice(0, MAX_CITED))
      lines.push(
        `  ${names.get(item.id)}  ${clock(item.start_s)}${item.end_s - item.start_s >= 1 ? `-${clock(item.end_s)}` : ""}  ${item.kind}${item.clip === undefined ? "" : `, clip ${item.clip}`}${shownText(item) === "" ? "" : `: ${printable(shownText(item)).replace(/\s+/g, " ")}`}`,
      );
    if (cited.length > MAX_CITED) lines.push(`  ... and ${cited.length - MAX_CITED} more`);
  }
  lines.push(...momentLines(answer));
  lines.push(...stepsOf(events));
  if (answer.confidence !== null)
    lines.push(
      "",
      `Confidence ${answer.confidence.toFixed(2)}, computed from ${answer.confidence_basis}.`,
    );
  if (answer.limits_met.length > 0) lines.push("", `Limits met: ${answer.limits_met.join(", ")}.`);
  for (const text of remarksOn(answer)) lines.push("", printable(text));
  const stages = [...usageByStage(events)];
  if (stages.length === 0)
    lines.push(
      "",
      needsModel(settings.strategy)
        ? "No model call was made."
        : `Strategy ${settings.strategy}: no language model was used.`,
    );
  else
    lines.push(
      "",
      table([
        ["stage", "calls", "frames", "tokens in", "tokens out", "cost", "paid now"],
        ...[...stages, ["total", answer.usage] as const].map(([stage, usage]) => [
          stage,
          String(usage.calls),
          String(usage.frames),
          `${usage.estimated ? "~" : ""}${usage.input}`,
          `${usage.estimated ? "~" : ""}${usage.output}`,
          money(usage.cost),
          money(usage.paid),
        ]),
      ]),
    );
  if (answer.usage.estimated)
    lines.push(
      `~: tokens of ${answer.usage.estimated} of ${answer.usage.calls} calls are estimates: the server did not report them.`,
    );
  const { reasoning = 0, cached_input = 0 } = answer.usage;
  if (reasoning > 0) lines.push(`Reasoning tokens (included in output): ${reasoning}.`);
  if (cached_input > 0) lines.push(`Input tokens from the provider's cache: ${cached_input}.`);
  lines.push(...overshootLine(answer));
  return lines.join("\n");
}

/** The moments that match the question, best first, with their matching words. */
function momentLines({ moments = [] }: Answer): string[] {
  if (moments.length === 0) return [];
  return [
    "",
    `${momentsTitle(moments)}:`,
    ...moments.map(
      ({ start_s, end_s, text, words, option }, index) =>
        `  ${index + 1}  ${clock(start_s)}${end_s - start_s >= 1 ? `-${clock(end_s)}` : ""}  ${option === undefined ? "" : `(${option}) `}${printable(oneLine(text, LONGEST_MOMENT))}${words.length === 0 ? "" : `  [${printable(words.join(", "))}]`}`,
    ),
  ];
}

const LONGEST_MOMENT = 160;

/** The answer of each sample, with several samples. */
function sampleLines(question: Question, samples: readonly SampleAnswer[]): string[] {
  if (samples.length < 2) return [];
  return [
    "",
    "Samples:",
    ...samples.map(
      (answer) =>
        `  ${answer.sample}  ${printable(oneLine(answerText(question, answer), 120))}${answer.status === "answered" ? "" : ` (${answer.status})`}`,
    ),
  ];
}

function overshootLine({ diagnostics }: Answer): string[] {
  const { tokens = 0, cost = 0 } = (diagnostics?.overshoot ?? {}) as {
    tokens?: number;
    cost?: number;
  };
  if (tokens === 0 && cost === 0) return [];
  const by = [tokens > 0 ? `${tokens} tokens` : "", cost > 0 ? money(cost) : ""];
  return [
    `Budget exceeded by ${by.filter((text) => text !== "").join(" and ")}: replies in flight were longer than expected (--expected-output).`,
  ];
}

const MAX_CITED = 12;

/** Whether the cited evidence supports the answer, if that was checked. */
function supportLines({ support }: Answer): string[] {
  if (support === undefined) return [];
  const { verdict, words } = support;
  return [printable(`${SUPPORT_TEXT[verdict]}${words === "" ? "" : `: ${words}`}`)];
}

function fallbackLines({ diagnostics }: Answer): string[] {
  const { handed_over, why_handed_over } = diagnostics ?? {};
  if (typeof handed_over !== "string") return [];
  return [printable(`Fell back to the strategy ${handed_over}. ${why_handed_over}`)];
}

/** The tool calls of an agent, turn by turn. */
function stepsOf(events: AskResult["events"]): string[] {
  const turns = events
    .flatMap((event) => (event.type === "call" ? [toolCallLines(event.call)] : []))
    .filter((lines) => lines.length > 0);
  if (turns.length === 0) return [];
  const lines = turns.flatMap((calls, index) =>
    calls.map((call, place) => `  ${place === 0 ? String(index + 1) : " "}  ${printable(call)}`),
  );
  return ["", "Search turns:", ...lines];
}
