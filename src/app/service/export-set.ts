import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import type { Store, UploadRow } from "../../core/contracts.ts";
import type { ListPosition, QuestionFilter } from "../../core/service-lists.ts";
import type { Evidence } from "../../core/shapes.ts";
import { spreadsheetCell } from "../../core/spreadsheet-cell.ts";
import { readSet } from "./evidence-sets.ts";
import { fileNameOf } from "./export-question.ts";
import { parseStoredQuestion, type StoredQuestion, toQuestionView } from "./question-record.ts";

/* What people made of answers, as data: rows of a data file, and sidecars with corrected evidence. */

const PAGE = 200;

/** A question with its upload. */
export interface ExportedQuestion {
  question: StoredQuestion;
  upload: UploadRow;
}

/** The questions that a filter selects, oldest first, page by page. Damaged ones are left out. */
export async function* selectedQuestions(
  store: Store,
  filter: QuestionFilter,
): AsyncGenerator<ExportedQuestion> {
  const uploads = new Map<string, UploadRow | undefined>();
  for (let after: ListPosition | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.service.listQuestions>> =
      await store.service.listQuestions(filter, { order: "asc", limit: PAGE, after });
    for (const row of page.rows) {
      if (!uploads.has(row.upload)) uploads.set(row.upload, await store.service.upload(row.upload));
      const upload = uploads.get(row.upload);
      const question = readable(row);
      if (upload !== undefined && question !== null) yield { question, upload };
    }
    if (page.last === null) return;
    after = page.last;
  }
}

function readable(row: Parameters<typeof parseStoredQuestion>[0]): StoredQuestion | null {
  try {
    return parseStoredQuestion(row);
  } catch {
    // `video-rrd repair` lists damaged rows.
    return null;
  }
}

/**
 * A reviewed answer as a row of a data file (docs/data.md); null if it has no settled review, or an order without all
 * clips. `evidence_s` is where the cited evidence is, if the answer was approved or its evidence was corrected.
 */
export async function dataRow(
  store: Store,
  { question, upload }: ExportedQuestion,
): Promise<{ [column: string]: unknown } | null> {
  const { id, record } = question;
  const { asked, review, answer, set, clips = [] } = record;
  if (review === null || answer === null) return null;
  const order = Array.isArray(review.answer) ? review.answer : null;
  if (order !== null && clips.some(({ number }) => !order.includes(number))) return null;
  const isChecked = review.verdict === "approved" || (set !== null && set !== answer.set);
  const spans = isChecked
    ? citedSpans(answer.cites, (await readSet(store, set ?? answer.set)).items)
    : [];
  return {
    id,
    video: join("videos", fileNameOf(upload)),
    task: asked.task,
    ...(asked.text === "" ? {} : { question: asked.text }),
    ...(asked.goal === undefined ? {} : { goal: asked.goal }),
    ...(asked.options === undefined ? {} : { options: asked.options.map(({ text }) => text) }),
    answer: answerIn(review.answer, asked.options),
    ...(spans.length === 0 ? {} : { evidence_s: spans }),
    verdict: review.verdict,
    reviewed_by: review.by,
  };
}

/** The letter counts from A in a data file, whatever the letters of the options were. */
function answerIn(
  answer: string | number[],
  options: readonly { letter: string }[] | undefined,
): string | number[] {
  const place = options?.findIndex(({ letter }) => letter === answer) ?? -1;
  return place < 0 ? answer : String.fromCharCode("A".charCodeAt(0) + place);
}

function citedSpans(cites: readonly string[], items: readonly Evidence[]): [number, number][] {
  const cited = new Set(cites);
  const spans = items
    .filter(
      (item) => cited.has(item.id) || (item.replaces !== undefined && cited.has(item.replaces)),
    )
    .map(({ start_s, end_s }): [number, number] => [start_s, end_s])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return spans.filter(([start, end], place) => {
    const [before, last] = spans[place - 1] ?? [];
    return start !== before || end !== last;
  });
}

/** Lists of a sidecar (docs/file-formats.md) and the kinds of evidence in them. */
const STAGES = {
  captions: ["caption"],
  text: ["text", "equation"],
  speech: ["subtitle", "speech"],
} as const;

/** A sidecar of `attribute --gold`, and the name of its file. */
export interface ExportedSidecar {
  file: string;
  sidecar: { [key: string]: unknown };
}

/**
 * The sidecar of one video: the evidence of its reviewed answers, as people left it. Of several questions, the one with the
 * most edits by people counts for each kind of evidence, and of these the last. Null without a reviewed answer.
 */
