import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
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
import { guard, transaction } from "./transaction.ts";

type Row = Record<string, unknown>;
/** Conditions of a query and the values of their `?`. */
interface Where {
  sql: string[];
  values: SQLInputValue[];
}

/** Expressions that a list of videos is sorted by. */
const UPLOAD_KEYS: Record<(typeof UPLOAD_SORTS)[number], string> = {
  created: "created_at",
  name: "fold_text(name)",
  duration: "json_extract(json, '$.duration_s')",
  questions: "(SELECT count(*) FROM asked WHERE asked.upload = uploads.id)",
};

export function createServiceLists(db: DatabaseSync): ServiceLists {
  const statements = new Map<string, StatementSync>();
  const countQuestions = db.prepare("SELECT count(*) AS n FROM asked WHERE upload = ?");
  const tagsOf = db.prepare("SELECT tag FROM upload_tags WHERE upload = ? ORDER BY tag");
  const rename = db.prepare("UPDATE uploads SET name = coalesce(?, name) WHERE id = ?");
  const countTags = db.prepare(
    `SELECT tag, count(*) AS videos FROM upload_tags JOIN uploads ON uploads.id = upload_tags.upload
     WHERE uploads.owner = ? AND uploads.hash IS NOT NULL GROUP BY tag ORDER BY tag`,
  );
  const dropTags = db.prepare("DELETE FROM upload_tags WHERE upload = ?");
  const addTag = db.prepare("INSERT OR IGNORE INTO upload_tags (upload, tag) VALUES (?, ?)");

  /** Statements differ by the filters in use, which are few. */
  function statement(sql: string): StatementSync {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  }

  function page(
    table: string,
    where: Where,
    key: string,
    { order, limit, after }: PageRequest,
  ): ListPage<Row> {
    const all = where.sql.join(" AND ");
    const total = Number(
      statement(`SELECT count(*) AS n FROM ${table} WHERE ${all}`).get(...where.values)?.n,
    );
    const beyond = after === null ? "" : ` AND (${key}, id) ${order === "asc" ? ">" : "<"} (?, ?)`;
    const rows = statement(
      `SELECT *, ${key} AS sort_value FROM ${table} WHERE ${all}${beyond} ORDER BY ${key} ${order}, id ${order} LIMIT ?`,
    ).all(...where.values, ...(after === null ? [] : [after.value, after.id]), limit + 1) as Row[];
    const shown = rows.slice(0, limit);
    return { rows: shown, total, last: rows.length > limit ? positionOf(shown.at(-1)) : null };
  }

  const about = (id: string) => ({
    questions: Number(countQuestions.get(id)?.n),
    tags: tagsOf.all(id).map(({ tag }) => String(tag)),
  });

  return {
    async listUploads(filter, sort, request) {
      const found = guard("listing videos", () =>
        page("uploads", whereUploads(filter), UPLOAD_KEYS[sort], request),
      );
      const rows = found.rows.flatMap(uploadRow).map((row) => ({ row, ...about(row.id) }));
      return { ...found, rows };
    },
    async aboutUpload(id) {
      return guard("looking up an upload", () => about(id));
    },
    async listQuestions(filter, request) {
      const found = guard("listing questions", () =>
        page("asked", whereQuestions(filter), "created_at", request),
      );
      return { ...found, rows: found.rows.map(questionRow) };
    },
    async tagsOf(owner) {
      return countTags
        .all(owner)
        .map(({ tag, videos }) => ({ tag: String(tag), videos: Number(videos) }));
    },
    async editUpload(id, { name, tags }) {
      return transaction(db, "editing a video", () => {
        const exists = Number(rename.run(name ?? null, id).changes) > 0;
        if (!exists || tags === undefined) return exists;
        dropTags.run(id);
        for (const tag of tags) addTag.run(id, tag);
        return true;
      });
    },
  };
}

function whereUploads({ owner, q, tag }: UploadFilter): Where {
  const where: Where = {
    sql: ["owner = ?", "hash IS NOT NULL", "json_valid(json)"],
    values: [owner],
  };
  if (q !== undefined) add(where, "instr(fold_text(name), ?) > 0", foldText(q));
  if (tag !== undefined)
    add(where, "EXISTS (SELECT 1 FROM upload_tags WHERE upload = uploads.id AND tag = ?)", tag);
  return where;
}

function whereQuestions(filter: QuestionFilter): Where {
  const { owner, upload, state, verdict, strategy, model, q, since, until } = filter;
  const where: Where = { sql: ["true"], values: [] };
  if (owner !== null) add(where, "owner = ?", owner);
  if (upload !== undefined) add(where, "upload = ?", upload);
  if (state !== undefined) add(where, "state = ?", state);
  if (verdict === "none") where.sql.push("verdict IS NULL");
  else if (verdict !== undefined) add(where, "verdict = ?", verdict);
  if (strategy !== undefined) add(where, "strategy = ?", strategy);
  if (model !== undefined) add(where, "model = ?", model);
  if (q !== undefined) add(where, "instr(search_text, ?) > 0", foldText(q));
  if (since !== undefined) add(where, "created_at >= ?", since);
  if (until !== undefined) add(where, "created_at <= ?", until);
  return where;
}

function add(where: Where, sql: string, value: SQLInputValue): void {
  where.sql.push(sql);
  where.values.push(value);
}
