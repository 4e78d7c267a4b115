import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groupByMarks, leaveOutMarked } from "../../evals/marks/apply-marks.ts";
import { makeMarks } from "../../evals/marks/make-marks.ts";
import { type Marks, readMarks, writeMarks } from "../../evals/marks/marks-file.ts";
import { startRun } from "../../evals/run/run.ts";
import { type Results, readResults } from "../../evals/score/read-results.ts";
import { scoreResults } from "../../evals/score/score-run.ts";
import { leaks } from "../../evals/sweep/presets/leaks.ts";
import { planSweep, startSweep } from "../../evals/sweep/sweep.ts";
import { readSweep } from "../../evals/sweep/sweep-settings.ts";
import { runCli } from "../support/command-line.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import { mmrData, refusal } from "./run/run-fixtures.ts";

/*
 * Four questions whose right options are "one", "two", "three" and "one". The model knows the first from its words, always
 * picks "one" without a question, finds the second in the captions, and says A to all others.
 */

let server: ModelServer;
let root: string;
let settings: object;
let runs: Results[];
let plan: Awaited<ReturnType<typeof planSweep>>;

const CAPTION = "A grey field lies in the mist.";
const model: Script = ({ texts, images }) => {
  const words = texts.join("\n");
  if (images.length > 0) return CAPTION;
  const letterOf = (text: string) => new RegExp(`\\(([A-C])\\) ${text}\\b`).exec(words)?.[1];
  if (!words.includes("Which of")) return `[[${letterOf("one")}]]`;
  if (words.includes(CAPTION)) {
    const letter = words.includes("Which of 1?") ? letterOf("two") : "A";
    return `It is seen [E1].\nAnswer: ${letter}\n[[${letter}]]`;
  }
  return `[[${words.includes("Which of 0?") ? letterOf("one") : "A"}]]`;
};

beforeAll(async () => {
  server = await startModelServer(model);
  root = await tempFolder();
  settings = {
    benchmark: "mmr-v",
    data: await mmrData(2, 2),
    model: "openai:scripted",
    option_orders: 3,
    runtime: { base_url: server.url, data: join(root, "store") },
  };
  const sweep = readSweep(leaks.sweep, { ...settings, recognition: { frames: 4, max_side: 64 } });
  plan = await planSweep(sweep);
  expect(server.requests).toHaveLength(0);
  const ended = await startSweep(sweep, join(root, "leaks"));
  runs = await Promise.all(ended.runs.map(({ folder }) => readResults(folder)));
});
afterAll(() => server.close());

const numbersOf = (ids: readonly string[]) =>
  (runs[0]?.samples ?? []).flatMap(({ id, question }) =>
    ids.includes(id) ? [Number(/of (\d)/.exec(question)?.[1])] : [],
  );

test("what reaches the answering model: question and options, options, or captions; never a picture", () => {
  const seen = server.chats().map(({ texts, images }) => ({
    words: texts.join("\n"),
    pictures: images.length,
  }));
  const withPictures = seen.filter(({ pictures }) => pictures > 0);
  expect(withPictures.length).toBeGreaterThan(0);
  for (const { words } of withPictures) expect(words).not.toMatch(/Which of|\(A\)/);
  const answering = seen.filter(({ pictures }) => pictures === 0);
  const withheld = answering.filter(({ words }) => !words.includes("Which of"));
  // All questions have the same options, so three orders are three calls.
  expect(withheld).toHaveLength(3);
  for (const { words } of withheld) {
    expect(words).toContain("The question is not shown.");
    expect(words).not.toMatch(/\(A\)\s*$|\([ABC]\)$/m);
    expect(words).not.toContain(CAPTION);
  }
  const captioned = answering.filter(({ words }) => words.includes(CAPTION));
  const blind = answering.filter(
    ({ words }) => words.includes("Which of") && !words.includes(CAPTION),
  );
  expect([captioned.length, blind.length]).toEqual([12, 12]);
  expect(plan.cells.map(({ name }) => name)).toEqual([
    "1-blind",
    "2-options-only",
    "3-captions-only",
  ]);
  expect(plan.cells.slice(0, 2).map((cell) => cell.plan.calls)).toEqual([12, 12]);
});

test("a question is marked if one run is right in every order of its options", () => {
  const { marks, checks, marked } = makeMarks(runs);
  const by = (check: string) =>
    numbersOf(
      marks.flatMap(({ id, checks: of }) =>
        of.some((one) => one.check === check && one.marked) ? [id] : [],
      ),
    );
  expect(by("1-blind")).toEqual([0]);
  expect(by("2-options-only")).toEqual([0, 3]);
  expect(by("3-captions-only")).toEqual([1]);
  expect(marked).toBe(3);
  expect(checks.map(({ expected_by_chance }) => expected_by_chance)).toEqual(
    Array.from({ length: 3 }, () => expect.closeTo(4 / 27)),
  );
  const unmarked = marks.find((mark) => mark.marked === false);
  expect(unmarked?.checks[0]).toMatchObject({ right: 1, asked: 3, needed: 3, marked: false });
  const second = marks.find(({ id }) => numbersOf([id])[0] === 1);
  expect(second?.reasons).toEqual([
    "3-captions-only: right in 3 of 3 results, 3 needed; by chance 3.70 %",
  ]);
  // Right in one of three orders: what saying A always achieves. By chance: 1 - (2/3)^3.
  const loose = makeMarks(runs.slice(0, 1), 1);
  expect(loose.marked).toBe(4);
  expect(loose.marks[0]?.checks[0]?.chance).toBeCloseTo(19 / 27);
});

