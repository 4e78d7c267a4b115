import type { Settings } from "../../../core/settings.ts";
import { defineProvider, type SettingProblem } from "../../define-provider.ts";
import { flaggedMember } from "../../extra-body.ts";
import type { MediaRules } from "../../media-support.ts";
import { serviceName } from "../../name.ts";
import type { Target } from "../../target.ts";
import { INTEGRATIONS } from "./integrations.ts";

const PICTURES_ONLY: MediaRules = {
  video: false,
  request: null,
  largest: { video: 0, audio: 0 },
  uploads: false,
  types: null,
};

/** Any other chat model of LangChain, whose integration package the user installs. */
export const langchain = defineProvider({
  name: "langchain",
  title: "LangChain",
  example: "langchain:anthropic:claude-sonnet-4-5",
  services: INTEGRATIONS,
  chat: async (target) => (await import("./client.ts")).langchainClient(target),
  prices: {},
  media: () => PICTURES_ONLY,
  generationProblem,
});

const BODY_SETTINGS = ["top_p", "top_k", "reasoning_effort"] as const;

function generationProblem(
  target: Target,
  generation: Settings["generation"],
): SettingProblem | null {
  const integration = INTEGRATIONS[serviceName(target)];
  if (integration === undefined) return null;
  const { package: name, hasFetch, takes, server, problem } = integration;
  if (!hasFetch) {
    const why = `${name} does not take it; leave it out.`;
    if (target.baseUrl !== server.home) return { flag: "base-url", why };
    if (Object.keys(target.headers).length > 0) return { flag: "header", why };
    if (generation.extra_body !== null) return { flag: "extra-body", why };
  }
  const { extra_body, ...settings } = generation;
  for (const [setting, value] of Object.entries(settings)) {
    const flag = setting.replaceAll("_", "-");
    if (value === null) continue;
    if (!takes.some((taken) => taken === setting))
      return {
        flag,
        why: `${name} does not take it; ${hasFetch ? "leave it out, or give it in --extra-body under its name in the API." : "leave it out."}`,
      };
    if (extra_body !== null && setting in extra_body)
      return {
        flag: "extra-body",
        why: `it sets what \`--${flag}\` sets; leave one of them out.`,
      };
  }
  if (generation.reasoning_effort !== null && generation.thinking_budget !== null)
    return { flag: "thinking-budget", why: "use either it or --reasoning-effort." };
  const flagged = BODY_SETTINGS.filter((setting) => takes.includes(setting));
  return problem?.(generation) ?? flaggedMember(extra_body, flagged);
}
