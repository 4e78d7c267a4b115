import { createRegistry } from "../core/registry.ts";
import type { Settings, VideoSampling } from "../core/settings.ts";
import type { Client } from "./attempt.ts";
import type { BatchApi } from "./batch/batch-api.ts";
import type { Medium } from "./chat.ts";
import type { MediaRules } from "./media-support.ts";
import type { RemoteFileApi } from "./remote-files.ts";
import type { Address, RequestLimits, Target } from "./server.ts";
import type { TranscriptionReply, TranscriptionRequest } from "./speech.ts";

export type { RequestLimits } from "./server.ts";

/**
 * Dollars per million tokens. `cached_input`: those that the provider had cached; default: as `input`. `minute`:
 * dollars per minute of sound, for models that transcribe.
 */
export interface Price {
  input: number;
  cached_input?: number | undefined;
  output: number;
  minute?: number | undefined;
  /** Price in a batch relative to a direct call; default: that of the provider's batches. */
  batch?: number | undefined;
}

/** The result of one request for embeddings: a vector for each text, in their order; `tokens` null if not counted. */
export interface EmbeddingsReply {
  vectors: number[][];
  tokens: number | null;
}

/** A setting that the provider does not support. */
export interface SettingProblem {
  /** Without the dashes. */
  flag: string;
  /** A sentence that says what to do instead. */
  why: string;
}

/** A service that serves models: its address and its key. */
export interface ModelService {
  server: {
    /** Address of the service itself, without a slash at the end. */
    home: string;
    /** Environment variable that names another address, if the provider's own clients read one. */
    variable?: string;
    /** Whether many servers speak this protocol, so that another address needs no key and may be any program. */
    isCompatible?: boolean;
    /** What an address usually looks like, as a clause: `it usually ends in /v1`. */
    hint?: string;
  };
  key: {
    /** Environment variables, the preferred one first. None: the service needs no key, or its client finds one itself. */
    variables: readonly string[];
    /** The header that the key is sent in, in lower case. */
    header: string;
  };
  /** npm package that the user has to install. */
  package?: string;
}

/** A provider is one service, or reaches several. */
type Services =
  | (ModelService & { services?: undefined })
  | {
      /**
       * By the first part of the model's name. With a provider `acme`, `acme:north:large-2` is the model `north:large-2`
       * of the service `north`; `north:large-2` means the same as long as no provider is named `north`.
       */
      services: Readonly<Record<string, ModelService>>;
    };

/**
 * Everything that the call path must know about a provider. Retry, limits, memo, budget, usage and cost belong to the
 * call path: a provider only turns one request into one reply.
 */
export type ProviderDefinition = Services & {
  /** The part of a model's name before the colon. */
  name: string;
  /** As people write it. */
  title: string;
  /** A model of the provider, for messages and help: `openai:gpt-4.1`. */
  example: string;
  /** The one name of a model that has several at the provider. Default: as it was given. */
  modelName?(model: string): string;
  /** Makes the client of one model; it keeps its connections. One request, one reply, no retry. */
  chat(target: Target): Promise<Client>;
  embeddings?: {
    /** The model to use if none is named. */
    model: string;
    /** Most texts of one request. */
    batch: number;
    /** Throws `AttemptError`, or the signal's reason. */
    embed(
      target: Target,
      texts: readonly string[],
      limits: RequestLimits,
    ): Promise<EmbeddingsReply>;
  };
  /** Transcribes sound. Throws `AttemptError`, or the signal's reason. */
  transcribe?(
    target: Target,
    request: TranscriptionRequest,
    limits: RequestLimits,
  ): Promise<TranscriptionReply>;
  /** Files that are uploaded before a request. */
  files?: RemoteFileApi;
  /** Batches of calls that can wait; absent: the provider has none. */
  batch?: BatchApi;
  /** List prices by model, without the provider's name. */
  prices: Readonly<Record<string, Price>>;
  /** The video and sound that the server at an address accepts. */
  media(address: Address): MediaRules;
  /** Input tokens of a medium of known length; null if they are not documented. */
  mediaTokens?(
    medium: { type: Medium["type"]; seconds: number },
    sampling: VideoSampling,
  ): number | null;
  /**
   * A setting of video sampling that the provider does not support, as a clause that says what to use; null: it
   * supports all.
   */
  samplingProblem?(sampling: VideoSampling): string | null;
  /** A setting of generation that the provider does not support; null: it supports all. */
  generationProblem(target: Target, generation: Settings["generation"]): SettingProblem | null;
};

/** The providers that this process knows. */
export const providers = createRegistry<ProviderDefinition>("a provider");

/** Every service of every provider, by the name that is before the colon. */
export function allServices(): (ModelService & { name: string })[] {
  return providers
    .all()
    .flatMap((one): (ModelService & { name: string })[] =>
      one.services === undefined
        ? [one]
        : Object.entries(one.services).map(([name, service]) => ({ ...service, name })),
    );
}

/**
 * Defines a provider of models.
 *
 * @example
 * export const acme = defineProvider({
 *   name: "acme",
 *   title: "Acme",
 *   example: "acme:large-2",
 *   server: { home: "https://api.acme.example/v1" },
 *   key: { variables: ["ACME_API_KEY"], header: "authorization" },
 *   chat: acmeClient,
 *   prices: { "large-2": { input: 1, output: 4 } },
 *   media: () => NO_MEDIA,
 *   generationProblem: () => null,
 * });
 */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  return definition;
}
