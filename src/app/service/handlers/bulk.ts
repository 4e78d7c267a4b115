import { Readable } from "node:stream";
import type { QuestionFilter } from "../../../core/service-lists.ts";
import { BulkRows, type ExportKind } from "../api-bulk.ts";
import { toRatingView } from "../api-reviews.ts";
import { checkSize, readRows, rowsOf, tableFormat } from "../bulk-questions.ts";
import { listEvidence } from "../evidence-sets.ts";
import {
  csvHeader,
  csvLine,
  dataRow,
  type ExportedQuestion,
  selectedQuestions,
  sidecars,
} from "../export-set.ts";
import { httpProblem } from "../problems.ts";
import { questionFilter } from "../question-filters.ts";
import { toQuestionView } from "../question-record.ts";
import { hasRole, scopeOwner } from "../roles.ts";
import * as routes from "../routes.ts";
import { type App, ownVideo, type ServiceContext, videoView } from "../service-context.ts";
import { idOfPart } from "../uploads.ts";

const TYPES: Record<ExportKind, string> = {
  jsonl: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  rows: "application/x-ndjson",
  sidecar: "application/x-ndjson",
};
const FILES: Record<ExportKind, string> = {
  jsonl: "questions.jsonl",
  csv: "questions.csv",
  rows: "rows.jsonl",
  sidecar: "sidecars.jsonl",
};

export function addBulk(app: App, context: ServiceContext): void {
  const { store, questions, uploads, log, options } = context;

  app.openapi(routes.bulkAsk, async (c) => {
    const caller = c.get("caller");
    const { partial, dry_run } = c.req.valid("query");
    const format = tableFormat(c.req.header("content-type") ?? "");
    const table =
      format === null ? jsonRows(await c.req.text()) : rowsOf(await c.req.text(), format);
    const own = await store.service.uploads(caller.owner);
    const videos = own.filter(({ video }) => video !== null);
    const there = await Promise.all(videos.map((row) => uploads.fileExists(row)));
    const read = await readRows(
      table.rows,
      videos.filter((_row, place) => there[place]),
      (upload, question) => questions.plan(caller, upload, question),
    );
    const errors = [...table.errors, ...read.errors];
    if (errors.length > 0 && !partial && !dry_run) {
      const [first] = errors;
      throw httpProblem(
        422,
        "wrong-rows",
        `Nothing was asked: ${errors.length} of ${table.rows.length + table.errors.length} rows are wrong. The first: ${first?.row}: ${first?.detail}`,
        { errors },
      );
    }
    const checked = read.asked.length;
    if (dry_run) return c.json({ items: [], errors, checked }, 200);
    if (checked === 0) throw httpProblem(422, "wrong-rows", "All rows are wrong.", { errors });
    const made = c.get("made");
    // A request that is sent again after a crash asks only the rows that were not asked.
    const planned =
      made === undefined
        ? read.asked
        : read.asked.map((row) => ({ ...row, id: idOfPart(made, row.place) }));
    const asked = await questions.enqueueAll(caller, planned);
    const items = asked.map(({ id }, place) => ({ row: read.asked[place]?.place ?? "", id }));
    return c.json({ items, errors, checked }, 202);
  });

  async function* lines(as: ExportKind, filter: QuestionFilter): AsyncGenerator<string> {
    if (as === "sidecar") {
      for await (const one of sidecars(store, filter)) yield `${JSON.stringify(one)}\n`;
      return;
    }
    if (as === "csv") yield csvHeader();
    for await (const one of selectedQuestions(store, filter)) {
      if (as === "csv") yield csvLine(one);
      else {
        const line = as === "rows" ? await dataRow(store, one) : await wholeQuestion(one);
        if (line !== null) yield `${JSON.stringify(line)}\n`;
      }
    }
  }

  async function wholeQuestion({ question, upload }: ExportedQuestion) {
    const about = await store.service.aboutUpload(upload.id);
    return {
      video: videoView({ row: upload, ...about }),
      question: toQuestionView(question),
      evidence:
        question.record.answer === null ? null : await listEvidence(store, question, upload),
      ratings: (await store.service.ratingsOf(question.id)).map(toRatingView),
    };
  }

  app.openapi(routes.exportAll, async (c) => {
    const caller = c.get("caller");
    const { as, scope, ...query } = c.req.valid("query");
    const owner = scopeOwner(caller, scope);
    if (owner === null && options.reviews.blind && !hasRole(caller.roles, ["operate"]))
      throw httpProblem(
        403,
        "blind-review",
        "Answers are reviewed blind here, so that the answers of all keys need a key with the role `operate`. Use `scope=own`.",
      );
    const filter = questionFilter(query, owner);
    const attached = (file: string) => ({
      "Content-Disposition": `attachment; filename="${file}"`,
    });
    if (as === "sidecar" && query.video !== undefined) {
      if (scope === "own") await ownVideo(context, caller, query.video);
      for await (const { sidecar, file } of sidecars(store, filter))
        return c.json(sidecar, 200, attached(encodeURIComponent(file)));
      throw httpProblem(404, "not-reviewed", "The video has no reviewed answer.");
    }
    const stream = Readable.from(lines(as, filter), { objectMode: false });
    stream.on("error", (error) => log.error({ err: error }, "an export failed"));
    return c.body(Readable.toWeb(stream) as ReadableStream, 200, {
      "Content-Type": TYPES[as],
      ...attached(FILES[as]),
    });
  });
}

function jsonRows(text: string) {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const read = BulkRows.safeParse(given);
  if (!read.success)
    throw httpProblem(
      422,
      "wrong-rows",
      'Invalid request body: send {"rows": [...]} with an object for each row, or a table as text/csv or application/x-ndjson.',
    );
  checkSize(read.data.rows.length);
  const rows = read.data.rows.map((row, index) => ({ place: `row ${index + 1}`, row }));
  return { rows, errors: [] };
}
