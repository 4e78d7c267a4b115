import { ownName } from "../../../src/models/name.ts";
import type { Aspect } from "./aspect.ts";
import type { ProtocolModel } from "./protocol.ts";

/** The parts of a model's name. */
export interface ModelName {
  /** `openai:Qwen/Qwen2.5-VL-72B-Instruct-AWQ` -> `qwen2-5-vl-72b`. */
  normal: string;
  /** `Qwen`, if the name has an organisation. */
  organisation: string | null;
  /** `awq`, if the name says that the weights are quantised. */
  quantisation: string | null;
}

/** Suffixes for how weights are stored or tuned to chat, which do not identify the model. */
const QUANTISED = /-(awq|gptq|gguf|int4|int8|fp8|nf4|w4a16|w8a8|4bit|8bit)$/;
const NEUTRAL = /-(instruct|bf16|fp16|hf)$/;

/**
 * Parses a model name: removes provider prefix and organisation, converts to lower case, writes `_`, `.`, `:` and
 * spaces as `-`, and removes the suffixes for quantisation, `-instruct`, `-bf16`, `-fp16` and `-hf`. Nothing else is ignored, so that
 * `LLaVA-Video-7B-Qwen2` and `Qwen3-VL-8B` are not `Qwen2.5-VL`.
 *
 * @example
 * modelName("openai:Qwen/Qwen2.5-VL-72B-Instruct-AWQ").normal; // "qwen2-5-vl-72b"
 */
export function modelName(name: string): ModelName {
  const given = name.trim();
  const own = ownName(given) ?? given.replace(/^[a-z]+(-[a-z]+)*:/, "");
  const path = own.replace(/\/+$/, "").split("/");
  const base = path.at(-1) ?? "";
  const organisation = path.length > 1 ? (path.at(-2) ?? null) : null;
  let normal = base
    .toLowerCase()
    .replace(/[\s._:]+/g, "-")
    .replace(/-+/g, "-");
  let quantisation: string | null = null;
  for (;;) {
    const stored = QUANTISED.exec(normal);
    if (stored !== null) quantisation ??= stored[1] ?? null;
    const shorter = normal.replace(QUANTISED, "").replace(NEUTRAL, "");
    if (shorter === normal) return { normal, organisation: organisation || null, quantisation };
    normal = shorter;
  }
}

/** Compares the weights that two names denote: name, quantisation and organisation. */
export function compareWeights(
  given: ModelName,
  published: ModelName,
): Pick<Aspect, "verdict" | "note"> {
  if (given.normal !== published.normal) return { verdict: "different", note: null };
  if (given.quantisation !== null && given.quantisation !== published.quantisation)
    return { verdict: "different", note: `the weights are quantised (${given.quantisation})` };
  const other =
    given.organisation !== null &&
    published.organisation !== null &&
    given.organisation.toLowerCase() !== published.organisation.toLowerCase();
  return other
    ? { verdict: "not certifiable", note: "weights of another organisation or folder" }
    : { verdict: "equal", note: null };
}

/** Every entry of a table with that spelling, in its order; a model may have several published settings. */
export function modelsNamed(
  models: readonly ProtocolModel[],
  name: string | null,
): readonly ProtocolModel[] {
  if (name === null) return [];
  const { normal } = modelName(name);
  return models.filter(({ spellings }) => spellings.includes(normal));
}
