import { isBlind, needsModel, strategies } from "../../graphs/define-strategy.ts";
import type { PromptWording } from "../../prompts/load-prompts.ts";
import { readsSetting, resolveSettings, type Settings } from "../../src/core/settings.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import { type Aspect, type CertificateFacts, compare } from "../benchmarks/protocols/aspect.ts";
import type { FoundProtocol } from "../benchmarks/protocols/find-protocol.ts";
import { compareWeights, modelName } from "../benchmarks/protocols/model-name.ts";
import {
  notStated,
  type PublishedExtractor,
  type Stated,
  type Wants,
} from "../benchmarks/protocols/protocol.ts";
import {
  type ReleasedPrompt,
  releasedFor,
  scriptOf,
} from "../benchmarks/protocols/released-prompt.ts";

/** Compares the prompts that the run sends. */
export function promptAspects(
  { tasks, released }: Pick<Benchmark, "tasks" | "released">,
  facts: CertificateFacts,
  found: FoundProtocol,
): Aspect[] {
  const { settings, wordings } = facts;
  if (!needsModel(settings.strategy)) return [];
  const system = compare("system prompt", found.wants.system, "none");
  if (wordings === null)
    return [
      system,
      {
        aspect: "prompts",
        wanted: null,
        got: null,
        source: found.protocol.source,
        ...(facts.replaced.length === 0
          ? { verdict: "different", note: "the prompts of this project are used (no --prompts)" }
          : {
              verdict: "not certifiable",
              note: "which prompts are sent depends on the video, or the run did not record it",
            }),
      },
    ];
  const subtitles = subtitlesOf(settings, tasks) !== "off";
  const asked = { model: found.model?.name ?? null, subtitles };
  return [
    system,
    ...Object.entries(wordings).map(([name, wording]) =>
      promptAspect(name, wording, releasedFor(released, name, asked), asked.model),
    ),
  ];
}

function promptAspect(
  name: string,
  wording: PromptWording,
  released: readonly ReleasedPrompt[],
  model: string | null,
): Aspect {
  const [first] = released;
  const got = wording.sha256;
  const aspect = `prompt ${name}`;
  const none = { aspect, wanted: null, got, verdict: "not certifiable" as const };
  if (first === undefined)
    return {
      ...none,
      source: "the authors' repository",
      note: "no text of this prompt was released",
    };
  const script = scriptOf(first, model);
  if (script === "another model's" && model !== null)
    return {
      ...none,
      source: first.repository,
      note: "no text of this prompt was released for this model",
    };
  // A model outside the table has no script: any released text counts.
  const wanted =
    model === null ? released : released.filter((item) => scriptOf(item, model) === script);
  const same = wanted.find(({ sha256 }) => sha256 === got);
  const of = same ?? first;
  const base = { aspect, wanted: of.sha256, got, source: `${of.repository} ${of.path}` };
  if (same === undefined) {
    const other = released.find(({ sha256 }) => sha256 === got);
    const note =
      other === undefined
        ? "differs from the released text"
        : `the text of another model's script (${other.path})`;
    return { ...base, verdict: "different", note };
  }
  if (wording.quoted.length > 0)
    return {
      ...base,
      verdict: "different",
      note: `marks ${holes(wording.quoted)} as data, which the released text does not`,
    };
  return { ...base, ...compareVariables(wording.variables, same.variables) };
}

/** Compares which variables fill the places of a text, which its hash does not include. */
function compareVariables(
  got: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): Pick<Aspect, "verdict" | "note"> {
  if (wanted === undefined)
    return {
      verdict: "not certifiable",
      note: "the order of the variables in the released text is not known",
    };
  if (got === undefined)
    return wanted.length === 0
      ? { verdict: "equal", note: null }
      : { verdict: "not certifiable", note: "the run did not record the order of the variables" };
  if (got.length === wanted.length && got.every((one, place) => one === wanted[place]))
    return { verdict: "equal", note: null };
  return {
    verdict: "different",
    note: `inserts ${holes(got) || "nothing"} where the released text inserts ${holes(wanted)}`,
  };
}

function holes(variables: readonly string[]): string {
  return variables.map((variable) => `{{${variable}}}`).join(", ");
}

/** Compares subtitles and audio, the sampling of replies, and the extractor. */
export function replyAspects(
  { tasks }: Pick<Benchmark, "tasks">,
  facts: CertificateFacts,
  { wants, protocol, model }: FoundProtocol,
): Aspect[] {
  const { settings } = facts;
  const { strategy, recognition, reasoning } = settings;
  if (!needsModel(strategy)) return [];
  const extractor = protocol.extractor(reasoning.cot, model?.name ?? null);
  const audio = readsSetting(strategy, "recognition.audio") && recognition.audio;
  return [
    ...(isBlind(strategy)
      ? []
      : [
          subtitlesAspect(wants, settings, subtitlesOf(settings, tasks)),
          compare("audio", wants.audio, audio),
        ]),
    compare("temperature", wants.temperature, temperatureOf(settings)),
    ...generationAspects(settings, wants),
    compare("new tokens", wants.max_tokens, reasoning.max_tokens),
    ...(extractor === null
      ? [compare("extractor", notStated(protocol.source), facts.extractor)]
      : [extractorAspect(facts, extractor), ...extractorModelAspects(facts, extractor)]),
  ];
}

