import { given, type Integration, type ModelSpec } from "./integration.ts";

/*
 * Integrations whose classes take a fetch, so that address, headers, media, limits of replies and failures are handled as
 * for every other provider.
 */

/** Longer than any call may take, so that the caller's signal ends a call and not a timeout of the client. */
const NEVER_MS = 2 ** 31 - 1;

const TAKES_ALL = { hasFetch: true, hasPictures: true, hasToolChoice: true } as const;

export const anthropic: Integration = {
  package: "@langchain/anthropic",
  className: "ChatAnthropic",
  server: { home: "https://api.anthropic.com", variable: "ANTHROPIC_BASE_URL" },
  key: { variables: ["ANTHROPIC_API_KEY"], header: "x-api-key" },
  ...TAKES_ALL,
  takes: ["top_p", "top_k", "reasoning_effort", "thinking_budget"],
  fields: ({ key, baseUrl, fetch, request }) => ({
    apiKey: key,
    anthropicApiUrl: baseUrl,
    // A token from the environment must not be sent to another address.
    clientOptions: { fetch, timeout: NEVER_MS, authToken: null },
    maxTokens: request.maxTokens,
    ...given("topP", request.topP),
    ...given("topK", request.topK),
    ...given("thinking", anthropicThinking(request.thinkingBudget)),
    ...(request.reasoningEffort === undefined
      ? {}
      : { outputConfig: { effort: request.reasoningEffort } }),
  }),
  problem: ({ reasoning_effort }) =>
    reasoning_effort === "none" || reasoning_effort === "minimal"
      ? { flag: "reasoning-effort", why: "use low, medium, high or xhigh." }
      : null,
  picture: (data) => ({
    type: "image",
    source: { type: "base64", media_type: "image/jpeg", data },
  }),
};

function anthropicThinking(budget: number | undefined): object | undefined {
  if (budget === undefined) return undefined;
  if (budget < 0) return { type: "adaptive" };
  return budget === 0 ? { type: "disabled" } : { type: "enabled", budget_tokens: budget };
}

export const ollama: Integration = {
  package: "@langchain/ollama",
  className: "ChatOllama",
  server: {
    home: "http://127.0.0.1:11434",
    variable: "OLLAMA_BASE_URL",
    hint: "it is the address without /v1",
  },
  key: { variables: [], header: "authorization" },
  ...TAKES_ALL,
  hasToolChoice: false,
  takes: ["top_p", "top_k", "reasoning_effort", "thinking_budget"],
  fields: ({ baseUrl, fetch, request }) => ({
    baseUrl,
    fetch,
    numPredict: request.maxTokens,
    ...given("seed", request.seed),
    ...given("topP", request.topP),
    ...given("topK", request.topK),
    ...given("think", ollamaThinking(request)),
  }),
  problem({ reasoning_effort, thinking_budget }) {
    if (reasoning_effort === "minimal" || reasoning_effort === "xhigh")
      return { flag: "reasoning-effort", why: "use none, low, medium or high." };
    if (thinking_budget === null || thinking_budget <= 0) return null;
    return { flag: "thinking-budget", why: "Ollama takes no number of tokens; use 0 or -1." };
  },
  inventsCallIds: true,
};

/** Off, on or an effort; Ollama does not accept a number of tokens. */
function ollamaThinking({
  reasoningEffort,
  thinkingBudget,
}: ModelSpec["request"]): boolean | string | undefined {
  if (reasoningEffort !== undefined) return reasoningEffort === "none" ? false : reasoningEffort;
  return thinkingBudget === undefined ? undefined : thinkingBudget !== 0;
}

export const mistralai: Integration = {
  package: "@langchain/mistralai",
  className: "ChatMistralAI",
  server: { home: "https://api.mistral.ai" },
  key: { variables: ["MISTRAL_API_KEY"], header: "authorization" },
  ...TAKES_ALL,
  takes: ["top_p"],
  fields: ({ key, baseUrl, fetch, request }) => ({
    apiKey: key,
    serverURL: baseUrl,
    httpClient: { request: fetch },
    maxTokens: request.maxTokens,
    ...given("seed", request.seed),
    ...given("topP", request.topP),
  }),
};

export const groq: Integration = {
  package: "@langchain/groq",
  className: "ChatGroq",
  server: { home: "https://api.groq.com" },
  key: { variables: ["GROQ_API_KEY"], header: "authorization" },
  ...TAKES_ALL,
  takes: ["top_p", "reasoning_effort"],
  fields: ({ key, baseUrl, fetch, request }) => ({
    apiKey: key,
    baseUrl,
    fetch,
    timeout: NEVER_MS,
    maxTokens: request.maxTokens,
    ...given("topP", request.topP),
    ...given("reasoningEffort", request.reasoningEffort),
  }),
};

/** Classes that extend the one for OpenAI and pass its `configuration` on. */
export function openaiLike(
  at: Pick<Integration, "package" | "className">,
  home: string,
  variable: string,
): Integration {
  return {
    ...at,
    server: { home },
    key: { variables: [variable], header: "authorization" },
    ...TAKES_ALL,
    takes: ["top_p"],
    fields: ({ key, baseUrl, fetch, request }) => ({
      apiKey: key,
      configuration: { baseURL: baseUrl, fetch },
      timeout: NEVER_MS,
      maxTokens: request.maxTokens,
      ...given("topP", request.topP),
    }),
  };
}

export const xai: Integration = {
  ...openaiLike(
    { package: "@langchain/xai", className: "ChatXAI" },
    "https://api.x.ai/v1",
    "XAI_API_KEY",
  ),
  complete(model, { baseUrl, fetch }) {
    const { clientConfig } = model as { clientConfig?: object };
    Object.assign(clientConfig ?? {}, { baseURL: baseUrl, fetch });
  },
};
