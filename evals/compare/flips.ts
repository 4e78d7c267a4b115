import type { Sample } from "../benchmarks/sample.ts";
import type { ScoredReply } from "../benchmarks/scored-reply.ts";
import type { RunLine } from "../run/run-line.ts";
import type { SampleReply } from "../score/read-results.ts";

/* Questions that one run answers correctly and another does not, with the replies of both. */

/** A question that only one of two runs answers correctly, by the mean over epochs. */
export interface Flip {
  question: string;
  video: string;
  text: string;
  right: string;
  to: "better" | "worse";
  a: Side;
  b: Side;
}

/** One run's side of a question whose score differs between two runs. */
export interface Side {
  value: number;
  answers: string[];
  replies: string[];
  evidence: RunLine["evidence"];
  frames_s: number[];
}

/** The scores and replies of a run. */
interface Answers {
  /** Question id -> score, 0 to 1. */
  scores: ReadonlyMap<string, { value: number }>;
  /** Question id -> the replies to its samples. */
  said: ReadonlyMap<string, Item[]>;
}

type Item = ScoredReply & SampleReply;

/** The questions that are right in exactly one of the runs, in the given order. */
export function flippedQuestions(questions: readonly string[], a: Answers, b: Answers): Flip[] {
  return questions.filter((id) => flips(id, a, b)).map((id) => flip(id, a, b));
}

/** Whether the question is right in more than half of the epochs of exactly one run. */
function flips(id: string, a: Answers, b: Answers): boolean {
  const right = ({ scores }: Answers) => (scores.get(id)?.value ?? 0) > 0.5;
  return right(a) !== right(b);
}

function flip(id: string, a: Answers, b: Answers): Flip {
  const { sample } = (a.said.get(id) ?? [])[0] as Item;
  const [left, right] = [sideOf(id, a), sideOf(id, b)];
  return {
    question: id,
    video: sample.video,
    text: sample.question,
    right: rightOf(a.said.get(id) ?? []),
    to: right.value > left.value ? "better" : "worse",
    a: left,
    b: right,
  };
}

function sideOf(id: string, { scores, said: items }: Answers): Side {
  const said = items.get(id) ?? [];
  const lines = said.flatMap(({ line }) => line ?? []);
  return {
    value: scores.get(id)?.value ?? 0,
    answers: said.map(({ extraction }) => show(extraction?.answer ?? null)),
    replies: said.map((item: SampleReply) => item.reply ?? ""),
    evidence: [
      ...new Map(lines.flatMap((line) => line.evidence).map((item) => [item.id, item])).values(),
    ],
    frames_s: [...new Set(lines.flatMap((line) => line.frames_s))].sort((x, y) => x - y),
  };
}

/** The right answer; for a question asked as pairs, the right answer of each pair. */
function rightOf(items: readonly Item[]): string {
  const answers = new Map(items.map(({ sample }) => [sample.id, sample]));
  return [...answers.values()].map((sample: Sample) => show(sample.answer)).join(" | ");
}

function show(answer: string | readonly number[] | null): string {
  if (answer === null) return "none";
  return typeof answer === "string" ? answer : answer.join(", ");
}
