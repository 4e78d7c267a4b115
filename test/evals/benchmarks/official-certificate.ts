import { benchmarkNamed } from "../../../evals/benchmarks/define-benchmark.ts";
import type { Aspect } from "../../../evals/benchmarks/protocols/aspect.ts";
import { certify } from "../../../evals/certificate/certificate.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { chooseExtractor } from "../../../evals/score/extractor-choice.ts";

/**
 * The certificate of a complete run by `--protocol official`, with unchecked prompts, if its replies are read by the
 * extractor; by default the one of the protocol.
 */
export function official(
  benchmark: string,
  model: string | null,
  more: object = {},
  extractor?: string,
) {
  const { settings, ...asked } = readEvalSettings({
    benchmark,
    data: "x",
    protocol: "official",
    strategy: "direct",
    ...(model === null ? {} : { model }),
    ...more,
  });
  const of = benchmarkNamed(benchmark);
  const { subset } = asked;
  const certificate = certify(of, {
    subset,
    settings,
    data: { hash: "h" },
    questions: of.protocol.questions ?? 0,
    epochs: asked.epochs,
    descriptions: asked.descriptions,
    wordings: null,
    replaced: ["a prompt"],
    extractor:
      extractor ?? chooseExtractor({ benchmark: of, subset, settings, official: true }).name,
  });
  const aspects = Object.fromEntries(certificate.aspects.map((aspect) => [aspect.aspect, aspect]));
  return { settings, certificate, aspects: aspects as Record<string, Aspect | undefined> };
}
