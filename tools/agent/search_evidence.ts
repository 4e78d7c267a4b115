import { z } from "zod";
import { CHOSEN_KINDS, isSearched, kindsOf } from "../search/searched-kinds.ts";
import { defineTool } from "./define-tool.ts";
import { FROM_S_OR_START, TO_S_OR_END } from "./parameters.ts";

/** Items that one search returns at most. */
const MOST_FOUND = 12;

export const searchEvidence = defineTool({
  name: "search_evidence",
  description: new URL("./search_evidence.md", import.meta.url),
  parameters: z.object({
    query: z.string().min(1).max(2000).describe("words to look for"),
    kinds: z
      .array(z.enum(CHOSEN_KINDS))
      .nullish()
      .describe("only evidence of these kinds; not given: all of them"),
    from_s: FROM_S_OR_START,
    to_s: TO_S_OR_END,
  }),
  // Results are shown with their kinds, of which `speech` is not one to choose.
  repair: (given) => {
    if (!(given instanceof Object && "kinds" in given && Array.isArray(given.kinds))) return given;
    return {
      ...given,
      kinds: given.kinds.map((kind: unknown) => (kind === "speech" ? "subtitle" : kind)),
    };
  },
  needs: ["index"],
  cost: "nothing",
  varies: ({ evidence }) => evidence.filter(isSearched).length,
  async run({ query, kinds, from_s, to_s }, { search }) {
    const filters = {
      kinds: kinds == null ? undefined : kindsOf(kinds),
      from_s: from_s ?? undefined,
      to_s: to_s ?? undefined,
      limit: MOST_FOUND,
    };
    return { type: "items", items: await search(query, filters) };
  },
});
