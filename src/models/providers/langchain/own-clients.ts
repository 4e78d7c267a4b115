import { given, type Integration, type OptionalSetting } from "./integration.ts";

/*
 * Integrations whose classes send requests by themselves: to their own address and without limits on the size of a reply.
 */

/** Integrations with their own client, and the keys that they read from the environment. */
export function ownClient(
  at: Pick<Integration, "package" | "className" | "server"> & { variables?: readonly string[] },
  fields: Integration["fields"],
  takes: readonly OptionalSetting[] = [],
): Integration {
  const { variables = [], ...rest } = at;
  return {
    ...rest,
    key: { variables, header: "authorization" },
    hasFetch: false,
    hasToolChoice: true,
    hasPictures: true,
    takes,
    fields,
  };
}

/** Google's classes and their name for the limit of tokens. */
export const googleFields: Integration["fields"] = ({ request }) => ({
  maxOutputTokens: request.maxTokens,
  ...given("topP", request.topP),
  ...given("topK", request.topK),
});

export function vertex(name: string): Integration {
  return ownClient(
    {
      package: name,
      className: "ChatVertexAI",
      server: { home: "https://aiplatform.googleapis.com" },
    },
    googleFields,
    ["top_p", "top_k"],
  );
}

/** Credentials and region come from the environment or the profile, as for every client of AWS. */
export const bedrock = ownClient(
  {
    package: "@langchain/aws",
    className: "ChatBedrockConverse",
    server: { home: "https://bedrock-runtime.amazonaws.com" },
  },
  ({ request }) => ({
    maxTokens: request.maxTokens,
    clientOptions: { maxAttempts: 1 },
    ...given("topP", request.topP),
  }),
  ["top_p"],
);

export const tokensAndTopP: Integration["fields"] = ({ request }) => ({
  maxTokens: request.maxTokens,
  ...given("topP", request.topP),
});
