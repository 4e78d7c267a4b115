import { benchmarkNamed } from "../../../evals/benchmarks/define-benchmark.ts";
import type { Aspect } from "../../../evals/benchmarks/protocols/aspect.ts";
import { certify } from "../../../evals/certificate/certificate.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";

/** The certificate of a complete run by `--protocol official`, with unchecked prompts. */
export function official(benchmark: string, model: string | null, more: object = {}) {
  const { settings, ...asked } = readEvalSettings({
    benchmark,
    data: "x",
    protocol: "official",
    strategy: "direct",
    ...(model === null ? {} : { model }),
    ...more,
  });
  const certificate = certify(benchmarkNamed(benchmark), {
    subset: asked.subset,
    settings,
    data: { hash: "h" },
    questions: benchmarkNamed(benchmark).protocol.questions ?? 0,
    epochs: asked.epochs,
    descriptions: asked.descriptions,
    wordings: null,
    replaced: ["a prompt"],
    extractor: "official",
  });
  const aspects = Object.fromEntries(certificate.aspects.map((aspect) => [aspect.aspect, aspect]));
  return { settings, certificate, aspects: aspects as Record<string, Aspect | undefined> };
}
