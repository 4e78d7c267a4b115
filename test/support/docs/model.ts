import type { Script } from "../model-server.ts";

/** Replies in the form that a prompt asks for, by the text of the prompt. */
const REPLIES: readonly [says: RegExp, reply: (words: string) => string][] = [
  [/SCORE_CARD/, (words) => scoreCard(words)],
  [/You grade the answer against a reference/, () => '{"reason": "It says the same.", "grade": 1}'],
  [/TYPE1 question misunderstood/, () => "TYPE2"],
  [/Verdict: supported/, () => "The evidence shows it.\nVerdict: supported"],
  [/letter alone, or with the word None/, () => "A"],
  [/Correct order: </, (words) => `Correct order: ${clipsIn(words).join(", ")}`],
  [/one letter and nothing else: A when/, () => "A"],
  [/in one sentence/, () => "A person pours water into a jug."],
  [/three sentences: who and what/, () => "A board with writing stands in a room."],
  [/double square brackets/, () => "[[A]]"],
  [/Answer: <letter>/, () => "The item says so [E1].\nAnswer: B"],
  [/Name the evidence in square brackets/, () => "They sold baskets [E1]."],
  [/After each statement name in square brackets/, () => "It is said at the beginning [E1]."],
];

/** A model whose replies have the form that each prompt asks for, and ignore the video. */
export const formalModel: Script = (request) => {
  const words = request.texts.join("\n");
  // An agent that answers in text, without a tool.
  const looks = request.tools.length > 0 && !request.tools.some(({ name }) => name === "answer");
  if (looks && request.toolCalls.length === 0)
    return { toolCalls: [{ name: "subtitles", arguments: { from_s: 0, to_s: 60 } }] };
  return REPLIES.find(([says]) => says.test(words))?.[1](words) ?? "A";
};

function scoreCard(words: string): string {
  const steps = /steps of the reference solution:\n([\s\S]*?)\n\n/.exec(words)?.[1] ?? "";
  const count = Math.max(1, steps.split("\n").length);
  return `SCORE_CARD: {"critique": "It follows the reference.", "matched_steps": "${count}/${count}", "final_answer_correct": 1, "score": 10}`;
}

/** Numbers of the clips in the order in which a prompt lists them. */
function clipsIn(words: string): string[] {
  return [
    ...new Set([...words.matchAll(/^(?:Clip )?(\d+)[.:)] /gm)].map(([, number]) => number ?? "")),
  ];
}
