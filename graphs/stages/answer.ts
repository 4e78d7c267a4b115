import { numberEvidence } from "../../src/core/evidence.ts";
import type { Evidence, FrameRef, Question } from "../../src/core/shapes.ts";
import type { CallResult, ChatReply, Part } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { readOpenAnswer } from "../replies/open-answer.ts";
import { parseChoice } from "../replies/parse-choice.ts";
import { parseCitations } from "../replies/parse-citations.ts";
import { parseOrder } from "../replies/parse-order.ts";
import { finalText, onOneLine } from "../replies/reply-text.ts";
import { type Outcome, outcome, type State, type Update } from "../state.ts";
import { callModel, replyText, unreadableReply } from "./call-model.ts";
import { pictureOf } from "./named-evidence.ts";
import { wholeMedia } from "./native-media.ts";
import { evidenceLines, evidencePrompt } from "./question-prompts.ts";
import { supporting } from "./supporting.ts";

const STAGE = "answer";

/** Most frames of the given evidence that are sent, in order of time. The agent has the same limit. */
const MOST_PICTURES = 40;

/** Answers a choice or open question from the retrieved evidence, in one call. */
export async function answerFromEvidence(state: State, context: GraphContext): Promise<Update> {
  const { question } = state;
  const numbered = shownEvidence(state);
  if (numbered.size === 0) return { outcome: outcome({ status: "not-answered" }) };
  const pictures = picturesOf(numbered, state.frames);
  const lines = evidenceLines(new Map([...numbered].filter(([, { text }]) => text !== "")));
  const { prompt, citing } = evidencePrompt(question, context.wording, lines, context.prompts);
  const result = await callModel(context, {
    stage: STAGE,
    role: "reasoner",
    label: "answer from the evidence",
    evidence: [...numbered.values()].map(({ id }) => id),
    prompts: [prompt],
    media: [
      ...pictures,
      ...(context.settings.reasoning.input === "text"
        ? []
        : await wholeMedia(context, STAGE, "reasoner")),
    ],
  });
  const found = outcomeOfCall(question, result);
  if (found.status !== "answered" || result.status === "limit") return { outcome: found };
  const { cited, unknown } = citing
    ? parseCitations(finalText(result.reply.text), numbered)
    : { cited: [], unknown: [] };
  const diagnostics = unknown.length > 0 ? { unknown_citations: unknown } : {};
  const cites = cited.flatMap((name) => numbered.get(name)?.id ?? []);
  if (cites.length > 0) return { diagnostics, outcome: { ...found, cites, cited_by: "model" } };
  return {
    diagnostics,
    outcome: { ...found, cites: citedByCode(question, found, [...numbered.values()]) },
  };
}

/** The retrieved evidence by its names among all evidence, so that `E7` means the same in a reply and on the page. */
function shownEvidence({ evidence, names, found, frames }: State): Map<string, Evidence> {
  const shown = new Set(found ?? evidence.map((item) => item.id));
  const pictured = new Set(frames.slice(0, MOST_PICTURES).map((frame) => frame.hash));
  return new Map(
    [...numberEvidence(evidence, names)].filter(
      ([, item]) => (shown.has(item.id) && item.text !== "") || isPictured(item, pictured),
    ),
  );
}

function isPictured({ kind, frame }: Evidence, hashes: ReadonlySet<string>): boolean {
  return kind === "frame" && frame !== undefined && hashes.has(frame.hash);
}

/** The frames among the evidence that are sent with the question, each preceded by its name. */
function picturesOf(numbered: ReadonlyMap<string, Evidence>, frames: readonly FrameRef[]): Part[] {
  const hashes = new Set(frames.map((frame) => frame.hash));
  return [...numbered].flatMap(([name, item]) =>
    isPictured(item, hashes) ? pictureOf(name, item) : [],
  );
}

/** Ids of at most three items that share words with the answer, best match first. */
function citedByCode(question: Question, found: Outcome, evidence: Evidence[]): string[] {
  const chosen = question.options?.find((option) => option.letter === found.answer)?.text;
  const said = chosen ?? (typeof found.answer === "string" ? found.answer : "");
  return supporting(said, evidence)
    .slice(0, 3)
    .map((item) => item.id);
}

/** The outcome of a call, whether a reply came or not, with the words of the reply. It cites nothing. */
export function outcomeOfCall(question: Question, result: CallResult): Outcome {
  const problem = unreadableReply(result);
  const found =
    problem === null && result.status === "replied"
      ? outcomeOf(question, result.reply)
      : outcome(problem ?? { status: "not-answered" });
  return { ...found, ...replyText(result) };
}

/** The outcome that a reply states, parsed by the kind of question. */
export function outcomeOf(question: Question, reply: ChatReply): Outcome {
  const { text, finish } = reply;
  const answer = parseAnswer(question, text);
  // A list that was cut off may be a permutation of fewer clips, and half a sentence is not an answer.
  if (finish === "length" && (question.task !== "choice" || answer === null))
    return outcome({ status: "truncated", answer: question.task === "open" ? answer : null });
  if (answer === "NOT ANSWERED") return outcome({ status: "not-answered" });
  if (answer !== null) return outcome({ status: "answered", answer });
  const message = `The reply does not contain ${EXPECTED[question.task]}: ${JSON.stringify(onOneLine(text).slice(-120))}.`;
  return outcome({ status: "unparsed", error: { kind: "model-unusable", message } });
}

const EXPECTED = {
  order: "an order that names each clip once",
  choice: "the letter of one of the options",
  open: "an answer",
} as const;

function parseAnswer(question: Question, text: string): string | number[] | null {
  if (question.task === "order") return parseOrder(text);
  if (question.task === "choice") return parseChoice(text, question.options ?? []);
  const { answer, refuses } = readOpenAnswer(text);
  return refuses ? "NOT ANSWERED" : answer;
}
