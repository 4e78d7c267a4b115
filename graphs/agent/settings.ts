import { z } from "zod";
import { expectedTokens, ownSettings, settingMeta } from "../../src/core/settings.ts";

/** What an agent may do to a video besides answering, by the names that the model calls. */
export const SEARCH_TOOLS = [
  "overview",
  "search_evidence",
  "view_frames",
  "zoom",
  "read_text",
  "subtitles",
  "compare_frames",
  "calculate",
  "solve",
] as const;
export type SearchTool = (typeof SEARCH_TOOLS)[number];

const TOOLS = `all, names to leave out (-zoom,-read_text) or names to keep (overview,view_frames), of ${SEARCH_TOOLS.join(", ")}`;

/** Which tools are left; null for words that name none of them, or that name some both ways. */
function readTools(given: string): SearchTool[] | null {
  if (given.trim() === "all") return [...SEARCH_TOOLS];
  const named = given.split(",").map((word) => word.trim());
  const without = named.filter((word) => word.startsWith("-"));
  const names = named.map((word) => word.replace(/^-/, ""));
  const known = names.every((name) => (SEARCH_TOOLS as readonly string[]).includes(name));
  if (!known || (without.length > 0 && without.length < named.length)) return null;
  return SEARCH_TOOLS.filter((tool) => names.includes(tool) === (without.length === 0));
}

/** `search.tools` as the tools that an agent is offered, in their order; `answer` is never switched off. */
export function searchToolsOf({ tools }: z.infer<typeof Search>): SearchTool[] {
  return readTools(tools) ?? [...SEARCH_TOOLS];
}

/** How an agent searches for the frames that matter. */
export const Search = z.strictObject({
  tools: z
    .string()
    .refine((given) => readTools(given) !== null, { error: TOOLS })
    .default("all")
    .describe(
      "tools of the agent: all, all but those with a minus before them (-zoom,-read_text), or only those named",
    )
    .meta(settingMeta({ flag: "tools", caller: true, added: false })),
  steps: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe("turns of the search, after which an answer is asked for")
    .meta(settingMeta({ flag: "steps", caller: true, added: false })),
  cells: z
    .int()
    .min(1)
    .max(288)
    .default(24)
    .describe("frames on the sheets of the overview, each of which counts as a frame")
    .meta(settingMeta({ flag: "overview-frames", caller: true, added: false })),
  verify: z
    .boolean()
    .default(true)
    .describe("have the answer checked against its citations in a fresh context")
    .meta(settingMeta({ flag: "verify", caller: true, added: false })),
  verifier: z
    .string()
    .nullable()
    .default(null)
    .describe("model that checks the answer; default: --model")
    .meta(settingMeta({ flag: "verifier", caller: true, added: false, role: "verifier" })),
  verifier_output: expectedTokens(
    "verifier-output",
    "tokens that a budget reserves for a reply of the verifier; not given: --expected-output",
    "verifier",
    false,
  ),
  embeddings: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "provider:model whose embeddings search in addition to the words, or off; not given: the provider's own at its own address, off at a `--base-url`",
    )
    .meta(settingMeta({ flag: "embeddings", caller: true, added: false, role: "embedder" })),
  recall: z
    .boolean()
    .nullable()
    .default(null)
    .describe(
      "begin with what earlier questions on the same video saw; not given: as a person asks, and not in a benchmark",
    )
    .meta(settingMeta({ flag: "recall", caller: true, added: false })),
});

/** The settings of the search, which only this strategy has. */
export const searchSettings = ownSettings("search", Search);
