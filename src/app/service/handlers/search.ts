import { z } from "zod";
import {
  LIBRARY_KINDS,
  type LibraryKind,
  type LibraryPosition,
  type TextPosition,
} from "../../../core/library/library-index.ts";
import { parseLibraryQuery } from "../../../core/library/library-query.ts";
import { searchLibrary } from "../../../core/library/search-library.ts";
import { matchesIn } from "../../../core/library/snippet.ts";
import { catchUp } from "../library-indexer.ts";
import { readCursor, writeCursor } from "../list-pages.ts";
import { httpProblem } from "../problems.ts";
import { KIND_GROUPS } from "../routes/search.ts";
import * as routes from "../routes.ts";
import { type App, readableVideo, type ServiceContext } from "../service-context.ts";

/** How long a search waits for changes that are not indexed yet. */
const CATCH_UP_MS = 50;

const Position = z.strictObject({
  score: z.number(),
  created_at: z.number(),
  start_s: z.number(),
  id: z.int(),
}) satisfies z.ZodType<LibraryPosition>;

const Place = z.strictObject({
  start_s: z.number(),
  id: z.int(),
}) satisfies z.ZodType<TextPosition>;

export function addSearch(app: App, context: ServiceContext): void {
  const { store } = context;
  app.openapi(routes.search, async (c) => {
    const { owner } = c.get("caller");
    const { cursor, limit, ...asked } = c.req.valid("query");
    const { q, kinds, video } = asked;
    const after = cursor === undefined ? null : readCursor(cursor, asked, Position);
    await catchUp(store, CATCH_UP_MS, owner);
    const filter = { owner, upload: video, kinds: readKinds(kinds), limit, after };
    const { hits, total, last } = await searchLibrary(store.library, q, filter);
    const pending = await store.library.countStale(owner);
    const items = hits.map(({ upload, ...hit }) => ({ video: upload, ...hit }));
    const next = last === null ? null : writeCursor(last, asked);
    return c.json({ items, next, total, pending }, 200);
  });

  app.openapi(routes.videoTexts, async (c) => {
    const { id: upload, owner } = await readableVideo(
      context,
      c.get("caller"),
      c.req.valid("param").id,
    );
    const { cursor, limit, ...asked } = c.req.valid("query");
    const { q, from_s, to_s } = asked;
    const after = cursor === undefined ? null : readCursor(cursor, asked, Place);
    await catchUp(store, CATCH_UP_MS, owner);
    const page = await store.library.texts({ upload, from_s, to_s, limit, after });
    const terms = parseLibraryQuery(q ?? "");
    const items = page.texts.map((item) => ({ ...item, match: matchesIn(item.text, terms) }));
    const next = page.last === null ? null : writeCursor(page.last, asked);
    return c.json({ items, next, total: page.total }, 200);
  });
}

function readKinds(given: string | undefined): LibraryKind[] | undefined {
  return given?.split(",").flatMap((name) => {
    const group = KIND_GROUPS[name as keyof typeof KIND_GROUPS];
    if (group !== undefined) return [...group];
    const kind = LIBRARY_KINDS.find((one) => one === name);
    if (kind !== undefined) return [kind];
    const names = [...new Set([...LIBRARY_KINDS, ...Object.keys(KIND_GROUPS)])].join(", ");
    throw httpProblem(
      422,
      "wrong-request",
      `Invalid query string: "kinds" must be one or more of ${names}, separated by commas.`,
    );
  });
}
