import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import iconv from "iconv-lite";
import { beforeAll, expect, test } from "vitest";
import { dataset } from "../../../../evals/benchmarks/dataset/benchmark.ts";
import { loadDataset } from "../../../../evals/benchmarks/dataset/load.ts";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { dataFolder, parquet } from "../fixtures.ts";

/* Reads data files as people write them. Videos are not opened, so they are empty files. */

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await dataFolder({
    "a.mp4": null,
    "sub/b.mkv": null,
    "videos/c.webm": null,
    "videos/d.MP4": null,
    "a.srt": "",
  });
});

/** Loads a file of this content; `rows` are written as JSON lines. */
async function load(
  content: string | Uint8Array | readonly object[],
  settings: Record<string, unknown> = {},
  extension = "jsonl",
) {
  const file = join(folder, `data-${count++}.${extension}`);
  const text = Array.isArray(content)
    ? content.map((row) => `${JSON.stringify(row)}\n`).join("")
    : (content as string | Uint8Array);
  await writeFile(file, text);
  return loadDataset(file, settings);
}

const asked = { video: "a.mp4", question: "Which?" };
const choice = (answer: unknown, options: unknown = ["red", "blue", "green"]) => ({
  ...asked,
  options,
  answer,
});
const answersOf = ({ samples }: { samples: Sample[] }) => samples.map(({ answer }) => answer);
const notesOf = ({ notes }: Awaited<ReturnType<typeof load>>) =>
  Object.fromEntries(notes.map(({ what, examples }) => [what, examples]));

const ROWS = [
  { id: "1", video: "a.mp4", question: "Wie groß?", options: ["groß", "klein"], answer: "A" },
  { id: "2", video: "sub/b.mkv", question: "Where, when?", options: ["ä", "b"], answer: "B" },
];
const CSV = (sign: string) =>
  [
    ["id", "video", "question", "options", "answer"].join(sign),
    ["1", "a.mp4", "Wie groß?", "groß|klein", "A"].join(sign),
    ["2", "sub/b.mkv", '"Where, when?"', '"[""ä"", ""b""]"', "B"].join(sign),
  ].join("\r\n");
const YAML = `questions:
  - { id: "1", video: a.mp4, question: "Wie groß?", options: [groß, klein], answer: A }
  - id: 2
    video: sub/b.mkv
    question: Where, when?
    options: { A: ä, B: b }
    answer: B
`;

test.each<[string, string, string | Uint8Array]>([
  ["jsonl", "jsonl", ROWS.map((row) => JSON.stringify(row)).join("\r\n")],
  [
    "ndjson with a byte order mark",
    "ndjson",
    `\ufeff${ROWS.map((row) => JSON.stringify(row)).join("\n\n")}`,
  ],
  ["json", "json", JSON.stringify(ROWS)],
  ["json lines in a json file", "json", ROWS.map((row) => JSON.stringify(row)).join("\n")],
  [
    "json with values that are not numbers",
    "json",
    `[${ROWS.map((row) => `${JSON.stringify(row).slice(0, -1)}, "s": NaN}`)}]`,
  ],
  [
    "csv with empty columns and rows, as spreadsheets write it",
    "csv",
    `${CSV(",").replaceAll("\r\n", ",,\r\n")},,\r\n,,,,,,\r\n`,
  ],
  ["json with one list in it", "json", JSON.stringify({ version: [1, 2], data: ROWS })],
  ["csv", "csv", CSV(",")],
  ["csv with semicolons, as Excel writes it", "csv", `sep=;\r\n${CSV(";")}`],
  ["csv with semicolons", "csv", `\ufeff${CSV(";")}\r\n`],
  ["tsv", "tsv", CSV("\t")],
  ["csv in Windows-1252", "csv", iconv.encode(CSV(";"), "windows-1252")],
  ["csv in UTF-16", "csv", iconv.encode(CSV(","), "utf-16le", { addBOM: true })],
  ["yaml", "yaml", YAML],
  ["parquet", "parquet", parquet(ROWS)],
])("%s gives the same samples", async (_name, extension, content) => {
  const { samples, notes, reading } = await load(content, {}, extension);
  expect(notes).toEqual([]);
  expect(samples.map(({ row: _row, groups: _groups, ...sample }) => sample)).toEqual([
    {
      id: "1",
      video: "a.mp4",
      hasVideo: true,
      question: "Wie groß?",
      task: "choice",
      options: [
        { letter: "A", text: "groß" },
        { letter: "B", text: "klein" },
      ],
      answer: "A",
    },
    {
      id: "2",
      video: "sub/b.mkv",
      hasVideo: true,
      question: "Where, when?",
      task: "choice",
      options: [
        { letter: "A", text: "ä" },
        { letter: "B", text: "b" },
      ],
      answer: "B",
    },
  ]);
  expect(reading?.[0]).toBe("2 questions: 2 choice");
});

