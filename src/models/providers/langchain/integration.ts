import type { ContentBlock } from "@langchain/core/messages";
import type { Settings } from "../../../core/settings.ts";
import type { ChatRequest } from "../../chat.ts";
import type { ModelService, SettingProblem } from "../../define-provider.ts";
import type { Fetch } from "../../model-fetch.ts";

/** One request to one model. */
export interface ModelSpec {
  key: string;
  baseUrl: string;
  request: Pick<
    ChatRequest,
    "maxTokens" | "seed" | "topP" | "topK" | "reasoningEffort" | "thinkingBudget"
  >;
  /** Sends media, headers and extra members, and reports failures. */
  fetch: Fetch;
}

/** Settings of generation that not every integration supports. `extra_body` goes through the fetch. */
export type OptionalSetting = Exclude<keyof Settings["generation"], "extra_body">;

export interface Integration extends ModelService {
  package: string;
  className: string;
  /** Fields of the constructor, in addition to those that all classes have: `model`, `temperature`, `maxRetries`. */
  fields(spec: ModelSpec): Record<string, unknown>;
  /** Sets the fetch of a model whose constructor does not accept one. */
  complete?(model: object, spec: ModelSpec): void;
  /** Whether requests go through `fetch`. If not, the address, headers and extra members cannot be set. */
  hasFetch: boolean;
  /** Whether it supports the option `tool_choice`. */
  hasToolChoice: boolean;
  /** Whether it sends pictures. Some classes turn them into text or drop them. */
  hasPictures: boolean;
  takes: readonly OptionalSetting[];
  /** The problem of a value that it does not support, of a setting that it supports; null if there is none. */
  problem?(generation: Settings["generation"]): SettingProblem | null;
  /** A picture in the form of the integration; `data` is base64 or a mark for it. Default: a data URL. */
  picture?(data: string): ContentBlock;
  /** Makes a new id for each call of a tool: the protocol has none. */
  inventsCallIds?: true;
}

/** An object with this member, or without it if the value is undefined. */
export function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}
