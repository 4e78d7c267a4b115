import { strategies } from "../../graphs/define-strategy.ts";
import type { Settings } from "../../src/core/settings.ts";
import { type Aspect, type CertificateFacts, compare } from "../benchmarks/protocols/aspect.ts";
import { type FoundProtocol, otherRecogniser } from "../benchmarks/protocols/find-protocol.ts";
import {
  compareWeights,
  type ModelName,
  modelName,
  otherWeights,
  UNSTATED_STORAGE,
} from "../benchmarks/protocols/model-name.ts";
import type { ProtocolModel } from "../benchmarks/protocols/protocol.ts";

export function unknownModel(asked: string | null): string {
  return asked === null
    ? "no model is called"
    : `${asked} is not in the tables of the paper, so no published settings were applied`;
}

/** Compares the model by its name, and by its version if the name includes it. */
export function modelAspects(facts: CertificateFacts, found: FoundProtocol): Aspect[] {
  return found.asked === null
    ? []
    : [...namedModelAspects(facts, found), ...batchAspect(facts.settings, found)];
}

/** That the calls went through batches, which no publication states. */
function batchAspect({ runtime }: Settings, { protocol }: FoundProtocol): Aspect[] {
  if (!runtime.batch) return [];
  const note = "the calls went through the provider's batches";
  const { source } = protocol;
  return [
    { aspect: "calls", wanted: null, got: "batch", verdict: "not certifiable", source, note },
  ];
}

/** The date or number of a version at the end of a name. */
const SNAPSHOT = /-(\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{2}|\d{3})$/;

function namedModelAspects({ settings }: CertificateFacts, found: FoundProtocol): Aspect[] {
  const { asked, model, protocol } = found;
  if (asked === null) return [];
  const base = { aspect: "model", got: asked, source: protocol.source };
  if (model === null)
    return [
      { ...base, wanted: null, verdict: "not certifiable", note: unknownModel(asked) },
      ...recogniserAspect(settings, protocol.source),
    ];
  const { value: wanted, source } = model.version ?? { value: model.name, source: protocol.source };
  return [
    { ...base, wanted, source, ...compareModel(modelName(asked), model) },
    ...recogniserAspect(settings, protocol.source),
  ];
}

/** Compares a name that has a spelling of the entry with the model that was measured. */
function compareModel(
  given: ModelName,
  { name, version, aliases = [], unidentified }: ProtocolModel,
): Pick<Aspect, "verdict" | "note"> {
  const published = modelName(version?.value ?? name);
  const open = (note: string) => ({ verdict: "not certifiable" as const, note });
  const weights = otherWeights(given, published);
  if (weights !== null) return { verdict: "different", note: weights };
  if (unidentified !== undefined) return open(unidentified);
  if (given.unstatedStorage) return open(UNSTATED_STORAGE);
  const byName = { verdict: "equal" as const, note: "compared by name only" };
  if (version == null) return byName;
  if (published.normal !== given.normal && !aliases.includes(given.normal)) {
    // A moving name, such as `-latest`, may have meant the published version.
    if (!SNAPSHOT.test(given.normal)) return open("the name does not include the version");
    return SNAPSHOT.test(published.normal)
      ? { verdict: "different", note: "another version" }
      : open("the published name does not include a version");
  }
  // The name is known to mean this version.
  const compared = compareWeights({ ...given, normal: published.normal }, published);
  const identified = published.organisation !== null || SNAPSHOT.test(published.normal);
  return compared.verdict === "equal" && !identified ? byName : compared;
}

function recogniserAspect(settings: Settings, source: string): Aspect[] {
  const described = strategies.get(settings.strategy).approach === "decomposed";
  const other = described ? otherRecogniser(settings) : null;
  if (other === null) return [];
  return [compare("recogniser", { value: "the model that reasons", source }, other)];
}
