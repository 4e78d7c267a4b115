import { certifyResults } from "../../../evals/certificate/certify-results.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import {
  benchmarks,
  defineBenchmark,
  defineScorer,
  loadRows,
  makeReport,
  namesForeignLetter,
  readResults,
  type Sample,
  scoreResults,
  scorers,
  soundLetter,
  startRun,
} from "../../../src/app/index.ts";

/*
 * A benchmark and a scorer as a user defines them, run and scored in a process of their own, since a registry keeps what
 * is added to it: `<data folder> <store> <run folder>`. Prints one JSON value.
 */
const [data = "", store = "", folder = ""] = process.argv.slice(2);

const half = defineScorer({
  name: "half",
  score: (answer, sample) => ({
    value: answer === sample.answer ? 1 : 0.5,
    answer,
    explanation: `right is ${sample.answer}`,
  }),
});

const kitchen = defineBenchmark({
  name: "kitchen",
  title: "Kitchen",
  tasks: ["choice"],
  load: (path) =>
    loadRows(path, { title: "Kitchen", columns: ["id", "asked", "choices", "key"] }, (row) => ({
      id: String(row.id),
      video: `videos/${row.film}`,
      hasVideo: true,
      question: String(row.asked),
      task: "choice",
      options: (row.choices as string[]).map((text, place) => ({
        letter: "ABCD"[place] ?? "",
        text,
      })),
      answer: String(row.key),
      row,
    })),
  extractors: { official: soundLetter, sound: soundLetter },
  answers: { written: "letter", readBy: { letter: "sound" }, unreadable: {} },
  scorer: "half",
  namesForeignAnswer: namesForeignLetter,
  responses: {
    clues: { video: "film", ids: ["id"], numbered: "id" },
    holdsRow: (row) => "choices" in row,
  },
});

scorers.add(half);
benchmarks.add(kitchen);

const input = { benchmark: "kitchen", data, strategy: "random", protocol: "official" };
await startRun({ ...input, runtime: { data: store } }, folder);
const results = await readResults(folder);
const score = scoreResults(results);
const { certificate } = certifyResults(results);
const report = makeReport([results]);
const log = exportResults(results, "lmms-eval");
const { samples } = await kitchen.load(data);
console.log(
  JSON.stringify({
    clusters: new Set(samples.map((sample: Sample) => kitchen.cluster(sample))).size,
    right: score.all.right,
    all: score.all.all,
    explanations: results.said.map(({ line }) => line?.scores.sound?.explanation),
    comparable: certificate?.comparable,
    source: certificate?.source,
    titles: report.parts.map(({ title }) => title),
    lines: log.trim().split("\n").length,
  }),
);
