/*
 * Texts for answers, shared by the evidence page, the service page and the terminal.
 * JavaScript, because the service page loads this file unchanged.
 */

/** @type {Record<string, string>} */
const WITHOUT_ANSWER = {
  answered: "Answered.",
  unparsed: "Not answered: the model's reply contained no answer in the expected form.",
  refused: "Not answered: the model refused.",
  truncated:
    "Not answered: the reply reached its token limit before an answer. Allow more by reasoning.max_tokens (--max-tokens).",
  error: "Not answered: an error occurred.",
};

/**
 * @typedef {{ task?: string | undefined, options?: readonly { letter: string, text: string }[] | undefined }} AskedWords
 * @typedef {{ words: readonly string[] }} MomentWords
 */

/**
 * The question for display. One about the order of clips may have only a goal.
 * @param {{ text: string, goal?: string | null | undefined }} question
 * @returns {string}
 */
export function questionText({ text, goal }) {
  return text.trim() === "" ? `Order: ${goal ?? ""}` : text;
}

/**
 * The answer for display: the chosen option with its text, the order of the clips, or why there is no answer.
 * @param {AskedWords} question
 * @param {{ status: string, answer: string | readonly number[] | null, limits_met: readonly string[], moments?: readonly MomentWords[] | undefined, diagnostics?: Record<string, unknown> | undefined }} given
 * @returns {string}
 */
export function answerText(question, { status, answer, limits_met, moments, diagnostics }) {
  if (answer !== null) return choiceText(question, answer);
  if (status !== "not-answered") return WITHOUT_ANSWER[status] ?? "No answer.";
  if (limits_met.length > 0)
    return `Not answered: the answer needed more than the budget of ${limits_met.join(" and ")} allows.`;
  const { tied, nothing_recognised: unrecognised } = diagnostics ?? {};
  if (typeof unrecognised === "string") return `Not answered. ${unrecognised}`;
  if (Array.isArray(tied) && tied.length > 1)
    return `Not answered: the evidence supports ${tied.map((letter) => choiceText(question, String(letter))).join(" and ")} equally.`;
  return withoutAnswer(question, moments ?? []);
}

/**
 * @param {AskedWords} question
 * @param {readonly MomentWords[]} moments
 */
function withoutAnswer({ task, options }, moments) {
  if (task === "order") return "Not answered: no order of the clips was found.";
  if (options !== undefined) return "Not answered: the evidence supports none of the answers.";
  if (moments.length === 0) return "Not answered: the evidence contains no answer.";
  return isMatching(moments)
    ? "No direct answer was found. The moments that match the question best are listed."
    : "No moment contains the words of the question. The nearest moments are listed.";
}

/** @param {readonly MomentWords[]} moments */
function isMatching(moments) {
  return moments.some(({ words }) => words.length > 0);
}

/**
 * The heading of a list of moments.
 * @param {readonly MomentWords[]} moments
 */
export function momentsTitle(moments) {
  return isMatching(moments) ? "Best matches" : "Nearest moments";
}

/**
 * The state of a question in one or two words. A question that ended without an answer is not `Answered`.
 * @param {{ state: string, answer: { status: string, answer: unknown } | null }} question
 * @returns {string}
 */
export function stateText({ state, answer }) {
  if (state !== "answered" || answer === null || answer.answer !== null)
    return STATES[state] ?? state;
  return ENDED[answer.status] ?? "Not answered";
}

/** @type {Record<string, string>} */
const STATES = {
  queued: "Waiting",
  running: "Running",
  answered: "Answered",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** @type {Record<string, string>} */
const ENDED = { unparsed: "Unreadable reply", refused: "Refused", truncated: "Cut off" };

/**
 * Which clips an order leaves out, and why; null if it leaves out none.
 * @param {Record<string, unknown> | undefined} diagnostics of an answer
 * @returns {string | null}
 */
export function unplacedText(diagnostics) {
  const unplaced = diagnostics?.unplaced;
  if (!Array.isArray(unplaced) || unplaced.length === 0) return null;
  const sentences = Object.entries(UNPLACED).map(([why, [one, many]]) => {
    const clips = unplaced.filter((item) => item.why === why).map((item) => item.clip);
    const last = clips.pop();
    if (last === undefined) return "";
    return clips.length === 0
      ? `Clip ${last} is not in this order: ${one}.`
      : `Clips ${clips.join(", ")} and ${last} are not in this order: ${many}.`;
  });
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** @type {Record<string, readonly [one: string, many: string]>} */
const UNPLACED = {
  rejected: ["its description was rejected", "their descriptions were rejected"],
  "left-out": ["the reply does not name it", "the reply does not name them"],
};

/**
 * What to say if a question has no evidence. A run that failed may not have looked for any.
 * @param {{ status: string } | null} answer
 * @returns {string}
 */
export function noEvidenceText(answer) {
  return answer === null || answer.status === "error"
    ? "No evidence was collected: the run ended before."
    : "This answer has no evidence.";
}

/**
 * Sentences on what an answer may lack, in the order in which they stand under it: that the file was cut off, and that
 * its sound was not heard. Most answers have none.
 * @param {{ diagnostics?: Record<string, unknown> | undefined }} answer
 * @returns {string[]}
 */
export function remarksOn({ diagnostics }) {
  const { cut_off, unheard_sound } = diagnostics ?? {};
  return [cut_off, unheard_sound].filter((text) => typeof text === "string");
}

/**
 * A letter with the text of its option, the order of clips, or unchanged text.
 * @param {{ options?: readonly { letter: string, text: string }[] | undefined }} question
 * @param {string | readonly number[]} answer
 * @returns {string}
 */
export function choiceText(question, answer) {
  if (typeof answer !== "string") return answer.map((clip) => `Clip ${clip}`).join(" → ");
  const option = question.options?.find(({ letter }) => letter === answer);
  return option === undefined ? answer : `(${option.letter}) ${option.text}`;
}

/**
 * Whether the cited evidence supports the answer, as the start of a sentence.
 * @type {Record<"supported" | "contradicted" | "not-shown" | "unchecked", string>}
 */
export const SUPPORT_TEXT = {
  supported: "The cited evidence supports the answer",
  contradicted: "The cited evidence contradicts the answer",
  "not-shown": "The cited evidence does not show the answer",
  unchecked: "The cited evidence was not checked",
};

/**
 * The words of an item of evidence: its text, or a sentence for an equation that was found but could not be read.
 * @param {{ text: string, data?: Record<string, unknown> | undefined }} item
 */
export function shownText({ text, data }) {
  return text === "" && data?.unread === true ? "An equation that could not be read." : text;
}
