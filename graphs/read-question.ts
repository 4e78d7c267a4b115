import { Failure, oneLine } from "../src/core/errors.ts";
import { hashOf } from "../src/core/hash.ts";
import type { EarlierQuestion, Option, Question, Task } from "../src/core/shapes.ts";

/** A question as a user states it; a string is an open question. */
export interface QuestionInput {
  text: string;
  /** Default: `choice` with options, `order` with a goal, else `open`. */
  task?: Task;
  /** The goal that the shuffled clips reach. */
  goal?: string;
  /** Texts of the options; letters are assigned from A. A text that begins with `(C)` or `C.` keeps its letter. */
  options?: readonly (string | Option)[];
}

/** `readQuestion` for what a person asks. Throws `Failure` `wrong-usage` also for equal options. */
export function readAskedQuestion(video: string, asked: string | QuestionInput): Question {
  const question = readQuestion(video, asked);
  const seen = new Map<string, string>();
  for (const { letter, text } of question.options ?? []) {
    const words = oneLine(text, Number.POSITIVE_INFINITY);
    const same = seen.get(words);
    if (same !== undefined)
      throw new Failure(
        "wrong-usage",
        `The options ${same} and ${letter} are equal: ${oneLine(text, 80)}. Leave one out.`,
      );
    seen.set(words, letter);
  }
  return question;
}

/** Fills in what the user leaves out. The id is the hash of the whole question, so equal questions have equal ids. */
export function readQuestion(video: string, asked: string | QuestionInput): Question {
  const { task, options, ...given } =
    typeof asked === "string" ? ({ text: asked } as QuestionInput) : asked;
  // Half of a surrogate pair cannot be sent, and many readers of JSON refuse it.
  const text = given.text.toWellFormed();
  const goal = given.goal?.toWellFormed();
  const read = options === undefined ? undefined : readOptions(options).map(wellFormed);
  const kind = task ?? (read !== undefined ? "choice" : goal !== undefined ? "order" : "open");
  if (text.trim() === "" && goal === undefined)
    throw new Failure("wrong-usage", "The question is empty.");
  const rest = { video, text, task: kind, goal, options: read };
  return { id: hashOf(rest), ...rest };
}

/**
 * The question as a follow-up of `earlier` ones, oldest first. After other questions or answers it is another question,
 * with another id.
 */
export function withEarlier(asked: Question, earlier: readonly EarlierQuestion[]): Question {
  if (earlier.length === 0) return asked;
  const { id: _id, ...rest } = asked;
  const thread = earlier.map(({ question, answer }) => ({
    question: question.toWellFormed(),
    answer: answer.toWellFormed(),
  }));
  const followUp = { ...rest, earlier: thread };
  return { id: hashOf(followUp), ...followUp };
}

/** Letters are used if every option has one; a text such as `I. M. Pei` has none. */
function readOptions(options: readonly (string | Option)[]): Option[] {
  if (options.length > 26)
    throw new Failure(
      "wrong-usage",
      `Too many options: ${options.length}. Use at most 26, one for each letter.`,
    );
  const read = options.map((option) =>
    typeof option === "string" ? optionWithLetter(option) : option,
  );
  if (read.every((option) => option !== null)) return read;
  return options.map((option, index) => ({
    letter: String.fromCharCode("A".charCodeAt(0) + index),
    text: (typeof option === "string" ? option : option.text).trim(),
  }));
}

function wellFormed({ letter, text }: Option): Option {
  return { letter, text: text.toWellFormed() };
}

function optionWithLetter(option: string): Option | null {
  const [, letter, words] = /^\s*\(?([A-Z])[).:]\s*(\S[\s\S]*)$/.exec(option) ?? [];
  return letter === undefined || words === undefined ? null : { letter, text: words.trim() };
}
