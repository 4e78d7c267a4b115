import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Benchmark } from "../../../evals/benchmarks/define-benchmark.ts";
import { mmrV } from "../../../evals/benchmarks/mmr-v/benchmark.ts";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { vcrbench } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { videoMathQa } from "../../../evals/benchmarks/videomathqa/benchmark.ts";
import { writeReply } from "../../../evals/run/write-reply.ts";
import {
  answerFormats,
  chooseExtractor,
  extractorOf,
  withExtractor,
} from "../../../evals/score/extractor-choice.ts";
import { readExtractorAsked } from "../../../evals/score/extractor-settings.ts";
import type { AnswerFormat } from "../../../graphs/answer-formats.ts";
import { strategies } from "../../../graphs/define-strategy.ts";
import { REASONING_METHODS, readSettings } from "../../../src/core/settings.ts";
import { choice } from "../benchmarks/fixtures.ts";
import { ordering } from "../run/made-runs.ts";

/* Every pair of a benchmark's prompts and the extractor that reads their replies by default. */

interface Pairing {
  name: string;
  benchmark: Benchmark;
  subset: "mcq" | "multi_binary";
  settings: ReturnType<typeof readSettings>;
}

function pairings(): Pairing[] {
  const sets = [
    { benchmark: vcrbench, subset: "mcq" },
    { benchmark: mmrV, subset: "mcq" },
    { benchmark: videoMathQa, subset: "mcq" },
    { benchmark: videoMathQa, subset: "multi_binary" },
  ] as const;
  return sets.flatMap(({ benchmark, subset }) =>
    strategies.names().flatMap((strategy) => {
      const reads = ["direct", "blind", "key-frame"].includes(strategy);
      const variants = reads
        ? [{ cot: false }, { cot: true }]
        : strategy === "rrd" && benchmark === vcrbench
          ? REASONING_METHODS.map((method) => ({ method }))
          : [{}];
      return variants.map((reasoning) => ({
        name: `${benchmark.name} ${subset} ${strategy} ${JSON.stringify(reasoning)}`,
        benchmark,
        subset,
        settings: readSettings({
          strategy,
          ...(strategy === "random" || strategy === "extractive" ? {} : { model: "openai:m" }),
          reasoning,
        }),
      }));
    }),
  );
}

const LETTERS = { "mmr-v": "ABCDEFGHIJKL", mcq: "ABCDE", multi_binary: "AB" } as const;

/** A sample with its right answer and other possible answers. */
function sampleOf({ benchmark, subset }: Pairing): fc.Arbitrary<Sample> {
  if (benchmark === vcrbench)
    return fc
      .integer({ min: 2, max: 7 })
      .chain((clips) =>
        fc.shuffledSubarray(
          Array.from({ length: clips }, (_, index) => index + 1),
          { minLength: clips },
        ),
      )
      .map((order) => ordering("1", order));
  const letters = benchmark === mmrV ? LETTERS["mmr-v"] : LETTERS[subset];
  return fc.constantFrom(...letters).map((letter) => choice(letters, letter));
}

