import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { tempFolder } from "../../support/temp.ts";

/* Response files that contain their questions, and answer some of them twice. */

const AGAIN = "questions answered more than once, the last counts";

/** The scores of such a file, and how many of its questions were answered again. */
async function scored(records: readonly object[], data?: readonly object[]) {
  const folder = await tempFolder();
  const path = join(folder, "responses.jsonl");
  await writeFile(path, records.map((record) => JSON.stringify(record)).join("\n"));
  const rows = join(folder, "rows.json");
  if (data !== undefined) await writeFile(rows, JSON.stringify(data));
  const results = await readResults(path, data === undefined ? {} : { data: rows });
  const { all, official } = scoreResults(results);
  return {
    ...{ samples: results.samples.length, accuracy: all.accuracy, questions: all.all, official },
    again: results.notes.find(({ what }) => what === AGAIN)?.count ?? 0,
  };
}

const row = (question_idx: number, options = ["(A) x", "(B) y"]) => ({
  video: "a.mp4",
  question: "What?",
  question_idx,
  options,
  correctAnswer: "(B)",
});

test("a question of MMR-V that is answered again counts once, with its last reply", async () => {
  const data = [row(1), row(2), row(3, ["(A) y", "(B) x"])];
  const said = (place: number, letter: string) => ({
    ...data[place],
    m_raw_response: `[[${letter}]]`,
    m_response: { final_answer: letter },
  });
  // The same question was released twice about one video, once with other options.
  const records = [said(0, "A"), said(1, "A"), said(2, "A"), said(0, "B")];
  const found = await scored(records);
  expect(found).toMatchObject({ samples: 3, questions: 3, accuracy: 1 / 3, again: 1 });
  expect(await scored(records, data)).toEqual(found);
});

test("a pair of VideoMathQA that is answered again is no further pair of its question", async () => {
  const doc = (options: string[], answer: string) => ({
    question_id: "q1",
    question: "How long?",
    options,
    answer,
    videoID: "v",
  });
  const data = [doc(["A. 1", "B. 3"], "B"), doc(["A. 3", "B. 2"], "A")];
  const said = (doc_id: number, letter: string) => ({
    doc_id,
    doc: data[doc_id],
    target: data[doc_id]?.answer,
    resps: [[letter]],
  });
  const found = await scored([said(0, "A"), said(1, "A"), said(0, "B")]);
  expect(found).toMatchObject({ samples: 2, questions: 1, accuracy: 1, again: 1 });
  expect(found.official).toMatchObject({ videomathqa_perception_score: 100, MBin: 100 });
});

test("rows without an id may be several questions with one text, and stay", async () => {
  const { question_idx: _, ...unnumbered } = row(1);
  const records = ["A", "B"].map((letter) => ({ ...unnumbered, m_raw_response: `[[${letter}]]` }));
  expect(await scored(records)).toMatchObject({ samples: 2, accuracy: 1 / 2, again: 0 });
});