test("missing results leave a question open unless they cannot change it", () => {
  const [blind] = runs as [Results];
  const early = { ...blind, said: blind.said.filter(({ epoch }) => epoch < 3) };
  const { marks, undecided } = makeMarks([early]);
  expect(undecided).toBe(1);
  expect(numbersOf(marks.flatMap(({ id, marked }) => (marked === null ? [id] : [])))).toEqual([0]);
});

test("marks are written, read, and applied to results: left out, or as groups", async () => {
  const file = join(root, "marks/marks.jsonl");
  const { header, marks: made } = makeMarks(runs);
  await writeMarks(file, header, made);
  const marks = await readMarks(file);
  expect([...marks.marks.values()]).toEqual(made);
  const [blind] = runs as [Results];
  const rest = leaveOutMarked(blind, marks);
  expect(numbersOf(rest.samples.map(({ id }) => id))).toEqual([2]);
  expect(rest.missing).toBe(0);
  const score = scoreResults(rest);
  expect(score.all).toMatchObject({ all: 3, right: 1 });
  expect(score.notes.at(-1)).toMatchObject({
    what: "questions left out, because marks.jsonl marks them",
    count: 3,
  });
  const groups = scoreResults(groupByMarks(blind, marks)).groups.filter(
    ({ kind }) => kind === "marks",
  );
  expect(groups.map(({ group, ofAll }) => [group, ofAll?.n, ofAll?.mean])).toEqual([
    // 3 of 3 orders, and twice 1 of 3.
    ["marked", 3, expect.closeTo(5 / 9)],
    ["not marked", 1, expect.closeTo(1 / 3)],
  ]);
});

test("--by-marks and --leave-out apply a file of marks to a score", async () => {
  const file = join(root, "flags.jsonl");
  const { header, marks } = makeMarks(runs);
  await writeMarks(file, header, marks);
  const score = async (...flags: string[]) => {
    const { out } = await runCli(root, ["score", "leaks/1-blind", ...flags, "--json"]);
    return JSON.parse(out).video_rrd;
  };
  const grouped = await score("--by-marks", file);
  const groups = (grouped.groups as { kind: string; group: string; ofAll: { n: number } }[])
    .filter(({ kind }) => kind === "marks")
    .map(({ group, ofAll }) => [group, ofAll.n]);
  expect(groups).toEqual([
    ["marked", 3],
    ["not marked", 1],
  ]);
  expect((await score("--leave-out", file)).all).toMatchObject({ all: 3, right: 1 });
});

test("a run leaves marked questions out, and keeps doing so when it resumes", async () => {
  const file = join(root, "own.jsonl");
  const ids = (runs[0]?.samples ?? []).map(({ id }) => id);
  await writeFile(
    file,
    `{"id": "${ids[1]}", "marked": true}\n{"id": "${ids[2]}", "marked": false}\n{"id": "misspelt", "marked": true}\n`,
  );
  const folder = join(root, "rest");
  await startRun({ ...settings, strategy: "blind", option_orders: 1, leave_out: file }, folder);
  const { samples, header } = await readResults(folder);
  expect(numbersOf(samples.map(({ id }) => id))).toEqual([0, 2, 3]);
  expect(header?.selection.left_out).toEqual([ids[1]]);
  const unknown = {
    ...{ what: "marked questions of own.jsonl that are not among these", count: 1 },
    examples: ["misspelt"],
  };
  expect(header?.data.notes).toContainEqual(unknown);
  const [blind] = runs as [Results];
  expect(leaveOutMarked(blind, await readMarks(file)).notes).toContainEqual(unknown);
});

test("marks of other data, damaged lines and runs that see the video are refused", async () => {
  const [blind] = runs as [Results];
  const { header, marks } = makeMarks(runs);
  const of = (over: Partial<Marks>): Marks => ({
    name: "m.jsonl",
    header,
    marks: new Map(marks.map((mark) => [mark.id, mark])),
    ...over,
  });
  const other = of({ header: { ...header, data: "0".repeat(64) } });
  expect(() => leaveOutMarked(blind, other)).toThrow("of other data");
  const unknown = of({ header: null, marks: new Map([["x", { ...marks[0], id: "x" } as never]]) });
  expect(() => groupByMarks(blind, unknown)).toThrow("name none of the questions");
  const file = join(root, "bad.jsonl");
  await writeFile(file, '{"id": "a", "marked": true}\n{"id": "b"}\n');
  expect((await refusal(readMarks(file))).message).toContain("line 2 of bad.jsonl");
  await writeFile(file, '{"id": "a", "marked": true}\n{"id": "a", "marked": true}\n');
  expect((await refusal(readMarks(file))).message).toContain("twice");
  const seeing = structuredClone(blind.header);
  Object.assign(seeing?.settings ?? {}, { strategy: "direct" });
  expect(() => makeMarks([{ ...blind, header: seeing }])).toThrow("may see the video");
});