test.each<[string, object]>([
  ["a list", { options: ["red", "blue"] }],
  ["a list with letters", { options: ["A. red", "B. blue"] }],
  ["an object", { options: { A: "red", B: "blue" } }],
  ["an object with other keys", { options: { first: "red", second: "blue" } }],
  ["labels and texts", { options: { label: ["A", "B"], text: ["red", "blue"] } }],
  [
    "objects",
    {
      options: [
        { label: "A", text: "red" },
        { label: "B", text: "blue" },
      ],
    },
  ],
  ["lines", { options: "(A) red\n(B) blue" }],
  ["a text with |", { options: "red | blue" }],
  ["JSON in a text", { options: '["red", "blue"]' }],
  ["a list as Python prints it", { options: `['red', "blue"]` }],
  ["candidates", { candidates: ["red", "blue"] }],
  ["columns by letter", { A: "red", B: "blue" }],
  ["columns with the word option", { option_a: "red", option_b: "blue", option_c: "" }],
  ["numbered columns", { option1: "red", option2: "blue" }],
])("options as %s", async (_name, options) => {
  const { samples } = await load([{ ...asked, ...options, answer: "blue" }]);
  expect(samples[0]).toMatchObject({
    task: "choice",
    options: [
      { letter: "A", text: "red" },
      { letter: "B", text: "blue" },
    ],
    answer: "B",
  });
});

test.each<[string, unknown[], string[]]>([
  ["letters", ["A", "b", "(C)", "B.", "C. green"], ["A", "B", "C", "B", "C"]],
  ["texts", ["red", "Blue", "green."], ["A", "B", "C"]],
  ["letters and texts", ["A", "green"], ["A", "C"]],
])("right options as %s are clear", async (_name, answers, expected) => {
  expect(answersOf(await load(answers.map((answer) => choice(answer))))).toEqual(expected);
});

test("numbers of options are never guessed", async () => {
  const rows = [choice(1), choice("2")];
  await expect(load(rows)).rejects.toThrow(
    /The answers of data-\d+\.jsonl are numbers: declare --answers index0 if the first option is 0, or --answers index1 if it is 1\.$/,
  );
  await expect(load([choice(0), choice(2)])).rejects.toThrow(/Only index0 fits every row\.$/);
  expect(answersOf(await load(rows, { answers: "index0" }))).toEqual(["B", "C"]);
  expect(answersOf(await load(rows, { answers: "index1" }))).toEqual(["A", "B"]);
});

