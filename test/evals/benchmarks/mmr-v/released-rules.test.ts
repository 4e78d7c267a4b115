import { expect, test } from "vitest";
import { deviationsIn, reservationsIn } from "../../../../evals/certificate/certificate.ts";
import { official } from "../official-certificate.ts";

/** Written out from the released scripts, not taken from the table under test. Null: no script. */
const RULES: [model: string, direct: string | null, cot: string | null][] = [
  ["claude-3-5-sonnet-20241022", "official-brackets", "official-brackets"],
  ["gemini-2.0-flash", "official-brackets", null],
  ["gemini-2.0-flash-thinking-exp-01-21", "official-brackets", "official-brackets"],
  ["gemini-2.5-flash", "official", "official-last"],
  ["google/gemma-3-12b-it", "official-standalone", "official-standalone"],
  ["google/gemma-3-27b-it", "official-standalone", "official-standalone"],
  ["gpt-4.1", "official-brackets", "official-brackets"],
  ["OpenGVLab/InternVL3-8B", "official-standalone", null],
  ["o4-mini", "official", "official"],
  ["microsoft/Phi-4-multimodal-instruct", "official-standalone", "official-last-standalone"],
  ["Qwen/Qwen2.5-VL-7B-Instruct", null, "official-brackets"],
  ["Qwen/Qwen2.5-VL-72B-Instruct", "official-brackets", null],
  // In the table, without a script.
  ["gpt-4o", null, null],
  ["THUDM/cogvlm2-video-llama3-chat", null, null],
  // Not in the table.
  ["some-model", null, null],
];
const CASES = RULES.flatMap(([model, direct, cot]): [string, boolean, string | null][] => [
  [model, false, direct],
  [model, true, cot],
]);

test.each(CASES)("the replies of %s, CoT %s, are read by %s", (model, cot, rule) => {
  const { aspects } = official("mmr-v", `openai:${model}`, { reasoning: { cot } });
  expect(aspects.extractor).toMatchObject(
    rule === null
      ? { wanted: null, got: "official", verdict: "not certifiable" }
      : { wanted: rule, got: rule, verdict: "equal", note: null },
  );
  const read = aspects.extractor?.source ?? "";
  expect(/evaluation\/[^*]+_on_MMR\w*\.py/.test(read)).toBe(rule !== null);
  if (rule !== null) expect(read.includes("_cot.py")).toBe(cot);
});

test.each([
  [
    "gemma-3-12b-it",
    "official",
    "the released script reads the first [[X]], else the first \\boxed{X}, else the last standalone letter, official reads the first [[X]], else the first \\boxed{X}",
  ],
  [
    "gpt-4.1",
    "official",
    "the released script reads only the first [[X]], official reads the first [[X]], else the first \\boxed{X}",
  ],
  [
    "gemini-2.5-flash",
    "official-last",
    "the released script reads the first [[X]], else the first \\boxed{X}, official-last reads the last [[X]], else the last \\boxed{X}",
  ],
])("the certificate of %s says how %s differs from its script", (model, extractor, note) => {
  const { certificate, aspects } = official("mmr-v", `openai:${model}`, {}, extractor);
  expect(aspects.extractor).toMatchObject({ got: extractor, verdict: "different", note });
  expect(certificate.comparable).toBe(false);
  expect(deviationsIn(certificate)).toContainEqual(expect.stringContaining(note));
});

test("without a script every released rule is possible, and no other", () => {
  const extractorOf = (extractor: string) => official("mmr-v", "openai:gpt-4o", {}, extractor);
  for (const rule of ["official", "official-standalone", "official-last"]) {
    const { certificate, aspects } = extractorOf(rule);
    expect(aspects.extractor).toMatchObject({ got: rule, verdict: "not certifiable" });
    expect(reservationsIn(certificate)).toContainEqual(
      expect.stringMatching(/^extractor: no script without CoT was released for this model, /),
    );
  }
  expect(extractorOf("sound").aspects.extractor?.verdict).toBe("different");
  expect(extractorOf("sound").certificate.comparable).toBe(false);
});
