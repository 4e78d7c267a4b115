import { z } from "zod";
import { expectedTokens, ownSettings, settingMeta } from "../../src/core/settings.ts";
import { tools } from "../../tools/agent/define-tool.ts";

/** Names allowed in `search.tools`, in the order in which the tools are offered to a model. */
export function toolNames(): string[] {
  return tools
    .all()
    .filter(({ look }) => look !== "video")
    .map(({ name }) => name);
}

/** The tools that a value of `search.tools` selects; null for an unknown name, or if only some of them have a minus. */
export function selectedTools(given: string): string[] | null {
  const all = toolNames();
  if (given.trim() === "all") return all;
  const words = given.split(",").map((word) => word.trim());
  const without = words.filter((word) => word.startsWith("-"));
  const names = words.map((word) => word.replace(/^-/, ""));
  const known = names.every((name) => all.includes(name));
  if (!known || (without.length > 0 && without.length < words.length)) return null;
  return all.filter((name) => names.includes(name) === (without.length === 0));
}

/** The tools that `search.tools` names. */
export function toolsNamed({ tools: given }: SearchSettings): ReadonlySet<string> {
  return new Set(selectedTools(given) ?? toolNames());
}

function expectedNames(): string {
  const all = toolNames();
  return `all, names to leave out (${leftOut(all)}) or names to keep (${all.slice(0, 2).join(",")}), of ${all.join(", ")}`;
}

/** `-calculate,-solve` */
function leftOut(all: readonly string[]): string {
  return all
    .slice(-2)
    .map((name) => `-${name}`)
    .join(",");
}

/** The settings of a search. Created after the tools are registered, because a description lists them. */
const makeGroup = (all: readonly string[]) =>
  z.strictObject({
    tools: z
      .string()
      .refine((given) => selectedTools(given) !== null, { error: expectedNames })
      .default("all")
      .describe(
        `tools of the agent (${all.join(", ")}): all, all but those with a minus (${leftOut(all)}), or only those named`,
      )
      .meta(settingMeta({ flag: "tools", names: "tool", caller: true, added: false })),
    steps: z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe("turns of the search before the answer is requested")
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
      .describe("check the answer against its citations in a separate call")
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
        "start from what earlier questions on the same video saw; not given: on, but off in a benchmark",
      )
      .meta(
        settingMeta({
          flag: "recall",
          caller: true,
          added: false,
          byWording: ({ recalls }) => recalls,
        }),
      ),
  });

export type SearchSettings = z.infer<ReturnType<typeof makeGroup>>;

const makeLoop = ({ shape: { tools, steps, cells, embeddings } }: ReturnType<typeof makeGroup>) =>
  z.strictObject({ tools, steps, cells, embeddings });

/** The list of all settings is made again if one of these is another object. */
let made:
  | { of: string; group: ReturnType<typeof makeGroup>; loop: ReturnType<typeof makeLoop> }
  | undefined;

function groups() {
  const names = toolNames();
  const of = names.join();
  if (made?.of !== of) {
    const group = makeGroup(names);
    made = { of, group, loop: makeLoop(group) };
  }
  return made;
}

/** The schema of the group `search`. */
export function searchGroup(): ReturnType<typeof makeGroup> {
  return groups().group;
}

/** The settings that a loop without verification and without memory of earlier questions reads. */
export function loopSettings(): ReturnType<typeof makeLoop> {
  return groups().loop;
}

/** The settings of a search; only strategies that search have them. */
export function searchSettings(settings: object): SearchSettings {
  return ownSettings("search", searchGroup())(settings);
}
