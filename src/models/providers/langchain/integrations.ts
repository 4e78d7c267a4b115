import { given, type Integration } from "./integration.ts";
import { bedrock, googleFields, ownClient, tokensAndTopP, vertex } from "./own-clients.ts";
import { anthropic, groq, mistralai, ollama, openaiLike, xai } from "./with-fetch.ts";

/**
 * The chat models that `initChatModel` of LangChain knows, by its names: package, class, and how each class names
 * common options. The classes are created here and not by `initChatModel`, which finds packages only next to LangChain and
 * has no common option for a base URL, a limit of tokens or a fetch.
 */
export const INTEGRATIONS: Readonly<Record<string, Integration>> = {
  anthropic,
  ollama,
  mistralai,
  mistral: mistralai,
  groq,
  bedrock,
  aws: bedrock,
  deepseek: openaiLike(
    { package: "@langchain/deepseek", className: "ChatDeepSeek" },
    "https://api.deepseek.com",
    "DEEPSEEK_API_KEY",
  ),
  xai,
  fireworks: openaiLike(
    { package: "@langchain/fireworks", className: "ChatFireworks" },
    "https://api.fireworks.ai/inference/v1",
    "FIREWORKS_API_KEY",
  ),
  openai: openaiLike(
    { package: "@langchain/openai", className: "ChatOpenAI" },
    "https://api.openai.com/v1",
    "OPENAI_API_KEY",
  ),
  azure_openai: ownClient(
    {
      package: "@langchain/openai",
      className: "AzureChatOpenAI",
      server: { home: "https://openai.azure.com" },
      variables: ["AZURE_OPENAI_API_KEY"],
    },
    tokensAndTopP,
    ["top_p"],
  ),
  langsmith: openaiLike(
    { package: "@langchain/openai", className: "ChatOpenAI" },
    "https://gateway.smith.langchain.com/v1",
    "LANGSMITH_API_KEY",
  ),
  cohere: {
    ...ownClient(
      {
        package: "@langchain/cohere",
        className: "ChatCohere",
        server: { home: "https://api.cohere.com" },
        variables: ["COHERE_API_KEY"],
      },
      () => ({}),
    ),
    hasToolChoice: false,
    hasPictures: false,
  },
  google: ownClient(
    {
      package: "@langchain/google",
      className: "ChatGoogle",
      server: { home: "https://generativelanguage.googleapis.com" },
      variables: ["GOOGLE_API_KEY"],
    },
    googleFields,
    ["top_p", "top_k"],
  ),
  "google-genai": ownClient(
    {
      package: "@langchain/google-genai",
      className: "ChatGoogleGenerativeAI",
      server: { home: "https://generativelanguage.googleapis.com" },
      variables: ["GOOGLE_API_KEY"],
    },
    googleFields,
    ["top_p", "top_k"],
  ),
  "google-vertexai": vertex("@langchain/google-vertexai"),
  "google-vertexai-web": vertex("@langchain/google-vertexai-web"),
  cerebras: {
    ...ownClient(
      {
        package: "@langchain/cerebras",
        className: "ChatCerebras",
        server: { home: "https://api.cerebras.ai" },
        variables: ["CEREBRAS_API_KEY"],
      },
      ({ request }) => ({
        maxCompletionTokens: request.maxTokens,
        ...given("topP", request.topP),
        ...given("seed", request.seed),
      }),
      ["top_p"],
    ),
    hasPictures: false,
  },
  together: openaiLike(
    { package: "@langchain/together-ai", className: "ChatTogetherAI" },
    "https://api.together.xyz/v1",
    "TOGETHER_AI_API_KEY",
  ),
  perplexity: {
    ...ownClient(
      {
        package: "@langchain/perplexity",
        className: "ChatPerplexity",
        server: { home: "https://api.perplexity.ai" },
        variables: ["PERPLEXITY_API_KEY"],
      },
      tokensAndTopP,
      ["top_p"],
    ),
    hasPictures: false,
  },
};
