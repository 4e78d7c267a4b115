import { storedSettings, valueAt } from "../../src/core/settings.ts";
import type { Aspect } from "../benchmarks/protocols/aspect.ts";
import { isUnpublished } from "../benchmarks/protocols/protocol.ts";
import { isOverEvidence } from "../run/gold-arm.ts";
import { stoppedBy } from "../run/run-account.ts";
import type { EvalHeader } from "../run/run-header.ts";
import { isScripted } from "../run/scripted-model.ts";
import { unitOf } from "../run/selection.ts";
import { extractorOf } from "../score/extractor-choice.ts";
import type { StoredExtractor } from "../score/extractor-settings.ts";
import { letterJudge } from "../score/letter-judge.ts";
import type { Results } from "../score/read-results.ts";
import { type Certificate, certify, isComparable } from "./certificate.ts";

/** A certificate, or the reason why there is none. */
export type CertificateResult = { certificate: Certificate } | { certificate: null; why: string };

/** The certificate of a run with its current results: also lists missing and failed results, given evidence and a scripted model. */
export function certifyResults(results: Results): CertificateResult {
  const { header, benchmark, samples, missing, epochs } = results;
  if (header === null)
    return { certificate: null, why: "a response file does not record how it was made" };
  if (header.human_study !== undefined)
    return { certificate: null, why: "people answered, not a model" };
  if (isUnpublished(benchmark.protocol))
    return { certificate: null, why: `${benchmark.title} has no published protocol` };
  const extractor = extractorOf(results);
  const settings = storedSettings(header.settings);
  if (settings === null)
    return { certificate: null, why: "its settings were written by another version" };
  const certificate = certify(benchmark, {
    subset: header.data.subset,
    settings: settings,
    data: header.data,
    questions: new Set(samples.map(unitOf)).size,
    epochs,
    descriptions: header.descriptions,
    wordings: header.wordings ?? null,
    replaced: header.prompts_replaced,
    extractor: extractor.name,
    extractorModel: extractor.model,
    extractorDecoding: { ...extractor, ...letterGeneration(results, extractor) },
  });
  const { aspects, ...rest } = certificate;
  const all = [
    ...aspects,
    missingResults(missing, rest.source),
    ...failedResults(results, rest),
    ...givenEvidence(header, rest),
    ...answeredBy(results, rest),
  ];
  return {
    certificate: { ...rest, aspects: all, comparable: isComparable(rest.model.published, all) },
  };
}

/**
 * How the model that named the letters sampled, and whether it was asked to think. Null: not set, not stored, or not
 * the same for all letters.
 */
function letterGeneration(
  { judgings = [] }: Results,
  { model, temperature, max_tokens }: StoredExtractor,
): { top_p: number | null; top_k: number | null; thinking: boolean | null } {
  const used = judgings
    .filter(({ header }) => header.kind === letterJudge.kind && header.judge === model)
    .filter(
      ({ header: { settings } }) =>
        valueAt(settings, "reasoning.temperature") === temperature &&
        valueAt(settings, "reasoning.max_tokens") === max_tokens,
    );
  const common = (name: string) => {
    const [value, ...others] = new Set(
      used.map(({ header }) => valueAt(header.settings, `generation.${name}`)),
    );
    return typeof value !== "number" || others.length > 0 ? null : value;
  };
  const budget = common("thinking_budget");
  // Without a budget the server's default applies.
  const thinking = budget === null ? null : budget !== 0;
  return { top_p: common("top_p"), top_k: common("top_k"), thinking };
}

function missingResults(missing: number, source: string): Aspect {
  return {
    aspect: "missing results",
    wanted: 0,
    got: missing,
    verdict: missing === 0 ? "equal" : "different",
    source,
    note: null,
  };
}

/** Counts results without an answer for a reason that says nothing about the model: errors, and questions that a budget stopped. */
function failedResults({ said }: Results, { source }: Pick<Certificate, "source">): Aspect[] {
  const failed = said.filter(
    ({ line }) => line !== null && (line.error !== undefined || stoppedBy(line) !== null),
  ).length;
  if (failed === 0) return [];
  const aspect = "failed or stopped results";
  return [{ aspect, wanted: 0, got: failed, verdict: "different", source, note: null }];
}

/** Names evidence that the run did not recognise itself, as in the arms of an attribution. */
function givenEvidence({ gold }: EvalHeader, { source }: Pick<Certificate, "source">): Aspect[] {
  if (gold === undefined || !isOverEvidence(gold)) return [];
  const right = gold.stages.length === 0 ? "" : `, with right ${gold.stages.join(", ")}`;
  return [
    {
      aspect: "evidence",
      wanted: "recognised by the run",
      got: `of another run${right}`,
      verdict: "different",
      source,
      note: null,
    },
  ];
}

/** Names a scripted model: its replies represent no real model, whatever name is set. */
function answeredBy({ said }: Results, { source, model }: Pick<Certificate, "source" | "model">) {
  const called = new Set(said.flatMap(({ line }) => line?.calls.map((call) => call.model) ?? []));
  const scripted = [...called].filter(isScripted);
  if (scripted.length === 0) return [];
  const aspect: Aspect = {
    aspect: "answered by",
    wanted: model.asked,
    got: scripted.join(", "),
    verdict: "different",
    source,
    note: "a scripted model answered",
  };
  return [aspect];
}
