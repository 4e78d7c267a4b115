import { ANSWER_FORMATS, type AnswerFormat } from "../../graphs/answer-formats.ts";
import { answerPrompts } from "../../graphs/prompts-sent.ts";
import { nameOfPrompt } from "../../prompts/catalogue.ts";
import { Failure } from "../../src/core/errors.ts";
import { storedSettings } from "../../src/core/settings.ts";
import { type Benchmark, DEFAULT_SUBSET, subsetOf } from "../benchmarks/define-benchmark.ts";
import { findProtocol } from "../benchmarks/protocols/find-protocol.ts";
import type { PublishedExtractor } from "../benchmarks/protocols/protocol.ts";
import {
  type ExtractorAsked,
  LETTER_SETTINGS,
  MODEL_LETTER,
  type StoredExtractor,
} from "./extractor-settings.ts";

/*
 * Chooses the extractor of a run: the requested one, that of the published protocol, or the one that fits the answer format
 * of the run's prompts.
 */

/** The extractor that reads the replies of a run, and why. */
export interface ExtractorChoice extends StoredExtractor {
  /** A sentence or two if the extractor cannot read the requested answer format, or if that is not known; else null. */
  warning: string | null;
}

/** The properties of a run that determine its extractor. */
export interface AskedRun {
  benchmark: Benchmark;
  subset: string;
  settings: unknown;
  /** Whether `--protocol official` was given. */
  official: boolean;
  /** Prompts that a folder of the user replaced; default: none. */
  replaced?: readonly string[];
}

/** Number of options of a choice question if its benchmark does not define it. */
const USUAL_OPTIONS = 5;

/**
 * Answer formats that a run's prompts request, and the format in which code writes an answer. What a replaced prompt requests
 * is not known.
 */
export function answerFormats(run: AskedRun): AnswerFormat[] {
  const { replaced = [], benchmark } = run;
  const known = promptsAsked(run).filter(({ name }) => !replaced.includes(name));
  return [...new Set([...known.map(({ form }) => form), benchmark.answers.written])];
}

/** The prompts of a run whose replies state an answer, with the format that the built-in text requests. */
function promptsAsked({ benchmark, subset, settings }: AskedRun) {
  const read = storedSettings(settings);
  if (read === null) return [];
  return benchmark.tasks
    .flatMap((task) => {
      const options =
        task === "order" ? 0 : (subsetOf(benchmark, subset)?.options ?? USUAL_OPTIONS);
      return answerPrompts({ task, options }, benchmark.wording, read);
    })
    .map(({ prompt, form }) => ({ name: nameOfPrompt(prompt), form }));
}

/** The prompts of a run that request an unknown format, because they are replaced. */
function unknownPrompts(run: AskedRun): string[] {
  const { replaced = [] } = run;
  const names = promptsAsked(run).map(({ name }) => name);
  return [...new Set(names)].filter((name) => replaced.includes(name));
}

/**
 * The extractor of a run's replies. Throws `Failure` `wrong-usage` for an extractor that the benchmark does not have, or for
 * options of an extractor that was not chosen.
 */
export function chooseExtractor(
  run: AskedRun,
  asked: Partial<ExtractorAsked> = {},
): ExtractorChoice {
  const { benchmark, official } = run;
  const formats = answerFormats(run);
  const fits = benchmark.answers.readBy[formats[0] ?? benchmark.answers.written] ?? "official";
  const released = releasedRule(run);
  const named = asked.extractor ?? (asked.extractor_model == null ? null : MODEL_LETTER);
  const why = whyUnreadable(benchmark, named ?? released, formats);
  const choice = (name: string, by: StoredExtractor["by"], warning: string | null) => {
    const model = asked.extractor_model ?? null;
    const temperature = asked.extractor_temperature ?? null;
    const max_tokens = asked.extractor_max_tokens ?? null;
    const reasoning_tags = asked.reasoning_tags == null ? null : [...asked.reasoning_tags];
    const chosen = { name, by, model, temperature, max_tokens, reasoning_tags, warning };
    refuseUnknown(benchmark, chosen);
    if (model === null) return chosen;
    return {
      ...chosen,
      temperature: temperature ?? LETTER_SETTINGS.temperature,
      max_tokens: max_tokens ?? LETTER_SETTINGS.max_tokens,
    };
  };
  if (named !== null)
    return choice(
      named,
      "asked",
      why === null
        ? unknownFormat(run, named)
        : `The extractor ${named} misreads these replies: the prompts ask for ${why.form}, and ${why.why}. Use ${fits}.`,
    );
  const unknown = unknownFormat(run, fits);
  const by = unknown === null ? "format" : "default";
  if (!official) return choice(fits, by, unknown);
  if (why === null && (unknownPrompts(run).length === 0 || paperModel(run) === null))
    return choice(released, "protocol", null);
  if (why === null) return choice(fits, by, unknown);
  return choice(
    fits,
    "format",
    `The extractor ${released} cannot read these replies: the prompts ask for ${why.form}, and ${why.why}. ${fits} is used instead; the paper uses a model to name the letter (--extractor-model).`,
  );
}