test.each<[string, unknown, unknown, Record<string, number>]>([
  ["an object", { A: "red", B: null, C: "blue", D: "green" }, undefined, { C: 2, D: 3 }],
  ["columns", undefined, { A: "red", B: "", C: "blue", D: "green" }, { C: 2, D: 3 }],
  ["labels", { label: [..."ABCD"], text: ["red", " ", "blue", null] }, undefined, { A: 0, C: 2 }],
  ["objects", [{ text: "red" }, { text: "" }, { text: "blue" }], undefined, { A: 0, C: 2 }],
  ["numbered columns", undefined, { option1: "red", option2: " ", option3: "blue" }, { C: 2 }],
  ["a list", ["red", null, "blue"], undefined, { A: 0, C: 2 }],
  ["a list with an empty text", ["red", "", "blue", "green"], undefined, { C: 2, D: 3 }],
  ["a text with |", "red||blue", undefined, { A: 0, C: 2 }],
])(
  "an empty option of %s counts for the number and the letter of the right one",
  async (_name, options, columns, right) => {
    const row = { ...asked, ...(options === undefined ? {} : { options }), ...(columns as object) };
    for (const [letter, place] of Object.entries(right)) {
      expect(answersOf(await load([{ ...row, answer: place }], { answers: "index0" }))).toEqual([
        letter,
      ]);
      expect(answersOf(await load([{ ...row, answer: place + 1 }], { answers: "index1" }))).toEqual(
        [letter],
      );
      const { samples } = await load([{ ...row, answer: letter }]);
      expect(samples[0]?.options.find((option) => option.letter === letter)?.text).toBe(
        ["red", "", "blue", "green"][place],
      );
    }
    await expect(load([{ ...row, answer: 1 }], { answers: "index0" })).rejects.toThrow(
      "the answer is not one of the options",
    );
  },
);

test.each<[string, unknown, string[]]>([
  ["in another order", ["C. blue", "A. red", "B. sea"], ["C=blue", "A=red", "B=sea"]],
  ["with a gap", ["A) red", "C) blue", "D) sea"], ["A=red", "C=blue", "D=sea"]],
  ["in lower case", ["c) blue", "a) red"], ["C=blue", "A=red"]],
  ["after a heading", "Options:\nA. red\nB. sea\nC. blue", ["A=red", "B=sea", "C=blue"]],
  ["over several lines", "A. red\nwine\nB. sea\nC. blue", ["A=red wine", "B=sea", "C=blue"]],
  ["that are initials", ["C. Darwin", "M. Curie"], ["A=C. Darwin", "B=M. Curie"]],
  ["of some options", ["blue", "B. sea"], ["A=blue", "B=B. sea"]],
])("letters of options %s", async (_name, options, shown) => {
  const [right = ""] = shown.filter((option) => /blue|Curie/.test(option));
  const { samples } = await load([{ ...asked, options, answer: right[0] }]);
  expect(
    samples.map((sample) => sample.options.map(({ letter, text }) => `${letter}=${text}`)),
  ).toEqual([shown]);
  expect(samples[0]?.answer).toBe(right[0]);
});

test("a list that Python cut is left out instead of read as lines", async () => {
  const read = await load([choice("A", "['red' 'blue'\n ... 'green']"), choice("B")]);
  expect(answersOf(read)).toEqual(["B"]);
  expect(notesOf(read)).toEqual({
    "rows left out: the options are neither JSON nor separated by | or line breaks": ["line 1"],
  });
});

test("answers in CSV are lists as Python prints them, too", async () => {
  const text = `video,question,answer\na.mp4,?,"['two', '2']"\na.mp4,?,[3 1 2]\na.mp4,?,['a'\n`;
  const { samples } = await load(text, {}, "csv");
  expect(samples.map(({ answer, accepts }) => [answer, accepts])).toEqual([
    ["two", ["2"]],
    [[3, 1, 2], undefined],
    ["['a'", undefined],
  ]);
});

test("a question with only empty options is open", async () => {
  const { samples } = await load([choice("x", ["", null])]);
  expect(samples).toMatchObject([{ task: "open", options: [], answer: "x" }]);
});

test("options are in columns of one kind", async () => {
  const row = { ...asked, option_a: "red", option_b: "blue", a: "the answer", B: 7, answer: "A" };
  const { samples, reading } = await load([row]);
  expect(samples[0]?.options.map(({ text }) => text)).toEqual(["red", "blue"]);
  expect(reading?.[1]).toContain("options=option_a to option_b");
});

test("numbers of options may be written as pandas writes columns with empty cells", async () => {
  const text = "video,question,options,answer\na.mp4,?,red|blue,1.0\na.mp4,?,red|blue,0.0\n";
  expect(answersOf(await load(text, { answers: "index0" }, "csv"))).toEqual(["B", "A"]);
});

