import { type Command, Option } from "commander";
import { Failure } from "../../core/errors.ts";
import { LIBRARY_KINDS } from "../../core/library/library-index.ts";
import { clock } from "../../core/time.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";
import { wholeNumber } from "./setting-flags.ts";

const MAX_LIMIT = 200;

interface Flags {
  dataDir: string;
  key?: string;
  kinds?: (typeof LIBRARY_KINDS)[number][];
  limit: string;
  json?: boolean;
}

/** Adds `library search`. */
export function configureLibrary(library: Command): void {
  withExamples(library, 'library search "chain rule" --data-dir .video-rrd');
  const search = library
    .command("search")
    .description(
      "search the names, tags, transcripts, text on screen and captions of all videos; also while the service runs",
    )
    .argument("<words>", "words that must all occur; phrases in quotes")
    .option("--data-dir <folder>", "data folder of the service", ".video-rrd")
    .option("--key <name>", "only the videos of this key")
    .addOption(new Option("--kinds <kinds...>", "only texts of these kinds").choices(LIBRARY_KINDS))
    .option("--limit <number>", `maximum number of results, up to ${MAX_LIMIT}`, "20")
    .option("--json", "print one JSON value")
    .action((words: string, flags: Flags) => run(() => searchFolder(words, flags)));
  withExamples(
    search,
    'library search "chain rule" --data-dir .video-rrd',
    "library search '\"heat pump\" effic' --kinds subtitle speech --json",
  );
}

async function searchFolder(words: string, flags: Flags): Promise<number> {
  const { searchLibrary } = await import("../../core/library/search-library.ts");
  const { catchUp } = await import("../service/library-indexer.ts");
  const limit = wholeNumber("--limit", flags.limit);
  if (limit < 1 || limit > MAX_LIMIT)
    throw new Failure(
      "wrong-usage",
      `Invalid --limit ${limit}: use a whole number from 1 to ${MAX_LIMIT}.`,
    );
  const store = await openDataFolder(flags.dataDir);
  try {
    if ((await store.library.countStale()) > 0) say("Indexing videos that have changed...");
    await catchUp(store, Number.POSITIVE_INFINITY);
    const filter = { owner: flags.key, kinds: flags.kinds, limit, after: null };
    const { hits, total } = await searchLibrary(store.library, words, filter);
    if (flags.json)
      printJson({ items: hits.map(({ upload, ...hit }) => ({ video: upload, ...hit })), total });
    else if (total === 0) print(`No results for ${JSON.stringify(words)}.`);
    else {
      const rows = hits.map((hit) => [
        printable(hit.name),
        clock(hit.start_s),
        hit.kind,
        printable(hit.text).replaceAll(/\s+/g, " "),
      ]);
      print(table([["video", "at", "kind", "text"], ...rows]));
      if (total > hits.length) print(`${hits.length} of ${total} results. Use --limit for more.`);
    }
    return EXIT.ok;
  } finally {
    await store.close();
  }
}
