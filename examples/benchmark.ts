import {
  defineBenchmark,
  type LoadContext,
  loadRows,
  type Row,
  readOptions,
  type Sample,
  unreadable,
  videoOf,
} from "video-rrd";
import { z } from "zod";

const TITLE = "My Benchmark";

/** A question of the file, with the members of its film. Without choices it is an open question. */
const Question = z.object({
  film: z.string(),
  topic: z.string(),
  id: z.string(),
  ask: z.string(),
  choices: z.array(z.string()).max(26).default([]),
  right: z.string(),
});

/** Reads a JSON list of films, each with a list of questions. The films are in `videos/` next to the file. */
export default defineBenchmark({
  name: "my-benchmark",
  title: TITLE,
  tasks: ["choice", "open"],
  load: (path) =>
    loadRows(path, { title: TITLE, columns: ["film", "questions"], expand }, readQuestion),
  scorer: { choice: "letter", open: "includes" },
});

function expand({ questions, ...film }: Row): Row[] {
  return Array.isArray(questions) ? questions.map((question) => ({ ...film, ...question })) : [];
}

function readQuestion(row: Row, position: number, loading: LoadContext): Sample | null {
  const read = Question.safeParse(row);
  // Counted and named in the output of `eval`.
  if (!read.success) return unreadable(position, loading);
  const { id, film, topic, ask, choices, right } = read.data;
  const { options } = readOptions(choices);
  const letter = options.find(({ text }) => text === right)?.letter;
  if (choices.length > 0 && letter === undefined) return unreadable(position, loading);
  return {
    id,
    ...videoOf([film], film, loading),
    question: ask,
    task: choices.length > 0 ? "choice" : "open",
    options,
    answer: letter ?? right,
    // Scores are broken down by them.
    groups: { topic },
    row,
  };
}
