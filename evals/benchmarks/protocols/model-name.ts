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
  /** Whether it is a tag of a local server, such as `gemma3:27b`, that does not say how the weights are stored. */
  unstatedStorage: boolean;
  /** Whether it is the instruct version of a family that has another model without `-instruct`. */
  instruct: boolean;
}

/** Suffixes for how weights are quantised, as repositories, files and tags write them. */
const QUANTISED = new RegExp(
  `-(${[
    "awq|gptq|gguf|exl2|hqq|qat|quantized|nf4|fp4|nvfp4|mxfp4|int[48]",
    "fp8(-dynamic|-block)?",
    "w\\d+a\\d+",
    "((unsloth-)?bnb-)?[2-8]-?bit",
    // Those of llama.cpp: q4-k-m, q8-0, iq4-xs, ud-q4-k-xl.
    "(ud-)?i?q\\d-(0|1|k|nl|xxs|xs|s|m)(-(xl|l|m|s))?",
  ].join("|")})$`,
);
/** Suffixes for full precision and for the format of a library. */
const UNQUANTISED = /-(bf16|fp?16|fp?32)$/;
const NEUTRAL = /-hf$/;
const INSTRUCT = /-instruct$/;
const SUFFIXES = [QUANTISED, UNQUANTISED, NEUTRAL, INSTRUCT];

/** Families of which only the instruct version exists, which is often named without `-instruct`. */
const ONLY_INSTRUCT = /^(qwen2-5-vl|phi-4-multimodal)(-|$)/;

/** A tag that begins with the size: `gemma3:27b`, `qwen2.5vl:7b-fp16`. */
const SIZE_TAG = /:\d+(\.\d+)?[bm](-|$)/i;

/** Variants of a router that choose a server of the same model. */
const ROUTED = /:(free|nitro|floor)$/i;

/**
 * Parses a model name: removes provider prefix and organisation, converts to lower case, writes `_`, `.`, `:`, `@` and
 * spaces as `-`, and removes the suffixes for storage, `-instruct` and `-hf`. Spellings of clouds, routers and local
 * servers become those of the model's authors. Nothing else is ignored, so that `LLaVA-Video-7B-Qwen2` and
 * `Qwen3-VL-8B` are not `Qwen2.5-VL`.
 *
 * @example
 * modelName("openai:Qwen/Qwen2.5-VL-72B-Instruct-AWQ").normal; // "qwen2-5-vl-72b"
 */
export function modelName(name: string): ModelName {
  const given = name.trim();
  const own = ownName(given) ?? given.replace(/^[a-z]+(-[a-z]+)*:/, "");
  const path = own.replace(/\/+$/, "").split("/");
  const base = path.at(-1) ?? "";
  const organisation = (path.length > 1 && path.at(-2)) || null;
  let normal = authorsSpelling(base);
  const stored: string[] = [];
  const removed = new Set<RegExp>();
  for (;;) {
    const suffix = SUFFIXES.find((one) => one.test(normal));
    if (suffix === undefined) break;
    removed.add(suffix);
    if (suffix === QUANTISED) stored.push(QUANTISED.exec(normal)?.[1] ?? "");
    normal = normal.replace(suffix, "");
  }
  const full = removed.has(UNQUANTISED);
  // A GGUF file may hold any precision; the other suffix, if there is one, says which.
  const precise = stored.filter((one) => one !== "gguf");
  const quantisation = precise[0] ?? (full ? null : (stored[0] ?? null));
  return {
    normal,
    organisation,
    quantisation,
    unstatedStorage: SIZE_TAG.test(base) && quantisation === null && !full,
    instruct: removed.has(INSTRUCT) && !ONLY_INSTRUCT.test(normal),
  };
}

/** Converts the spellings of clouds (Bedrock, Vertex AI), routers (OpenRouter) and local servers (Ollama). */
function authorsSpelling(base: string): string {
  return base
    .toLowerCase()
    .replace(ROUTED, "")
    .replace(/^([a-z]+\.)?anthropic\.(.+?)(-v\d+(:\d+)?)?$/, "$2")
    .replace(/(-v\d+)?@(?=\d{8}$)/, "-")
    .replace(/[\s._:@]+/g, "-")
    .replace(/-+/g, "-")
    .replace(/^qwen-(?=\d)/, "qwen")
    .replace(/^(qwen2-5)vl-/, "$1-vl-")
    .replace(/^gemma3-/, "gemma-3-");
}

/** The note of a name whose storage is not stated. */
export const UNSTATED_STORAGE =
  "the tag does not state whether the weights are quantised; default tags of local servers often are";

/**
 * Why two names of one model denote other weights, from what the names say of storage and tuning; null if they do not.
 */
export function otherWeights(given: ModelName, published: ModelName): string | null {
  if (given.quantisation !== null && given.quantisation !== published.quantisation)
    return `the weights are quantised (${given.quantisation})`;
  if (given.instruct === published.instruct) return null;
  return given.instruct
    ? "the instruct version is another checkpoint"
    : "the published model is the instruct version, which is another checkpoint";
}

/** Compares the weights that two names denote: name, quantisation and organisation. */
export function compareWeights(
  given: ModelName,
  published: ModelName,
): Pick<Aspect, "verdict" | "note"> {
  if (given.normal !== published.normal) return { verdict: "different", note: null };
  const weights = otherWeights(given, published);
  if (weights !== null) return { verdict: "different", note: weights };
  if (given.unstatedStorage) return { verdict: "not certifiable", note: UNSTATED_STORAGE };
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
  return models.filter(({ spellings }) =>
    spellings.some((spelling) => modelName(spelling).normal === normal),
  );
}