test.each([
  [
    [
      { label: 2, text: "red" },
      { label: 1, text: "blue" },
    ],
  ],
  [{ label: [2, 1], text: ["red", "blue"] }],
])("numbers that label options name them: %j", async (options) => {
  const { samples } = await load([{ ...asked, options, answer: 1 }]);
  expect(samples[0]).toMatchObject({
    options: [{ text: "red" }, { text: "blue" }],
    answer: "B",
  });
});

test.each<[string, string[], string, string]>([
  [
    String.raw`['first line\nsecond', 'tab\there']`,
    ["first line\nsecond", "tab\there"],
    "tab\there",
    "B",
  ],
  [
    String.raw`['caf\xe9', '\u2019s', 'C:\\new', 'it\'s']`,
    ["café", "’s", "C:\\new", "it's"],
    "café",
    "A",
  ],
  ["[True, False]", ["True", "False"], "True", "A"],
  ["['3', 4]", ["3", "4"], "4", "B"],
  ["['red', None, 2.5]", ["red", "2.5"], "2.5", "C"],
  ["['red' 'blue, dark'\n 'green']", ["red", "blue, dark", "green"], "green", "C"],
  [`{'A': 'red', 'C': "it's", 'D': nan}`, ["red", "it's"], "it's", "C"],
  [
    "{'label': array(['2', '1'], dtype=object), 'text': array(['red', 'blue'],\n dtype=object)}",
    ["red", "blue"],
    "1",
    "B",
  ],
])("the value %s as Python prints it", async (options, texts, answer, letter) => {
  const { samples } = await load([{ ...asked, options, answer }], { answers: "text" });
  expect(samples[0]?.options.map(({ text }) => text)).toEqual(texts);
  expect(samples[0]?.answer).toBe(letter);
});

test("an answer that is both a position and a text is refused unless other rows decide or it is declared", async () => {
  const counts = ["2", "3", "4", "5"];
  await expect(load([choice("3", counts)])).rejects.toThrow(
    /"3" in line 1 may be the text of an option or a number counted from 0\. Declare the form with --answers text or --answers index0\./,
  );
  expect(answersOf(await load([choice("3", counts), choice("red")]))).toEqual(["B", "A"]);
  expect(answersOf(await load([choice("3", counts)], { answers: "text" }))).toEqual(["B"]);
  // The same place by any reading needs no declaration of the text.
  await expect(load([choice("A", ["B", "A"])])).rejects.toThrow(
    "--answers letter or --answers text",
  );
  expect(answersOf(await load([choice("A", { A: "B", B: "A" })]))).toEqual(["A"]);
  expect(answersOf(await load([choice("2", { "1": "red", "2": "blue" })]))).toEqual(["B"]);
});

test("the task follows from the row, and a task column decides", async () => {
  const { samples } = await load([
    choice("A"),
    { ...asked, answer: "a red one" },
    { ...asked, answer: ["red", "crimson", "red"] },
    { ...asked, answer: 4 },
    { video: "a.mp4", goal: "bake bread", answer: [2, 3, 1] },
    { video: "a.mp4", goal: "bake bread", answer: "2, 3, 1" },
    { ...asked, answer: "2, 3, 1" },
    { ...asked, options: ["red", "blue"], answer: "reddish", task: "open" },
  ]);
  expect(samples.map(({ task, answer, accepts }) => [task, answer, accepts])).toEqual([
    ["choice", "A", undefined],
    ["open", "a red one", undefined],
    ["open", "red", ["crimson"]],
    ["open", "4", undefined],
    ["order", [2, 3, 1], undefined],
    ["order", [2, 3, 1], undefined],
    ["open", "2, 3, 1", undefined],
    ["open", "reddish", undefined],
  ]);
  expect(samples[4]?.question).toBe(
    "Put the clips in the order that completes this task: bake bread",
  );
  // A column called `task` with other values is a group.
  const other = await load([
    { ...choice("A"), task: "counting" },
    { ...choice("B"), task: "counting" },
  ]);
  expect(other.samples.map(({ task, groups }) => [task, groups])).toEqual([
    ["choice", { task: "counting" }],
    ["choice", { task: "counting" }],
  ]);
});

