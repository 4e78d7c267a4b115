import { strategies } from "../../graphs/define-strategy.ts";
import type { Settings } from "../../src/core/settings.ts";
import { type Aspect, type CertificateFacts, compare } from "../benchmarks/protocols/aspect.ts";
import { type FoundProtocol, otherRecogniser } from "../benchmarks/protocols/find-protocol.ts";
import { compareWeights, modelName } from "../benchmarks/protocols/model-name.ts";

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

/** The date of a version at the end of a name. */
const SNAPSHOT = /-(\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{2})$/;

function namedModelAspects({ settings }: CertificateFacts, found: FoundProtocol): Aspect[] {
  const { asked, model, protocol } = found;
  if (asked === null) return [];
  const base = { aspect: "model", got: asked, source: protocol.source };
  if (model === null)
    return [
      { ...base, wanted: null, verdict: "not certifiable", note: unknownModel(asked) },
      ...recogniserAspect(settings, protocol.source),
    ];
  const given = modelName(asked);
  const version = model.version?.value ?? null;
  const source = model.version?.source ?? protocol.source;
  const wanted = version ?? model.name;
  const own = { ...base, wanted, source };
  const published = modelName(version ?? "");
  const aspect = ((): Aspect => {
    if (given.quantisation !== null)
      return {
        ...own,
        verdict: "different",
        note: `the weights are quantised (${given.quantisation})`,
      };
    if (version === null) return { ...own, verdict: "equal", note: "compared by name only" };
    if (published.normal !== given.normal && !model.aliases?.includes(given.normal)) {
      // A moving name, such as `-latest`, may have meant the published version.
      return SNAPSHOT.test(given.normal) && SNAPSHOT.test(published.normal)
        ? { ...own, verdict: "different", note: "another version" }
        : {
            ...own,
            verdict: "not certifiable",
            note: "the name does not include the version",
          };
    }
    // The name is known to mean this version.
    return { ...own, ...compareWeights({ ...given, normal: published.normal }, published) };
  })();
  return [aspect, ...recogniserAspect(settings, protocol.source)];
}

function recogniserAspect(settings: Settings, source: string): Aspect[] {
  const described = strategies.get(settings.strategy).approach === "decomposed";
  const other = described ? otherRecogniser(settings) : null;
  if (other === null) return [];
  return [compare("recogniser", { value: "the model that reasons", source }, other)];
}