export async function sidecarOf(
  store: Store,
  upload: UploadRow,
  questions: readonly StoredQuestion[],
): Promise<ExportedSidecar | null> {
  const rows: { id: string; row: { [column: string]: unknown }; items: Evidence[] }[] = [];
  for (const question of questions) {
    const row = await dataRow(store, { question, upload });
    const { answer, set } = question.record;
    if (row === null || answer === null) continue;
    rows.push({ id: question.id, row, items: (await readSet(store, set ?? answer.set)).items });
  }
  if (rows.length === 0) return null;
  const lists = Object.entries(STAGES).flatMap(([stage, kinds]) => {
    const of = (items: readonly Evidence[]) =>
      items.filter(({ kind }) => kinds.some((name) => name === kind));
    const byPeople = (items: readonly Evidence[]) =>
      of(items).filter(({ by }) => by.who === "person").length;
    const best = rows
      .filter(({ items }) => of(items).length > 0)
      .reduce<(typeof rows)[number] | null>(
        (found, one) =>
          found === null || byPeople(one.items) >= byPeople(found.items) ? one : found,
        null,
      );
    return best === null
      ? []
      : [
          [
            stage,
            of(best.items)
              .sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s)
              .map(({ start_s, end_s, text, clip }) => ({
                ...{ start_s, end_s, text },
                ...(stage === "captions" && clip !== undefined ? { clip } : {}),
              })),
          ],
        ];
  });
  const spans = rows.flatMap(({ id, row }) =>
    row.evidence_s === undefined ? [] : [[id, row.evidence_s]],
  );
  return {
    file: `${fileNameOf(upload)}.json`,
    sidecar: {
      ...(upload.video === null ? {} : { video: upload.video.hash }),
      ...Object.fromEntries(lists),
      ...(spans.length === 0 ? {} : { evidence_s: Object.fromEntries(spans) }),
    },
  };
}

/** The sidecars of all videos with a reviewed answer, in the order of their first question. */
export async function* sidecars(
  store: Store,
  filter: QuestionFilter,
): AsyncGenerator<ExportedSidecar> {
  // Ids only: the questions of one video are read together.
  const uploads = new Map<string, { upload: UploadRow; ids: string[] }>();
  for await (const { question, upload } of selectedQuestions(store, filter)) {
    if (question.record.review === null) continue;
    const of = uploads.get(upload.id) ?? { upload, ids: [] };
    of.ids.push(question.id);
    uploads.set(upload.id, of);
  }
  for (const { upload, ids } of uploads.values()) {
    const rows = await Promise.all(ids.map((id) => store.service.question(id)));
    const questions = rows.flatMap((row) => (row === undefined ? [] : (readable(row) ?? [])));
    const sidecar = await sidecarOf(store, upload, questions);
    if (sidecar !== null) yield sidecar;
  }
}

const CSV_COLUMNS = [
  ...["id", "video", "name", "task", "question", "goal", "options", "strategy", "model", "state"],
  ...["answer", "confidence", "verdict", "right_answer", "reviewed_by", "reviewed_at", "ratings"],
  ...["conflict", "cost", "paid", "seconds", "created_at"],
];

export function csvHeader(): string {
  return stringify([CSV_COLUMNS]);
}

/** One question as a line of CSV. A text that a spreadsheet would read as a formula begins with an apostrophe. */
export function csvLine({ question, upload }: ExportedQuestion): string {
  const { asked, answer, review, usage, ...view } = toQuestionView(question);
  const cells = {
    ...{ id: view.id, video: view.video, name: upload.name, task: asked.task },
    ...{ question: asked.text, goal: asked.goal, strategy: view.strategy, model: view.model },
    options: asked.options?.map(({ letter, text }) => `${letter}. ${text}`).join(" | "),
    state: view.state,
    answer: answer?.answer,
    confidence: answer?.confidence,
    verdict: review?.verdict ?? (view.conflict ? "conflict" : null),
    right_answer: review?.answer,
    ...{ reviewed_by: review?.by, reviewed_at: review?.reviewed_at },
    ...{ ratings: view.ratings, conflict: view.conflict, cost: usage.cost, paid: usage.paid },
    ...{ seconds: view.seconds, created_at: view.created_at },
  };
  return stringify([Object.values(pick(cells)).map(cellOf)]);
}

function pick(cells: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(CSV_COLUMNS.map((column) => [column, cells[column]]));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(" ");
  if (typeof value !== "string") return String(value);
  return spreadsheetCell(value);
}