test("orders that count from 0 have to be declared", async () => {
  const rows = [{ video: "a.mp4", goal: "bake", answer: [2, 0, 1] }];
  await expect(load(rows)).rejects.toThrow("the order counts from 0 (declare --answers index0)");
  expect(answersOf(await load(rows, { answers: "index0" }))).toEqual([[3, 1, 2]]);
  const swap = { ...rows[0], partial_order: [[2, 1]] };
  const wrong = { ...rows[0], partial_order: [[1, 2]] };
  const { samples, notes } = await load([swap, wrong], { answers: "index0" });
  expect(samples.map(({ partial_order }) => partial_order)).toEqual([[[3, 2]]]);
  expect(notes.map(({ what }) => what)).toContain(
    "rows left out: the partial order cannot be used: the right order contradicts a pair",
  );
});

test("every row that is left out is counted with its reason", async () => {
  const rows = [
    { id: "a", ...choice("A") },
    { id: "a", ...choice("B") },
    { id: "c", ...asked },
    { id: "d", ...choice("E") },
    { id: "e", ...choice("A", ["only"]) },
    { id: "f", question: "?", answer: "x" },
    { id: "g", video: "a.mp4", answer: "x" },
    { id: "h", ...choice(["A", "B"]) },
    { ...choice("A") },
    {
      id: "i",
      video: "gone.mp4",
      question: "?",
      answer: "x",
      evidence_s: "soon",
      subtitles: "no.srt",
    },
  ];
  const text = `${rows.map((row) => JSON.stringify(row)).join("\n")}\n{"id": \n[1]\n`;
  const read = await load(text);
  expect(read.samples.map(({ id, hasVideo }) => [id, hasVideo])).toEqual([
    ["a", true],
    ["line-9", true],
    ["i", false],
  ]);
  expect(notesOf(read)).toEqual({
    "rows left out: not readable": [
      expect.stringMatching(/^line 11 \(.*JSON/),
      "line 12 (it is not a JSON object)",
    ],
    "rows left out: the id is that of an earlier row": ["line 2 (a)"],
    "rows left out: no answer": ["line 3"],
    "rows left out: the answer is not one of the options": ['line 4 (answer "E")'],
    "rows left out: there is one option only": ["line 5"],
    "rows left out: no video": ['line 6 (answer "x")'],
    "rows left out: no question": ['line 7 (answer "x")'],
    "rows left out: several right options, or an answer that is not a text": [
      'line 8 (answer ["A","B"])',
    ],
    "rows without an id, named by their place": ["line 9"],
    "videos missing": ["gone.mp4 (i)"],
    "subtitle files missing": ["no.srt (i)"],
    "values of evidence_s left out: not a list of [start, end] in seconds": ["line 10"],
  });
});

test("evidence_s is read as Python and numpy print it, and two moments are noted", async () => {
  const cells = ["[(2, 9)]", "[[2. 9.]]", '[["2", "9.5"]]', "[12, 30]", "[[12, 30]]"];
  const rows = cells.map((cell) => `a.mp4,?,x,"${cell.replaceAll('"', '""')}"`);
  const { samples, notes } = await load(
    `video,question,answer,evidence_s\n${rows.join("\n")}\n`,
    {},
    "csv",
  );
  expect(samples.map(({ evidence_s }) => evidence_s)).toEqual([
    [[2, 9]],
    [[2, 9]],
    [[2, 9.5]],
    [
      [12, 12],
      [30, 30],
    ],
    [[12, 30]],
  ]);
  expect(notes).toContainEqual(
    expect.objectContaining({
      what: "evidence_s read as two moments: a span is written [[start, end]]",
      count: 1,
    }),
  );
});

test("a video may lack its extension, lie in videos/, outside the folder, or in --videos", async () => {
  const row = (video: string) => ({ video, question: "?", answer: "x" });
  const { samples } = await load(
    ["a", ".\\a.mp4", "c", "c.webm", join(folder, "a.mp4"), "sub/../a.mp4", "d"].map(row),
  );
  expect(samples.map(({ video, hasVideo }) => [video, hasVideo])).toEqual(
    ["a.mp4", "a.mp4", "videos/c.webm", "videos/c.webm", "a.mp4", "a.mp4", "videos/d.MP4"].map(
      (path) => [path, true],
    ),
  );
  const moved = await load([row("b"), row("../a.mp4")], { videos: join(folder, "sub") });
  expect(moved.folder).toBe(join(folder, "sub"));
  expect(moved.samples.map(({ video, hasVideo }) => [video, hasVideo])).toEqual([
    ["b.mkv", true],
    ["../a.mp4", true],
  ]);
});

test("groups are the columns with few values, columns named group:..., or the named columns", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    ...choice("A"),
    topic: index % 2 === 0 ? "cars" : "dogs",
    hard: index < 3,
    comment: `number ${index}`,
    tags: ["a"],
    source: "web",
  }));
  const groups = async (settings: object, of: object[] = rows) => {
    const { samples } = await load(of, { ...settings });
    return samples[1]?.groups;
  };
  expect(await groups({})).toEqual({ topic: "dogs", hard: "true", source: "web" });
  expect(await groups({ group: ["comment"] })).toEqual({ comment: "number 1" });
  const marked = rows.map((row) => ({ ...row, "group:Level": 2 }));
  expect(await groups({}, marked)).toEqual({ Level: "2" });
  await expect(groups({ group: ["level"] })).rejects.toThrow("Invalid --group level: ");
});

