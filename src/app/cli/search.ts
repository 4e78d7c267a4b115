import { type Command, Option } from "commander";
import { z } from "zod";
import { Failure } from "../../core/errors.ts";
import { EVIDENCE_KINDS } from "../../core/shapes.ts";
import { withExamples } from "./example.ts";
import { flagFailure } from "./frames.ts";
import { addIndexFlags, withIndex } from "./index.ts";
import { print, printJson, run } from "./output.ts";
import { renderEvidence } from "./render/evidence.ts";

const Flags = z.object({
  kinds: z.array(z.enum(EVIDENCE_KINDS)).optional(),
  from: z.coerce.number().min(0).optional(),
  to: z.coerce.number().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1000),
  json: z.boolean().optional(),
});

export function configureSearch(command: Command): void {
  command
    .argument("<video>", "a video file")
    .argument("<query>", "the words to search for")
    .addOption(
      new Option("--kinds <kinds...>", "only evidence of these kinds").choices(EVIDENCE_KINDS),
    )
    .option("--from <seconds>", "start of the time range")
    .option("--to <seconds>", "end of the time range")
    .option("--limit <number>", "maximum number of results", "20")
    .option("--json", "print one JSON value");
  addIndexFlags(command);
  command.action((file: string, query: string, options: unknown) =>
    run((signal) => {
      const read = Flags.safeParse(options);
      if (!read.success) throw flagFailure(read.error, options);
      if (query.trim() === "")
        throw new Failure(
          "wrong-usage",
          "Invalid query: the text is empty. Pass the words to search for.",
        );
      const { kinds, from, to, limit, json } = read.data;
      return withIndex(command, file, signal, async (set, store) => {
        const { searchEvidence } = await import("../../../tools/search/keyword-search.ts");
        const filters = { kinds, from_s: from, to_s: to, limit };
        const hits = await searchEvidence(set, query, filters, store);
        if (json) printJson(hits);
        else if (hits.length === 0) print(`No results for ${JSON.stringify(query)}.`);
        else print(renderEvidence(hits.map((hit) => hit.evidence)));
        return undefined;
      });
    }),
  );
  withExamples(
    command,
    'search lecture.mp4 "memory allocation"',
    'search lecture.mp4 "chain rule" --kinds text equation --from 600 --json',
  );
}
