import { sha256 } from "../../src/core/hash.ts";
import { readsSetting, type Settings } from "../../src/core/settings.ts";
import { type Aspect, type CertificateFacts, compare } from "../benchmarks/protocols/aspect.ts";
import { type FoundProtocol, measuredStrategies } from "../benchmarks/protocols/find-protocol.ts";
import type { PublishedProtocol } from "../benchmarks/protocols/protocol.ts";

/** Compares the data, the number of questions and epochs, and the strategy. */
export function dataAspects(facts: CertificateFacts, { protocol }: FoundProtocol): Aspect[] {
  const { questions, epochs, settings } = facts;
  const known = protocol.data[facts.subset];
  const paper = (value: number | null) => ({ value, source: protocol.source });
  return [
    known === undefined
      ? {
          aspect: "data",
          wanted: null,
          got: facts.data.hash,
          verdict: "not certifiable",
          source: protocol.source,
          note: "the hash of the released data is not known",
        }
      : compare(
          "data",
          { value: sha256(known.files.join("\n")), source: known.source },
          facts.data.hash,
        ),
    compare("questions", paper(protocol.questions), questions),
    compare("epochs", paper(1), epochs),
    compare(
      "strategy",
      {
        value: protocol.measured.length === 0 ? null : measuredStrategies(protocol),
        source: protocol.source,
      },
      settings.strategy,
    ),
    ...reasoningAspect(settings, protocol),
  ];
}

/** Reasoning before the answer, if the paper has no such results. */
function reasoningAspect(
  { strategy, reasoning }: Settings,
  { cot, source }: PublishedProtocol,
): Aspect[] {
  if (cot !== null || !reasoning.cot || !readsSetting(strategy, "reasoning.cot")) return [];
  const note = "the paper has no results with chain of thought";
  return [
    { aspect: "chain of thought", wanted: false, got: true, verdict: "different", source, note },
  ];
}
