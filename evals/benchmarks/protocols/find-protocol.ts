import { strategies } from "../../../graphs/define-strategy.ts";
import { readsSetting, type Settings, setValueAt, valueAt } from "../../../src/core/settings.ts";
import { nameOf } from "../../../src/models/name.ts";
import type { Benchmark } from "../define-benchmark.ts";
import { modelsNamed } from "./model-name.ts";
import type { ProtocolModel, PublishedProtocol, Wants } from "./protocol.ts";

/** The label of `recognition.frame_labels: numbers`. */
export const NUMBERED = "Frame{i}: ";

/**
 * The entry of the answering model, and everything that the protocol requires of it; `model` null: not in the table.
 */
export interface FoundProtocol {
  protocol: PublishedProtocol;
  /** As given, with its provider; null if no model is set. */
  asked: string | null;
  model: ProtocolModel | null;
  wants: Wants;
}

/**
 * Finds the entry by the model's known spellings. Of several entries of one model, the one with the requested number of
 * frames counts, else the first.
 */
export function findProtocol(
  { protocol }: Pick<Benchmark, "protocol">,
  settings: unknown,
): FoundProtocol {
  const asked = modelAsked(settings);
  const entries = modelsNamed(protocol.models, asked);
  const frames = valueAt(settings, "recognition.frames");
  const sampler = valueAt(settings, "recognition.sampler");
  const model =
    entries.find(
      ({ wants }) =>
        wants.frames?.value === frames &&
        (sampler === undefined || sampler === wants.sampler?.value),
    ) ??
    entries[0] ??
    null;
  const cot = valueAt(settings, "reasoning.cot") === true ? (protocol.cot ?? {}) : {};
  return { protocol, asked, model, wants: { ...protocol.common, ...model?.wants, ...cot } };
}

function modelAsked(settings: unknown): string | null {
  const reasoner = valueAt(settings, "reasoning.model") ?? valueAt(settings, "model");
  return typeof reasoner === "string" ? reasoner : null;
}

/** The model that recognises, if it is not the one that reasons; the papers use one for both. */
export function otherRecogniser(settings: Settings): string | null {
  const [recogniser, reasoner] = [nameOf(settings, "recogniser"), nameOf(settings, "reasoner")];
  return recogniser === reasoner ? null : recogniser;
}

/**
 * The settings that follow the protocol for the model, nested as settings are; only those that the strategy reads. A
 * model that is not in the table and values that are not stated add no setting.
 */
export function protocolSettings(
  benchmark: Pick<Benchmark, "protocol">,
  given: unknown,
): Record<string, unknown> {
  const { wants, model, protocol } = findProtocol(benchmark, given);
  const strategy = String(valueAt(given, "strategy") ?? "");
  const settings: Record<string, unknown> = {};
  const take = (path: string, value: unknown) => {
    if (value !== null && readsSetting(strategy, path))
      setValueAt(settings, path.split("."), value);
  };
  take("reasoning.temperature", wants.temperature.value);
  // Both have no effect at temperature 0.
  if (wants.temperature.value !== 0) {
    take("generation.top_p", wants.top_p?.value ?? null);
    take("generation.top_k", wants.top_k?.value ?? null);
  }
  // A turn of an agent contains tool calls, which need more tokens than a letter.
  const { approach, shows } = strategies.find(strategy) ?? {};
  if (approach !== "search") take("reasoning.max_tokens", wants.max_tokens.value);
  // The papers send the whole video; frames for each clip are an addition of this project.
  if (ofMeasuredKind(protocol).some(({ name }) => name === strategy))
    take("recognition.input", "whole-video");
  for (const [path, value] of Object.entries(protocol.settings ?? {})) take(path, value);
  if (model === null) return settings;
  if (shows !== "one-frame") {
    take("recognition.sampler", wants.sampler.value);
    take("recognition.frames", wants.frames.value);
    take("recognition.fps", wants.fps.value);
    take("recognition.media", wants.media.value);
  }
  const media = valueAt(given, "recognition.media") ?? wants.media.value;
  if (media === "video") {
    take("recognition.video_fps", wants.fps.value);
    take("recognition.video_frames", wants.frames.value);
    if (typeof wants.pixel_cap.value === "number")
      take("recognition.video_max_pixels", wants.pixel_cap.value);
  }
  if (readsSetting(strategy, "recognition.max_side"))
    setValueAt(settings, ["recognition", "max_side"], null);
  if (typeof wants.pixel_cap.value === "number")
    take("recognition.max_area", wants.pixel_cap.value);
  if (wants.order.value !== null)
    take("recognition.message_order", wants.order.value.replace(" ", "-"));
  if (wants.labels.value === NUMBERED) take("recognition.frame_labels", "numbers");
  if (typeof wants.encoding.value === "number") take("recognition.quality", wants.encoding.value);
  return settings;
}

/** Names of the strategies that the paper measured; variants of them, such as repeated calls that vote, are not. */
export function measuredStrategies(protocol: Pick<PublishedProtocol, "measured">): string[] {
  return ofMeasuredKind(protocol)
    .filter(({ published }) => published === true)
    .map(({ name }) => name);
}

/** The strategies that show the model what the paper showed, in as many stages; their settings follow the protocol. */
function ofMeasuredKind({ measured }: Pick<PublishedProtocol, "measured">) {
  return strategies
    .all()
    .filter(({ approach, shows }) =>
      measured.some((one) => one.approach === approach && one.shows === shows),
    );
}
