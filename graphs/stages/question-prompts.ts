import type { Prompts, Rendered } from "../../prompts/load-prompts.ts";
import { withSpeaker } from "../../src/core/evidence.ts";
import type { Evidence, Question } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import { directPrompt, promptOverEvidence } from "../answer-prompts.ts";
import type { Wording } from "../wording.ts";

/** The goal that the clips of an order question reach. */
export function goalOf(question: Question): string {
  return question.goal ?? question.text;
}

/**
 * The words of a question for a model. Before those of a follow-up are the earlier questions of its thread with their
 * answers, quoted as data: an answer may have words of the video.
 */
export function questionWords({ text, earlier = [] }: Question, prompts: Prompts): string {
  if (earlier.length === 0) return text;
  const thread = earlier.map(
    ({ question, answer }, index) =>
      `Question ${index + 1}: ${question}\nAnswer ${index + 1}: ${answer}`,
  );
  return prompts.render("ask/follow-up", { question: text, earlier: thread.join("\n") }).text;
}

/** The prompt of a question that is asked directly. */
export function questionPrompt(
  question: Question,
  wording: Wording,
  cot: boolean,
  prompts: Prompts,
): Rendered {
  const { prompt } = directPrompt(kindOf(question), wording, cot);
  const variables = {
    goal: goalOf(question),
    question: questionWords(question, prompts),
    options: optionLines(question, wording),
    option_list: optionList(question),
  };
  return prompts.render(prompt, variables);
}

/** A choice or open question over evidence. The answer format of a benchmark has no citations. */
export function evidencePrompt(
  question: Question,
  wording: Wording,
  evidence: string,
  prompts: Prompts,
): { prompt: Rendered; citing: boolean } {
  const asked = promptOverEvidence(kindOf(question), wording);
  const prompt = prompts.render(asked.prompt, {
    question: questionWords(question, prompts),
    options: optionLines(question, wording),
    evidence,
  });
  return { prompt, citing: question.task !== "choice" || wording.choice.cites };
}

function kindOf({ task, options }: Question) {
  return { task, options: options?.length ?? 0 };
}

/** `[E3] 00:20 to 00:30, caption by model: ...`, one line per item. */
export function evidenceLines(numbered: ReadonlyMap<string, Evidence>): string {
  return [...numbered]
    .map(([name, item]) => {
      const { kind, by, start_s, end_s } = item;
      const time = `${clock(start_s)} to ${clock(end_s)}`;
      return `[${name}] ${time}, ${kind} by ${by.who}: ${withSpeaker(item).replace(/\s+/g, " ").trim()}`;
    })
    .join("\n");
}

export function optionLines(question: Question, wording: Wording): string {
  return (question.options ?? []).map(wording.optionLine).join("\n");
}

/** `['(A) red', "(B) it's blue"]`: the options as Python prints a list of them. */
function optionList(question: Question): string {
  const items = (question.options ?? []).map(({ letter, text }) => `(${letter}) ${text}`);
  return `[${items.map(pythonString).join(", ")}]`;
}

function pythonString(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replace(/\\/g, "\\\\")
    .replace(/\n/g, "\\n")
    .replace(/\r/g, "\\r")
    .replace(/\t/g, "\\t")
    .replaceAll(mark, `\\${mark}`);
  return `${mark}${escaped}${mark}`;
}
