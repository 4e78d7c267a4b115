import type {
  ListPage,
  PageRequest,
  QuestionFilter,
  ServiceLists,
  UPLOAD_SORTS,
  UploadFilter,
} from "../../core/service-lists.ts";
import { foldText } from "../rows/fold-text.ts";
import { positionOf } from "../rows/list-position.ts";
import { questionRow, uploadRow } from "../rows/service-rows.ts";
import { type Conditions, createConditions } from "./conditions.ts";
import type { Database } from "./database.ts";
import type { Row } from "./value.ts";

/** Expressions that a list of videos is sorted by. */
const UPLOAD_KEYS: Record<(typeof UPLOAD_SORTS)[number], string> = {
  created: "created_at",
  name: "name_key",
  duration: "duration_s",
  questions: "(SELECT count(*) FROM asked WHERE asked.upload = uploads.id)",
};

export function createServiceLists(db: Database): ServiceLists {
  async function page(
    doing: string,
    table: string,
    where: Conditions,
    key: string,
    { order, limit, after }: PageRequest,
  ): Promise<ListPage<Row>> {
    const counted = `SELECT count(*) AS n FROM ${table} WHERE ${where.sql()}`;
    const total = Number((await db.row(doing, counted, where.values))?.n);
    if (after !== null)
      where.add(
        (value, id) => `(${key}, id) ${order === "asc" ? ">" : "<"} (${value}, ${id})`,
        after.value,
        after.id,
      );
    const rows = await db.rows(
      doing,
      `SELECT *, ${key} AS sort_value FROM ${table} WHERE ${where.sql()}
       ORDER BY ${key} ${order}, id ${order} LIMIT ${limit + 1}`,
      where.values,
    );
    const shown = rows.slice(0, limit);
    return { rows: shown, total, last: rows.length > limit ? positionOf(shown.at(-1)) : null };
  }

  async function about(id: string) {
    const doing = "looking up an upload";
    const counted = await db.row(doing, "SELECT count(*) AS n FROM asked WHERE upload = $1", [id]);
    const tagged = "SELECT tag FROM upload_tags WHERE upload = $1 ORDER BY tag";
    const tags = (await db.rows(doing, tagged, [id])).map(({ tag }) => String(tag));
    return { questions: Number(counted?.n), tags };
  }

  return {
    async listUploads(filter, sort, request) {
      const where = whereUploads(filter);
      const found = await page("listing videos", "uploads", where, UPLOAD_KEYS[sort], request);
      const listed = found.rows.flatMap(uploadRow);
      const rows = await Promise.all(
        listed.map(async (row) => ({ row, ...(await about(row.id)) })),
      );
      return { ...found, rows };
    },
    aboutUpload: about,
    async listQuestions(filter, request) {
      const where = whereQuestions(filter);
      const found = await page("listing questions", "asked", where, "created_at", request);
      return { ...found, rows: found.rows.map(questionRow) };
    },
    async tagsOf(owner) {
      const rows = await db.rows(
        "listing tags",
        `SELECT tag, count(*) AS videos FROM upload_tags JOIN uploads ON uploads.id = upload_tags.upload
         WHERE uploads.owner = $1 AND uploads.hash IS NOT NULL GROUP BY tag ORDER BY tag`,
        [owner],
      );
      return rows.map(({ tag, videos }) => ({ tag: String(tag), videos: Number(videos) }));
    },
    async editUpload(id, { name, tags }) {
      return db.transaction("editing a video", async (send) => {
        const { count } = await send(
          "UPDATE uploads SET name = coalesce($2, name), name_key = coalesce($3, name_key) WHERE id = $1",
          [id, name ?? null, name === undefined ? null : foldText(name)],
        );
        if (count === 0 || tags === undefined) return count > 0;
        await send("DELETE FROM upload_tags WHERE upload = $1", [id]);
        await send(
          "INSERT INTO upload_tags (upload, tag) SELECT DISTINCT $1, tag FROM unnest($2::text[]) AS tag",
          [id, [...tags]],
        );
        return true;
      });
    },
  };
}

function whereUploads({ owner, q, tag }: UploadFilter): Conditions {
  const where = createConditions();
  where.add((value) => `owner = ${value}`, owner);
  where.text("hash IS NOT NULL");
  if (q !== undefined) where.add((value) => `position(${value} IN name_key) > 0`, foldText(q));
  if (tag !== undefined)
    where.add(
      (value) => `EXISTS (SELECT 1 FROM upload_tags WHERE upload = uploads.id AND tag = ${value})`,
      tag,
    );
  return where;
}

function whereQuestions(filter: QuestionFilter): Conditions {
  const { owner, upload, state, verdict, strategy, model, q, since, until } = filter;
  const where = createConditions();
  where.given((value) => `owner = ${value}`, owner);
  where.given((value) => `upload = ${value}`, upload);
  where.given((value) => `state = ${value}`, state);
  if (verdict === "none") where.text("verdict IS NULL");
  else where.given((value) => `verdict = ${value}`, verdict);
  where.given((value) => `strategy = ${value}`, strategy);
  where.given((value) => `model = ${value}`, model);
  if (q !== undefined) where.add((value) => `position(${value} IN search_text) > 0`, foldText(q));
  where.given((value) => `created_at >= ${value}`, since);
  where.given((value) => `created_at <= ${value}`, until);
  return where;
}
