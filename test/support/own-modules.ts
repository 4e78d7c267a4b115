import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Modules and data that a user might write, by path. */
export const OWN_MODULES = {
  "code/vote.ts": `
import { defineStrategy, majorityVote, ownSettings, CALLS_MODEL, SAMPLES_VIDEO } from "video-rrd";
import { z } from "zod";
import { SUMMARY } from "./parts/words.ts";

const Votes = z.strictObject({ rounds: z.int().min(1).default(2).describe("calls that vote") });
const votes = ownSettings("votes", Votes);

export default defineStrategy({
  name: "vote",
  summary: SUMMARY,
  approach: "single-call",
  shows: "video",
  tasks: ["choice", "open"],
  reads: [...CALLS_MODEL, ...SAMPLES_VIDEO],
  settings: { votes: Votes },
  roles: ["reasoner"],
  async run(question, context) {
    if (question.text.includes("broken")) throw new TypeError("a mistake of mine");
    const asked = [];
    for (let draw = 0; draw < votes(context.settings).rounds; draw++)
      asked.push(await context.ask("direct", { draw }));
    const ballots = asked.map(({ answer }, number) => ({ number, answer: answer.answer }));
    return asked[majorityVote(ballots).number ?? 0] ?? {};
  },
});
`,
  "code/parts/words.ts": `export const SUMMARY: string = "Asks several times.";\n`,
  "code/bench.ts": `
import { defineBenchmark, defineScorer, loadRows, namesForeignLetter, soundLetter } from "video-rrd";
import { letters } from "own-letters";

export const lenient = defineScorer({
  name: "lenient",
  score: (answer, { answer: right }) => ({
    value: answer === null ? 0 : answer === right ? 1 : 0.5,
    answer,
    explanation: \`right is \${right}\`,
  }),
});

export default defineBenchmark({
  name: "tiny",
  title: "Tiny",
  tasks: ["choice"],
  data: new URL("../data", import.meta.url),
  load: (path) =>
    loadRows(path, { title: "Tiny", columns: ["id", "asks", "options", "right"] }, (row, _place, { data }) => ({
      id: String(row.id),
      video: data.place("videos", "film.mp4"),
      hasVideo: true,
      question: String(row.asks),
      task: "choice",
      options: (row.options as string[]).map((text, place) => ({ letter: letters[place], text })),
      answer: String(row.right),
      row,
    })),
  extractors: { official: soundLetter, sound: soundLetter },
  answers: { written: "letter", readBy: { letter: "sound", "answer-line": "sound" }, unreadable: {} },
  scorer: "lenient",
  namesForeignAnswer: namesForeignLetter,
  responses: { clues: { video: "video", ids: ["id"], numbered: "id" }, matchesRow: (row) => "asks" in row },
});
`,
  "code/loudness.ts": `
import { defineTool } from "video-rrd";
import { z } from "zod";

export const loudness = defineTool({
  name: "loudness",
  description: new URL("./loudness.md", import.meta.url),
  parameters: z.object({ from_s: z.number().min(0).describe("start, in seconds") }),
  needs: [],
  cost: "nothing",
  run: () => ({ type: "items", items: [] }),
});
`,
  "code/loudness.md": "Tells how loud a part of the video is.\n",
  // A package of the user's folder; not recorded, because it is below node_modules.
  "node_modules/own-letters/package.json": `{"name":"own-letters","type":"module","exports":"./index.js"}`,
  "node_modules/own-letters/index.js": `export const letters = [..."ABCDEF"];\n`,
  "data/questions.jsonl": [
    { id: "a", asks: "Which card is it?", options: ["a test card", "a playing card"], right: "A" },
    { id: "b", asks: "Which broken card?", options: ["a test card", "a playing card"], right: "B" },
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(""),
} as const satisfies Record<string, string>;

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
