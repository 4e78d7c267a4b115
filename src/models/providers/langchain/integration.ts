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
  /** Gives the fetch to a model whose constructor does not take it. */
  complete?(model: object, spec: ModelSpec): void;
  /** Whether requests go through `fetch`. If not, the address, headers and extra members cannot be set. */
  hasFetch: boolean;
  /** Whether it can be told to call a tool, by the option `tool_choice`. */
  hasToolChoice: boolean;
  /** Whether it sends pictures. Some classes turn them into text, or leave them out. */
  hasPictures: boolean;
  takes: readonly OptionalSetting[];
  /** A value that it does not take of a setting that it takes. */
  problem?(generation: Settings["generation"]): SettingProblem | null;
  /** A picture in the form of the integration; `data` is base64, or a mark instead of it. Default: a data URL. */
  picture?(data: string): ContentBlock;
  /** Makes a new id for each call of a tool: the protocol has none. */
  inventsCallIds?: true;
}

/** A member that is only there if it has a value. */
export function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}