/** What is sent, which may be another setting of the strategy. */
function temperatureOf(settings: Settings): number {
  return (
    strategies.get(settings.strategy).temperature?.(settings) ?? settings.reasoning.temperature
  );
}

/** Compares how tokens are sampled, of what the run sets or the publication states. */
function generationAspects(settings: Settings, wants: Wants): Aspect[] {
  const published: Record<string, Stated<number> | undefined> = {
    top_p: wants.top_p,
    top_k: wants.top_k,
  };
  const greedy = temperatureOf(settings) === 0;
  return Object.entries(settings.generation).flatMap(([name, value]): Aspect[] => {
    const wanted = published[name] ?? notStated(wants.temperature.source);
    const got = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
    if (got !== null) return [compare(name, wanted, got)];
    if (wanted.value === null || greedy) return [];
    const note = "not sent, so the default of the server applies";
    return [
      {
        ...{ aspect: name, wanted: wanted.value, got: null, source: wanted.source },
        ...{ verdict: "not certifiable", note },
      },
    ];
  });
}

/** Compares the subtitles; aligned ones also by the number of frames by which their cues are chosen. */
function subtitlesAspect(wants: Wants, { recognition }: Settings, mode: string): Aspect {
  const aspect = compare("subtitles", wants.subtitles, mode);
  const by = wants.subtitle_frames;
  if (mode !== "aligned" || aspect.verdict !== "equal" || by == null || by.value === null)
    return aspect;
  const { sampler, frames } = recognition;
  if (sampler === "ends" && frames === by.value) return aspect;
  const got = sampler === "ends" ? `${frames} even frames` : "other frames";
  const chosen = `cues are chosen by ${got} here, and by ${by.value} even frames in ${by.source}`;
  const note = aspect.note === null ? chosen : `${chosen}; ${aspect.note}`;
  return { ...aspect, verdict: "not certifiable", note };
}

/** Compares the rule that reads the letters, or that a model does. */
function extractorAspect(
  { extractor: got }: CertificateFacts,
  { name, source, reads = {}, unidentified }: PublishedExtractor,
): Aspect {
  const ours = Object.hasOwn(reads, got) ? reads[got] : undefined;
  if (unidentified !== undefined && ours !== undefined)
    return compare("extractor", notStated(source, unidentified), got);
  const aspect = compare("extractor", { value: name, source }, got);
  if (aspect.verdict === "equal" || ours === undefined) return aspect;
  return { ...aspect, note: `the released script reads ${reads[name]}, ${got} reads ${ours}` };
}

/** Compares the model that reads the letters, and how it is called. */
function extractorModelAspects(
  { extractorModel: got = null, extractorDecoding }: CertificateFacts,
  { model: wanted, decoding, source }: PublishedExtractor,
): Aspect[] {
  if (wanted === null) return [];
  const model = { aspect: "extractor model", wanted, got, source };
  if (got === null)
    return [
      { ...model, verdict: "not certifiable", note: "no model has extracted the letters yet" },
    ];
  const named: Aspect = { ...model, ...compareWeights(modelName(got), modelName(wanted)) };
  if (decoding === undefined) return [named];
  const called = <T extends number | boolean>(aspect: string, value: T, sent?: T | null) =>
    sent == null
      ? unrecorded(aspect, value, decoding.source)
      : compare(aspect, { value, source: decoding.source }, sent);
  return [
    named,
    called("extractor temperature", decoding.temperature, extractorDecoding?.temperature),
    ...(decoding.top_p === undefined
      ? []
      : [called("extractor top_p", decoding.top_p, extractorDecoding?.top_p)]),
    ...(decoding.top_k === undefined
      ? []
      : [called("extractor top_k", decoding.top_k, extractorDecoding?.top_k)]),
    called("extractor new tokens", decoding.max_tokens, extractorDecoding?.max_tokens),
    called("extractor thinking", decoding.thinking, extractorDecoding?.thinking),
  ];
}

function unrecorded(aspect: string, wanted: unknown, source: string): Aspect {
  const note = "not set, or the run does not record it";
  return { aspect, wanted, got: null, verdict: "not certifiable", source, note };
}

function subtitlesOf(settings: Settings, [task]: Benchmark["tasks"]) {
  return resolveSettings(settings, task).recognition.subtitles;
}
