import { Failure } from "../../src/core/errors.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Note, Sample } from "../benchmarks/sample.ts";
import { epochsOf } from "../run/option-orders.ts";
import { unitOf } from "../run/selection.ts";
import type { Results } from "../score/read-results.ts";
import type { Mark, Marks } from "./marks-file.ts";

/** Kind of the groups by marks. */
const KIND = "marks";

/**
 * The results without the questions that are marked; of questions asked as pairs, all pairs are left out. Throws
 * `Failure` `wrong-usage` if the marks are of other data, or if no question is left.
 */
export function leaveOutMarked(results: Results, marks: Marks): Results {
  refuseOther(results, marks);
  const { samples, said, epochs, option_orders: orders = 1, header } = results;
  const out = new Set(samples.filter((sample) => isMarked(sample, marks)).map(({ id }) => id));
  if (out.size === samples.length) throw nothingLeft(marks, samples.length);
  const dropped = samples.filter(({ id }) => out.has(id));
  const planned = dropped.reduce(
    (sum, sample) => sum + epochsOf(sample, epochs / orders, orders).length,
    0,
  );
  const replied = said.filter(
    ({ sample, line }) => out.has(sample.id) && (line !== null || header === null),
  );
  const units = [...new Set(dropped.map(unitOf))];
  return {
    ...results,
    samples: samples.filter(({ id }) => !out.has(id)),
    said: said.filter(({ sample }) => !out.has(sample.id)),
    missing: results.missing - (planned - replied.length),
    notes: [
      ...results.notes,
      ...unknownMarks(samples, marks),
      ...(units.length === 0
        ? []
        : [
            {
              what: `questions left out, because ${marks.name} marks them`,
              count: units.length,
              examples: units.slice(0, 5),
            },
          ]),
    ],
  };
}

/** The results with a further kind of groups: marked, not marked, not decided. Throws as `leaveOutMarked`. */
export function groupByMarks(results: Results, marks: Marks): Results {
  refuseOther(results, marks);
  const { benchmark } = results;
  const grouped: Benchmark = {
    ...benchmark,
    groups: (sample) => ({ ...benchmark.groups(sample), [KIND]: groupOf(markOf(sample, marks)) }),
    questions: (scored) => {
      const samples = new Map(scored.map(({ sample }) => [unitOf(sample), sample]));
      return benchmark.questions(scored).map((question) => {
        const sample = samples.get(question.id);
        const mark = sample === undefined ? undefined : markOf(sample, marks);
        return { ...question, groups: { ...question.groups, [KIND]: groupOf(mark) } };
      });
    },
  };
  return { ...results, benchmark: grouped };
}

/** Ids of the samples whose questions are marked. Throws as `leaveOutMarked`. */
export function markedSamples(
  samples: readonly Sample[],
  marks: Marks,
  data: { benchmark: string; hash: string },
): string[] {
  refuseOtherData(marks, data.benchmark, data.hash);
  refuseUnknown(samples, marks);
  const out = samples.filter((sample) => isMarked(sample, marks)).map(({ id }) => id);
  if (out.length === samples.length) throw nothingLeft(marks, samples.length);
  return out;
}

/** A note of the marked questions that are not among the samples, such as misspelt ids in the list of a person. */
export function unknownMarks(samples: readonly Sample[], { name, marks }: Marks): Note[] {
  const known = new Set(samples.flatMap((sample) => [sample.id, unitOf(sample)]));
  const unknown = [...marks.values()].filter(({ id, marked }) => marked === true && !known.has(id));
  if (unknown.length === 0) return [];
  return [
    {
      what: `marked questions of ${name} that are not among these`,
      count: unknown.length,
      examples: unknown.slice(0, 5).map(({ id }) => id),
    },
  ];
}

function markOf(sample: Sample, { marks }: Marks): Mark | undefined {
  return marks.get(unitOf(sample)) ?? marks.get(sample.id);
}

function isMarked(sample: Sample, marks: Marks): boolean {
  return markOf(sample, marks)?.marked === true;
}

function groupOf(mark: Mark | undefined): string {
  if (mark === undefined) return "not checked";
  if (mark.marked === null) return "not decided";
  return mark.marked ? "marked" : "not marked";
}

function refuseOther({ benchmark, data, samples }: Results, marks: Marks): void {
  refuseOtherData(marks, benchmark.name, data?.hash ?? null);
  refuseUnknown(samples, marks);
}

function refuseOtherData({ name, header }: Marks, benchmark: string, hash: string | null): void {
  const isOther =
    header !== null &&
    (header.benchmark !== benchmark ||
      (header.data !== null && hash !== null && header.data !== hash));
  if (!isOther) return;
  throw new Failure(
    "wrong-usage",
    `The marks in ${name} are of other data (${header.benchmark}, SHA-256 ${header.data?.slice(0, 12)}...). Make marks from runs over the same data.`,
    { name },
  );
}

function refuseUnknown(samples: readonly Sample[], marks: Marks): void {
  if (samples.some((sample) => markOf(sample, marks) !== undefined)) return;
  const [id = ""] = marks.marks.keys();
  throw new Failure(
    "wrong-usage",
    `The marks in ${marks.name} name none of the questions: their ids are like ${JSON.stringify(id)}, those of the data like ${JSON.stringify(samples[0]?.id ?? "")}.`,
    { name: marks.name },
  );
}

function nothingLeft({ name }: Marks, count: number): Failure {
  return new Failure("wrong-usage", `${name} marks all ${count} samples: none is left.`, { name });
}