test("columns are found by their usual names, renamed names, or given names", async () => {
  const row = {
    qid: 7,
    "Video Path": "a.mp4",
    Query: "Which?",
    choices: ["red", "blue"],
    gt: "blue",
  };
  const usual = await load([row]);
  expect(usual.samples[0]).toMatchObject({ id: "7", question: "Which?", answer: "B" });
  expect(usual.reading?.[1]).toBe(
    "columns: id=qid, video=Video Path, question=Query, options=choices, answer=gt",
  );
  const two = [{ ...row, label: "red" }];
  await expect(load(two)).rejects.toThrow(
    /Several columns of .* may hold the answer \(gt, label\): name the right one, for example with --columns answer=gt\./,
  );
  expect(answersOf(await load(two, { columns: { answer: "label" } }))).toEqual(["A"]);
  await expect(load(two, { columns: { answer: "nothing" } })).rejects.toThrow(
    "with --columns answer=nothing: it has no column nothing. Its columns are qid, Video Path, Query, choices, gt, label.",
  );
  await expect(load([{ film: "a.mp4", text: "Which?", gt: "x" }])).rejects.toThrow(
    "no column for the video (video, video_path, video_file, video_name, video_id). Its columns are film, text, gt. Name the right one with --columns video=NAME.",
  );
});

test.each([
  ["jsonl", "", "it has no rows"],
  ["jsonl", "nothing here", "no row could be read (line 1: "],
  ["json", '{"a": 1}', "it must hold a list of objects"],
  ["json", '{"a": [{}], "b": [{}]}', "it holds several lists of objects (a, b)"],
  ["json", "[1", "Cannot read data-"],
  ["csv", 'id,video\n1,"a.mp4', "Cannot read data-"],
  ["csv", "id,id,video\n1,2,3", 'two columns have the name "id"'],
  ["yaml", "a: [", "Cannot read data-"],
  ["parquet", "PAR1 is not enough", "Cannot read data-"],
  [
    "xlsx",
    "x",
    "use a file that ends in .jsonl, .ndjson, .json, .csv, .tsv, .yaml, .yml, .parquet.",
  ],
])("%s %j is refused in one sentence", async (extension, content, message) => {
  const error = await load(content, {}, extension).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ kind: "data-malformed" });
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).not.toContain("\n");
});

