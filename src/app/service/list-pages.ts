import { z } from "zod";
import { hashOf } from "../../core/hash.ts";
import { jsonOrUndefined } from "../../core/json-or-undefined.ts";
import { type ListPage, ORDERS, type PageRequest } from "../../core/service-lists.ts";
import { httpProblem } from "./problems.ts";

/* Lists of the API: `?limit=&cursor=&sort=&order=` and filters, answered with `{ items, next, total }`. */

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** The query parameters of a list in one fixed order: the page, and the `filters` of the list. Others are refused. */
export function pageQuery<F extends z.ZodRawShape>(filters: F) {
  return z.strictObject({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_LIMIT)
      .default(DEFAULT_LIMIT)
      .meta({ description: "Maximum number of items" }),
    cursor: z
      .string()
      .max(3000)
      .optional()
      .meta({ description: "`next` of the page before, with the same sort, order and filters" }),
    ...filters,
  });
}

/** The query parameters of a list: the page, and the `filters` of the list. Others are refused. */
export function listQuery<const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(
  sorts: S,
  filters: F,
) {
  return pageQuery({
    sort: z.enum(sorts).default(sorts[0] as never),
    order: z
      .enum(ORDERS)
      .optional()
      .meta({ description: "The default is `asc` for names, and `desc` for everything else" }),
    ...filters,
  });
}

/** The response of a list. `next`: the cursor of the next page, null at the end. `total`: items that match, on all pages. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: z.string().nullable(), total: z.int() });
}

interface ListQuery {
  limit: number;
  cursor?: string | undefined;
  sort: string;
  order?: PageRequest["order"] | undefined;
}

const Position = z.strictObject({ value: z.union([z.string(), z.number()]), id: z.string() });

/** The page that a query asks for. Throws a 422 problem for a cursor of another list, sort or filter. */
export function readPage({ cursor, ...query }: ListQuery): PageRequest {
  const { limit } = query;
  const order = orderOf(query);
  if (cursor === undefined) return { limit, order, after: null };
  return { limit, order, after: readCursor(cursor, listOptions(query), Position) };
}

/** The position in a cursor. Throws a 422 problem for a cursor of another list, sort or filter. */
export function readCursor<P>(cursor: string, options: object, shape: z.ZodType<P>): P {
  const read = z
    .strictObject({ at: shape, of: z.string() })
    .safeParse(jsonOrUndefined(Buffer.from(cursor, "base64url").toString()));
  if (read.success && read.data.of === listId(options)) return read.data.at;
  throw httpProblem(
    422,
    "wrong-request",
    "Invalid query string: `cursor` must be the `next` of a page with the same sort, order and filters.",
  );
}

/** The cursor of a position in a list with these filters. */
export function writeCursor(at: unknown, options: object): string {
  return Buffer.from(JSON.stringify({ at, of: listId(options) })).toString("base64url");
}

/** The response of one page. */
export function toList<Row, Item>(
  { cursor: _cursor, ...query }: ListQuery,
  { rows, total, last }: Pick<ListPage<unknown>, "total" | "last"> & { rows: Row[] },
  view: (row: Row) => Item,
): { items: Item[]; next: string | null; total: number } {
  const next = last === null ? null : writeCursor(last, listOptions(query));
  return { items: rows.map(view), next, total };
}

/** Sort, order and filters of a list; `limit` may change from page to page. */
function listOptions({ limit: _limit, ...query }: Omit<ListQuery, "cursor">): object {
  return { ...query, order: orderOf(query) };
}

function listId(options: object): string {
  return hashOf(options).slice(0, 12);
}

function orderOf({ sort, order }: Pick<ListQuery, "sort" | "order">): PageRequest["order"] {
  return order ?? (sort === "name" ? "asc" : "desc");
}
