import { defineScorer, references } from "video-rrd";

/** Partial credit for open answers: the F1 of words that SQuAD uses (Rajpurkar et al. 2016). */
export default defineScorer({
  name: "my-scorer",
  summary: "open answers: F1 of the words that answer and reference have in common",
  tasks: ["open"],
  score(answer, sample) {
    const said = wordsOf(String(answer ?? ""));
    const values = references(sample).map((right) => f1(said, wordsOf(right)));
    return {
      value: Math.max(0, ...values),
      answer,
      explanation: `right is ${references(sample).join(" or ")}`,
    };
  },
});

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !["a", "an", "the"].includes(word));
}

function f1(said: readonly string[], right: readonly string[]): number {
  const left = [...right];
  const common = said.filter((word) => {
    const place = left.indexOf(word);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  }).length;
  return common === 0 ? 0 : (2 * common) / (said.length + right.length);
}