test("ids and answers of more than 53 bits stay apart, in every format", async () => {
  const numbers = [0n, 1n, 2n, 3n, 4n, 5n].map((more) => 9007199254740993n + more);
  const ids = numbers.map(String);
  const json = ids.map(
    (id) => `{"id": ${id}, "video": "a.mp4", "question": "How many?", "answer": ${id}}`,
  );
  const rows = numbers.map((id) => ({ id, video: "a.mp4", question: "How many?", answer: id }));
  for (const [extension, content] of [
    ["json", `[${json.join()}]`],
    ["jsonl", json.join("\n")],
    ["yaml", json.map((row) => `- ${row}`).join("\n")],
    ["parquet", parquet(rows)],
  ] as const) {
    const read = await load(content, {}, extension);
    expect([extension, read.samples.map(({ id }) => id)]).toEqual([extension, ids]);
    expect(answersOf(read)).toEqual(ids);
    expect(notesOf(read)).toEqual({});
  }
});

test("dates of Parquet have a time of day only if they are within a day", async () => {
  const file = parquetWriteBuffer({
    columnData: [
      { name: "video", data: ["a.mp4", "a.mp4"] },
      { name: "question", data: ["On which day?", "When?"] },
      {
        ...{ name: "answer", type: "TIMESTAMP" },
        data: [new Date("2024-01-05"), new Date("2024-01-05T10:30:00Z")],
      },
    ],
  });
  const answers = answersOf(await load(new Uint8Array(file), {}, "parquet"));
  expect(answers).toEqual(["2024-01-05", "2024-01-05T10:30:00.000Z"]);
});

test("options may be a Parquet struct of 64-bit integers", async () => {
  const member = (name: string): SchemaElement => ({
    ...{ name, type: "INT64", repetition_type: "REQUIRED" },
  });
  const text = (name: string): SchemaElement => ({
    ...{ name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
  });
  const file = parquetWriteBuffer({
    schema: [
      { name: "root", num_children: 5 },
      ...["video", "question", "answer"].map(text),
      { name: "options", repetition_type: "REQUIRED", num_children: 2 },
      ...["A", "B"].map(member),
      { name: "unused", repetition_type: "REQUIRED", num_children: 1 },
      member("frame"),
    ],
    columnData: [
      { name: "video", data: ["a.mp4"] },
      { name: "question", data: ["How many?"] },
      { name: "answer", data: ["B"] },
      { name: "options", data: [{ A: 3n, B: 4n }] },
      { name: "unused", data: [{ frame: 5n }] },
    ],
  });
  const { samples } = await load(new Uint8Array(file), {}, "parquet");
  expect(samples[0]).toMatchObject({
    options: [
      { letter: "A", text: "3" },
      { letter: "B", text: "4" },
    ],
    answer: "B",
  });
  // A run stores its samples as JSON.
  expect(() => JSON.stringify(samples)).not.toThrow();
});

test("a missing file and a folder are reported", async () => {
  await expect(loadDataset(join(folder, "gone.jsonl"), {})).rejects.toThrow(
    "there is no such file",
  );
  await expect(loadDataset(folder, {})).rejects.toThrow("is a folder: give the data file in it");
});

test("a different reading of the same file is different data", async () => {
  const rows = [choice(1)];
  const [from0, from1] = [
    await load(rows, { answers: "index0" }),
    await load(rows, { answers: "index1" }),
  ];
  expect(from0.hash).not.toBe(from1.hash);
});

test.each<[string, string, string | null]>([
  ["The cat sleeps on the mat.", "The cat sleeps on the mat.", "the whole reply"],
  ["It counts them.\n\n**Answer:** 4", "4", "after `Answer:`"],
  ["<think>Answer: 5?</think>\nFinal answer: 4 people", "4 people", "after `Answer:`"],
  ["Four of them [E1][E3].", "Four of them.", "the whole reply"],
  ["", "", null],
  ["NOT ANSWERED", "", null],
])("the open answer of %j is %j", (reply, answer, how) => {
  const sample = { task: "open" } as Sample;
  const read = dataset.extractors.sound(reply, sample);
  expect(read.answer).toBe(how === null ? null : answer);
  if (how !== null) expect(read.how).toBe(how);
});