/** Text before a model's answer: other answers in every form, capitals, numbers, tags, marks. */
function reasoning(sample: Sample, format: AnswerFormat): fc.Arbitrary<string> {
  const other = fc.oneof(
    fc.constantFrom("A", "B", "C", "D", "E", "I", "a"),
    fc.constantFrom("1", "3, 2, 1", "1, 2, 3", "2, 1", "Clip 2, Clip 1"),
    fc.constant([sample.answer].flat().join(", ")),
  );
  const said = fc
    .tuple(
      fc.constantFrom(
        "[[$]]",
        "\\boxed{$}",
        "Answer: $",
        "The answer is $.",
        "The best answer is: $",
        "Correct order: $",
        "Clips $ come first.",
        "Maybe option $, or not (see $).",
        "$",
        "<answer>$</answer>",
        "A dog, 42 apples and $ on the Board. However, E = mc^2.",
        "**Final Answer: $**",
      ),
      other,
    )
    .map(([form, value]) => form.replaceAll("$", () => value));
  const words = fc.string({
    unit: fc.constantFrom(..."ABCDE abc 123 .,:;!?*_#>-()[]{}$`'\"\\é中\n"),
    maxLength: 40,
  });
  const piece = fc.oneof(said, words, fc.lorem({ maxCount: 6, mode: "sentences" }));
  const block = fc
    .tuple(
      fc.constantFrom("think", "thinking", "analysis", "reasoning", "Think"),
      fc.array(piece, { maxLength: 3 }),
      // After an opening tag that is never closed, a bare letter is part of the reasoning.
      fc.constantFrom("both", "closing", "nested", ...(format === "letter" ? [] : ["opening"])),
    )
    .map(([tag, pieces, tags]) => {
      const text = pieces.join("\n");
      if (tags === "closing") return `${text}</${tag}>`;
      if (tags === "opening") return `<${tag}>${text}`;
      const within = tags === "nested" ? `<${tag}>${text}` : text;
      return `<${tag}>${within}</${tag}>`;
    });
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: block }), {
      maxLength: 6,
    })
    .map((pieces) => pieces.join("\n"));
}

/** The answer in the marks of other languages: brackets of the prompt, LaTeX, HTML, full-width characters. */
function wrapped(reply: string, answer: RegExp): string[] {
  const wide = (text: string) =>
    text.replace(/[!-~]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) + 0xfee0));
  const marks = ["<$&>", "\\($&\\)", "$$$&$$", "\\textit{$&}", "\\textbf{$&}", "<b>$&</b>"];
  return [...marks.map((mark) => reply.replace(answer, mark)), reply.replace(answer, wide)];
}

/** The reply in the requested form, with text that models put around it. */
function ending(format: AnswerFormat, sample: Sample): fc.Arbitrary<string> {
  const plain = writeReply(format, sample.answer);
  const marked = [`**${plain}**`, `${plain}.`, `${plain}\n`, `  ${plain}  `];
  const own =
    format === "brackets"
      ? [`So it is ${plain}`, `The answer is ${plain}.`]
      : format === "answer-line"
        ? [
            plain.replace(/(\w)$/, "($1)"),
            `${plain.replace(": ", ": **")}**`,
            ...wrapped(plain, /\w$/),
          ]
        : format === "order-line"
          ? [...wrapped(plain, /\d.*$/), plain.replace(/\d+/g, "<$&>")]
          : [];
  return fc.constantFrom(plain, plain, ...marked, ...own);
}

const ALL = pairings();

