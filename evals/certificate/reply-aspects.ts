import { isBlind, needsModel, strategies } from "../../graphs/define-strategy.ts";
import type { PromptWording } from "../../prompts/load-prompts.ts";
import { readsSetting, resolveSettings, type Settings } from "../../src/core/settings.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import { type Aspect, type CertificateFacts, compare } from "../benchmarks/protocols/aspect.ts";
import type { FoundProtocol } from "../benchmarks/protocols/find-protocol.ts";
import { modelName } from "../benchmarks/protocols/model-name.ts";
import { type ReleasedPrompt, releasedFor } from "../benchmarks/protocols/released-prompt.ts";

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
      promptAspect(name, wording, releasedFor(released, name, asked)),
    ),
  ];
}

function promptAspect(
  name: string,
  { sha256: got, quoted }: PromptWording,
  released: readonly ReleasedPrompt[],
): Aspect {
  const [own] = released;
  const aspect = `prompt ${name}`;
  if (own === undefined)
    return {
      aspect,
      wanted: null,
      got,
      verdict: "not certifiable",
      source: "the authors' repository",
      note: "no text of this prompt was released",
    };
  const same = released.find((item) => item.sha256 === got);
  const where = (item: typeof own) => `${item.repository} ${item.path}`;
  const base = { aspect, wanted: own.sha256, got, source: where(same ?? own) };
  if (same === undefined)
    return { ...base, verdict: "different", note: "differs from the released text" };
  if (quoted.length > 0)
    return {
      ...base,
      verdict: "different",
      note: `marks {{${quoted.join("}}, {{")}}} as data, which the released text does not`,
    };
  const others = own.models !== undefined && same !== own;
  return {
    ...base,
    wanted: same.sha256,
    verdict: "equal",
    note: others ? `the script of this model has another text (${where(own)})` : null,
  };
}

/** Compares subtitles and audio, the sampling of replies, and the extractor. */
export function replyAspects(
  { tasks }: Pick<Benchmark, "tasks">,
  facts: CertificateFacts,
  { wants, protocol }: FoundProtocol,
): Aspect[] {
  const { settings } = facts;
  const { strategy, recognition, reasoning } = settings;
  if (!needsModel(strategy)) return [];
  const extractor = protocol.extractor(reasoning.cot);
  const audio = readsSetting(strategy, "recognition.audio") && recognition.audio;
  return [
    ...(isBlind(strategy)
      ? []
      : [
          compare("subtitles", wants.subtitles, subtitlesOf(settings, tasks)),
          compare("audio", wants.audio, audio),
        ]),
    compare("temperature", wants.temperature, temperatureOf(settings)),
    ...Object.entries(settings.generation)
      .filter(([, value]) => value !== null)
      .map(([name, value]) =>
        compare(name, { value: null, source: wants.temperature.source }, value),
      ),
    compare("new tokens", wants.max_tokens, reasoning.max_tokens),
    compare(
      "extractor",
      { value: extractor?.name ?? null, source: extractor?.source ?? protocol.source },
      facts.extractor,
    ),
    ...(extractor?.model == null ? [] : [extractorModel(facts, extractor.model, extractor.source)]),
  ];
}

/** What is sent, which may be another setting of the strategy. */
function temperatureOf(settings: Settings): number {
  return (
    strategies.get(settings.strategy).temperature?.(settings) ?? settings.reasoning.temperature
  );
}

function extractorModel(facts: CertificateFacts, wanted: string, source: string): Aspect {
  const got = facts.extractorModel ?? null;
  const base = { aspect: "extractor model", wanted, got, source, note: null };
  if (got === null)
    return { ...base, verdict: "not certifiable", note: "no model has extracted the letters yet" };
  const same = modelName(got).normal === modelName(wanted).normal;
  return { ...base, verdict: same ? "equal" : "different" };
}

function subtitlesOf(settings: Settings, [task]: Benchmark["tasks"]) {
  return resolveSettings(settings, task).recognition.subtitles;
}