/** What is not known about replies to replaced prompts; null without any, and if a model reads the replies. */
function unknownFormat(run: AskedRun, name: string): string | null {
  const prompts = unknownPrompts(run);
  if (prompts.length === 0 || name === MODEL_LETTER) return null;
  const many = prompts.length > 1;
  const model = paperModel(run);
  const paper =
    model === null
      ? ""
      : ` The paper lets a model name the letter: ${MODEL_LETTER} with ${model} (--extractor-model).`;
  return `The prompt${many ? "s" : ""} ${prompts.join(", ")} ${many ? "are" : "is"} replaced, so the requested answer format is not known: check that ${name} reads the replies.${paper}`;
}

/** The model with which the paper names the letters of such a run; null if it uses a rule. */
function paperModel(run: AskedRun): string | null {
  return publishedExtractor(run)?.model ?? null;
}

/** The rule with which the released code reads such a run, by the name of its extractor. */
function releasedRule(run: AskedRun): string {
  const { name, model } = publishedExtractor(run) ?? { name: "official", model: null };
  return model === null && Object.hasOwn(run.benchmark.extractors, name) ? name : "official";
}

function publishedExtractor({ benchmark, settings }: AskedRun): PublishedExtractor | null {
  const read = storedSettings(settings);
  if (read === null) return null;
  const { protocol, model } = findProtocol(benchmark, read);
  return protocol.extractor(read.reasoning.cot, model?.name ?? null);
}

function whyUnreadable(benchmark: Benchmark, name: string, formats: readonly AnswerFormat[]) {
  const reasons = benchmark.answers.unreadable[name] ?? {};
  const format = formats.find((one) => reasons[one] !== undefined);
  if (format === undefined) return null;
  return { form: ANSWER_FORMATS[format], why: reasons[format] ?? "" };
}

/** Names that `--extractor` takes for a benchmark. */
export function extractorNames(benchmark: Benchmark): string[] {
  const own = Object.keys(benchmark.extractors);
  return benchmark.answers.written === "order-line" ? own : [...own, MODEL_LETTER];
}

function refuseUnknown(benchmark: Benchmark, choice: ExtractorChoice): void {
  const { name, model, temperature, max_tokens, reasoning_tags } = choice;
  const names = extractorNames(benchmark);
  const refuse = (message: string) => {
    throw new Failure("wrong-usage", message, { extractor: name });
  };
  if (!names.includes(name))
    refuse(
      `Invalid --extractor ${JSON.stringify(name)}: use one of ${names.join(", ")} for ${benchmark.title}.`,
    );
  if (name !== MODEL_LETTER && (model !== null || temperature !== null || max_tokens !== null))
    refuse(
      `Invalid --extractor ${name} with --extractor-model: only ${MODEL_LETTER} asks a model. Leave one of them out.`,
    );
  if (name !== "lmms-eval-0.7" && reasoning_tags !== null)
    refuse(
      `Invalid --reasoning-tags with --extractor ${name}: only lmms-eval-0.7 removes reasoning by tags. Add --extractor lmms-eval-0.7, or leave the tags out.`,
    );
}

/** The extractor of results: the requested one, else that of the run, or the released one for a response file. */
export function extractorOf(results: ExtractedResults): ExtractorChoice {
  return results.extraction ?? withDefault(results);
}

/** The members of `Results` that determine the extractor. */
export interface ExtractedResults {
  benchmark: Benchmark;
  data: { subset: string } | null;
  header: {
    settings: unknown;
    protocol: unknown;
    prompts_replaced?: readonly string[];
    extractor?: StoredExtractor;
  } | null;
  extraction?: ExtractorChoice;
}

function withDefault(results: ExtractedResults): ExtractorChoice {
  const { benchmark, header } = results;
  if (header === null) return { ...chooseOfFile(benchmark), by: "file" };
  const run = runOf(results, header);
  const { extractor } = header;
  if (extractor === undefined) return chooseExtractor(run);
  const asked = extractor.by === "asked" ? askedOf(extractor) : {};
  return { ...extractor, warning: chooseExtractor(run, asked).warning };
}

function runOf(
  { benchmark, data }: ExtractedResults,
  header: NonNullable<ExtractedResults["header"]>,
): AskedRun {
  return {
    benchmark,
    subset: data?.subset ?? DEFAULT_SUBSET,
    settings: header.settings,
    official: header.protocol !== null,
    replaced: header.prompts_replaced ?? [],
  };
}

function askedOf(stored: StoredExtractor): ExtractorAsked {
  return {
    extractor: stored.name,
    extractor_model: stored.model,
    extractor_temperature: stored.temperature,
    extractor_max_tokens: stored.max_tokens,
    reasoning_tags: stored.reasoning_tags,
  };
}

/** The same results with the requested extractor. Throws as `chooseExtractor`. */
export function withExtractor<R extends ExtractedResults>(
  results: R,
  asked: Partial<ExtractorAsked>,
): R {
  const given = Object.values(asked).some((value) => value != null);
  if (!given) return results;
  const { benchmark, header } = results;
  const extraction =
    header === null
      ? chooseOfFile(benchmark, asked)
      : chooseExtractor(runOf(results, header), asked);
  return { ...results, extraction };
}

/** The prompts of a response file are not known; the released extractor is the one it was most likely made for. */
function chooseOfFile(benchmark: Benchmark, asked: Partial<ExtractorAsked> = {}): ExtractorChoice {
  const run = { benchmark, subset: DEFAULT_SUBSET, settings: null, official: true } as const;
  return { ...chooseExtractor(run, asked), warning: null };
}