describe("the default extractor", () => {
  test.each(ALL)("reads every reply of $name after any reasoning", (pairing) => {
    const { benchmark } = pairing;
    const formats = answerFormats({ ...pairing, official: false });
    const { name, warning } = chooseExtractor({ ...pairing, official: false });
    expect(warning).toBeNull();
    fc.assert(
      fc.property(
        fc
          .tuple(sampleOf(pairing), fc.constantFrom(...formats))
          .chain(([sample, format]) =>
            fc.tuple(fc.constant(sample), reasoning(sample, format), ending(format, sample)),
          ),
        ([sample, before, reply]) => {
          const text = before === "" ? reply : `${before}\n${reply}`;
          expect([text, benchmark.extractors[name]?.(text, sample).answer]).toEqual([
            text,
            sample.answer,
          ]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("of the published protocol is the released one, unless it cannot read the form", () => {
    for (const pairing of ALL) {
      const { benchmark, name } = pairing;
      const formats = answerFormats({ ...pairing, official: true });
      const reasoned = benchmark === videoMathQa && formats.includes("answer-line");
      const chosen = chooseExtractor({ ...pairing, official: true });
      expect([name, chosen.name]).toEqual([name, reasoned ? "sound" : "official"]);
      expect([name, chosen.warning !== null]).toEqual([name, reasoned]);
      const asked = chooseExtractor({ ...pairing, official: false }, { extractor: "official" });
      expect([name, asked.name, asked.warning !== null]).toEqual([name, "official", reasoned]);
    }
  });
});

describe("a replaced prompt", () => {
  const cot = readSettings({ strategy: "direct", model: "openai:m", reasoning: { cot: true } });
  const run = {
    ...{ benchmark: videoMathQa, subset: "mcq", settings: cot, official: false },
    replaced: ["videomathqa/mcq-cot"],
  };
  const unknown =
    "The prompt videomathqa/mcq-cot is replaced, so the requested answer format is not known";
  const paper = ` The paper lets a model name the letter: model-letter with ${videoMathQa.protocol.extractor(true, null)?.model} (--extractor-model).`;

  test("requests an unknown format, which no extractor is said to misread", () => {
    expect(answerFormats(run)).toEqual(["letter"]);
    expect(chooseExtractor(run)).toMatchObject({
      name: "sound",
      warning: `${unknown}: check that sound reads the replies.${paper}`,
    });
    expect(chooseExtractor(run, { extractor: "official" })).toMatchObject({
      name: "official",
      warning: `${unknown}: check that official reads the replies.${paper}`,
    });
    const named = { extractor_model: "openai:Qwen/Qwen3-4B" };
    expect(chooseExtractor(run, named)).toMatchObject({ name: "model-letter", warning: null });
  });

  test("is read by the released rule under the published protocol, unless the paper asks a model", () => {
    expect(chooseExtractor({ ...run, official: true })).toMatchObject({
      name: "sound",
      warning: expect.stringContaining(unknown),
    });
    const settings = readSettings({ strategy: "direct", model: "openai:m" });
    const replaced = ["videomathqa/mcq"];
    expect(chooseExtractor({ ...run, settings, replaced, official: true })).toMatchObject({
      ...{ name: "official", by: "protocol", warning: null },
    });
    expect(chooseExtractor({ ...run, settings, replaced })).toMatchObject({
      name: "sound",
      warning:
        "The prompt videomathqa/mcq is replaced, so the requested answer format is not known: check that sound reads the replies.",
    });
  });

  test("that the run does not send changes nothing", () => {
    const other = { ...run, replaced: ["videomathqa/mbin-cot", "videomathqa/mcq", "rrd/order"] };
    expect(answerFormats(other)).toEqual(answerFormats({ ...run, replaced: [] }));
    for (const asked of [{}, { extractor: "official" }])
      expect(chooseExtractor(other, asked)).toEqual(
        chooseExtractor({ ...run, replaced: [] }, asked),
      );
  });

  test("is told alike by a stored run", () => {
    const data = { subset: "mcq" } as const;
    const prompts_replaced = run.replaced;
    for (const protocol of [null, {}]) {
      const chosen = chooseExtractor({ ...run, official: protocol !== null });
      const { warning: _, ...extractor } = chosen;
      const header = { settings: cot, protocol, prompts_replaced };
      expect(extractorOf({ benchmark: videoMathQa, data, header })).toEqual(chosen);
      const stored = { benchmark: videoMathQa, data, header: { ...header, extractor } };
      expect(extractorOf(stored)).toEqual(chosen);
      const asked = { extractor: "official" };
      expect(extractorOf(withExtractor(stored, asked))).toEqual(
        chooseExtractor({ ...run, official: protocol !== null }, asked),
      );
    }
  });
});

test("an extractor reads the bare forms of its benchmark, or declares which it cannot read", () => {
  const sets = [
    { benchmark: vcrbench, sample: ordering("1", [3, 1, 2]) },
    { benchmark: mmrV, sample: choice("ABCDEFGHIJKL", "K") },
    { benchmark: videoMathQa, sample: choice("ABCDE", "C") },
  ];
  for (const { benchmark, sample } of sets)
    for (const [name, extract] of Object.entries(benchmark.extractors))
      for (const format of Object.keys(benchmark.answers.readBy) as AnswerFormat[]) {
        const reads = extract(writeReply(format, sample.answer), sample).answer;
        const why = benchmark.answers.unreadable[name]?.[format];
        expect([name, format, JSON.stringify(reads) === JSON.stringify(sample.answer)]).toEqual([
          name,
          format,
          why === undefined,
        ]);
      }
});

test("impossible settings of an extractor are refused in one sentence", () => {
  const settings = readSettings({ strategy: "direct", model: "openai:m" });
  const run = (benchmark: Benchmark) =>
    ({ benchmark, subset: "mcq", settings, official: false }) as const;
  expect(() => chooseExtractor(run(vcrbench), { extractor: "model-letter" })).toThrow(
    'Invalid --extractor "model-letter": use one of official, lmms-eval-0.7, sound for VCRBench.',
  );
  expect(() => chooseExtractor(run(mmrV), { extractor: "magic" })).toThrow(
    "model-letter for MMR-V",
  );
  expect(() =>
    chooseExtractor(run(mmrV), { extractor: "sound", extractor_model: "openai:m" }),
  ).toThrow("only model-letter asks a model");
  expect(() => chooseExtractor(run(mmrV), { reasoning_tags: ["think"] })).toThrow(
    "only lmms-eval-0.7 removes reasoning by tags",
  );
  expect(() => readExtractorAsked({ extractor_model: "qwen3" })).toThrow(
    'Invalid --extractor-model "qwen3": use a provider:model, such as openai:Qwen/Qwen3-4B.',
  );
  expect(() => readExtractorAsked({ extractor_temperature: "hot" })).toThrow(
    'Invalid --extractor-temperature "hot": use a number from 0 to 2.',
  );
});

test("lmms-eval 0.7's removal of reasoning precedes the released rule, with the given tags", () => {
  const sample = choice("ABCDE", "C");
  const read = (reply: string, reasoning_tags?: string[]) =>
    videoMathQa.extractors["lmms-eval-0.7"]?.(reply, sample, { reasoning_tags }).answer;
  expect(read("<think>A or B</think>C")).toBe("C");
  expect(read("<analysis>A</analysis> <think>B</think> C")).toBe("C");
  expect(read("A or B?</think>C")).toBe("C");
  expect(read("<think>A</think>B</think>C")).toBe("C");
  // Spelling counts, and a tag that never closes removes nothing.
  expect(read("<THINK>A</THINK>C")).toBe("A");
  expect(read("C <think>A")).toBe("C");
  expect(read("<think>A, then C")).toBe("A");
  expect(read("<reasoning>A</reasoning>C")).toBe("A");
  expect(read("<reasoning>A</reasoning>C", ["reasoning"])).toBe("C");
  expect(read("<think>A</think>C", ["reasoning"])).toBe("A");
  for (const piece of ["<think>", "</think>", "<think></think>"])
    expect(read(`${piece.repeat(30_000)}C`)).toBe("C");
});

test("an older run has no extractor in its header: its settings decide", () => {
  const header = (reasoning: object, protocol: object | null) => ({
    settings: readSettings({ strategy: "direct", model: "openai:m", reasoning }),
    protocol,
  });
  const data = { subset: "mcq" } as const;
  const nameOf = (reasoning: object, protocol: object | null = null) =>
    extractorOf({ benchmark: videoMathQa, data, header: header(reasoning, protocol) });
  expect(nameOf({ cot: true })).toMatchObject({ name: "sound", by: "format", warning: null });
  expect(nameOf({ cot: false }, {})).toMatchObject({ name: "official", by: "protocol" });
  expect(nameOf({ cot: true }, {})).toMatchObject({
    name: "sound",
    warning: expect.stringContaining("The extractor official cannot read these replies"),
  });
  expect(extractorOf({ benchmark: mmrV, data: null, header: null })).toMatchObject({
    ...{ name: "official", by: "file", warning: null },
  });
});
