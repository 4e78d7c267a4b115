import type { Prompts, Rendered } from "../../prompts/load.ts";
import type { Evidence, Question } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import type { Wording } from "../context.ts";

/** What the clips of an order question add up to. */
export function goalOf(question: Question): string {
  return question.goal ?? question.text;
}

/** The question in one prompt, for a model that is to answer it at once. */
export function questionPrompt(
  question: Question,
  wording: Wording,
  cot: boolean,
  prompts: Prompts,
): Rendered {
  if (question.task === "order")
    return prompts.render(cot ? "vcrbench/direct-cot" : "vcrbench/direct", {
      goal: goalOf(question),
    });
  if (question.task === "open")
    return prompts.render(cot ? "open/direct-cot" : "open/direct", { question: question.text });
  const variables = { question: question.text, options: optionLines(question, wording) };
  switch (wording) {
    case "mmr-v":
      return prompts.render(cot ? "mmr-v/direct-cot" : "mmr-v/direct", variables);
    case "videomathqa": {
      // The benchmark's binary mode is told by its two options.
      const binary = question.options?.length === 2;
      if (binary)
        return prompts.render(cot ? "videomathqa/mbin-cot" : "videomathqa/mbin", variables);
      return prompts.render(cot ? "videomathqa/mcq-cot" : "videomathqa/mcq", variables);
    }
    default:
      return prompts.render(cot ? "choice/direct-cot" : "choice/direct", variables);
  }
}

/** A choice or open question over evidence. Benchmarks keep their answer format, in which nothing is cited. */
export function evidencePrompt(
  question: Question,
  wording: Wording,
  evidence: string,
  prompts: Prompts,
): { prompt: Rendered; citing: boolean } {
  if (question.task !== "choice")
    return {
      prompt: prompts.render("ask/open", { question: question.text, evidence }),
      citing: true,
    };
  const variables = {
    question: question.text,
    options: optionLines(question, wording),
    evidence,
  };
  switch (wording) {
    case "mmr-v":
      return { prompt: prompts.render("mmr-v/evidence", variables), citing: false };
    case "videomathqa":
      return { prompt: prompts.render("videomathqa/evidence", variables), citing: false };
    default:
      return { prompt: prompts.render("ask/choice", variables), citing: true };
  }
}

/** `[E3] 00:20 to 00:30, caption by model: ...`, one line an item. */
export function evidenceLines(numbered: ReadonlyMap<string, Evidence>): string {
  return [...numbered]
    .map(([name, { kind, by, start_s, end_s, text }]) => {
      const time = `${clock(start_s)} to ${clock(end_s)}`;
      return `[${name}] ${time}, ${kind} by ${by.who}: ${text.replace(/\s+/g, " ").trim()}`;
    })
    .join("\n");
}

export function optionLines(question: Question, wording: Wording): string {
  const line = wording === "videomathqa" ? "$. " : "($) ";
  return (question.options ?? [])
    .map(({ letter, text }) => `${line.replace("$", letter)}${text}`)
    .join("\n");
}
