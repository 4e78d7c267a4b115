import type { QuestionSetup } from "../../graphs/answer-prompts.ts";
import { promptsSent } from "../../graphs/prompts-sent.ts";
import type { Prompts, PromptWording } from "../../prompts/load-prompts.ts";
import type { Settings } from "../../src/core/settings.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Aspect, CertificateFacts } from "../benchmarks/protocols/aspect.ts";
import { findProtocol } from "../benchmarks/protocols/find-protocol.ts";
import { dataAspects } from "./data-aspects.ts";
import { mediaAspects } from "./media-aspects.ts";
import { modelAspects, unknownModel } from "./model-aspects.ts";
import { promptAspects, replyAspects } from "./reply-aspects.ts";

/* Compares a run with the published protocol of its benchmark and model, aspect by aspect. */

/** Whether the scores of a run can be compared with the published ones, aspect by aspect. */
export interface Certificate {
  benchmark: string;
  source: string;
  model: {
    /** Name in the settings, with its provider. */
    asked: string | null;
    /** Name in the table of the paper; null if the table does not have it. */
    published: string | null;
    /** Contradictions between paper and code, or within the paper, about this model. */
    conflicts: string[];
    note: string | null;
  };
  aspects: Aspect[];
  /** Whether the run may be listed with the published results: no aspect differs, and the model is in the table. */
  comparable: boolean;
}

/** Compares a run with the published protocol. Pure function of the facts. */
export function certify(benchmark: Benchmark, facts: CertificateFacts): Certificate {
  const found = findProtocol(benchmark, facts.settings);
  const { protocol, asked, model } = found;
  const aspects = [
    ...dataAspects(facts, found),
    ...benchmark.aspects(facts),
    ...modelAspects(facts, found),
    ...mediaAspects(benchmark, facts, found),
    ...promptAspects(benchmark, facts, found),
    ...replyAspects(benchmark, facts, found),
  ];
  return {
    benchmark: benchmark.name,
    source: protocol.source,
    model: {
      asked,
      published: model?.name ?? null,
      conflicts: [...(model?.conflicts ?? [])],
      note: model === null ? unknownModel(asked) : null,
    },
    aspects,
    comparable: isComparable(model?.name ?? null, aspects),
  };
}

export function isComparable(published: string | null, aspects: readonly Aspect[]): boolean {
  return published !== null && aspects.every(({ verdict }) => verdict !== "different");
}

/** The wordings of all prompts that the run can send; null if they depend on the video. */
export function wordingsSent(
  settings: Settings,
  asked: QuestionSetup,
  prompts: Prompts,
): Record<string, PromptWording> | null {
  const names = promptsSent(settings, asked);
  return names === null
    ? null
    : Object.fromEntries(names.map((name) => [name, prompts.wordingOf(name)]));
}

/** One clause for each aspect that differs. */
export function deviationsIn(certificate: Certificate): string[] {
  return certificate.aspects.filter(({ verdict }) => verdict === "different").map(clause);
}

/** One clause for each aspect that cannot be certified. */
export function reservationsIn(certificate: Certificate): string[] {
  return certificate.aspects
    .filter(({ verdict }) => verdict === "not certifiable")
    .map(({ aspect, note }) => (note === null ? aspect : `${aspect}: ${note}`));
}

function clause({ aspect, wanted, got, source, note }: Aspect): string {
  const text = `${aspect}: ${got === null ? "none" : shown(got)}, published: ${shown(wanted)} (${source})`;
  return note === null ? text : `${text}; ${note}`;
}

/** A value as text for a person. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "not stated";
  if (Array.isArray(value)) return value.map(shown).join(" or ");
  return String(value);
}
