import { stringify as toYaml } from "yaml";
import { version } from "../../src/core/version.ts";
import { escapeMarkdown } from "../../src/pages/report-text.ts";
import type { DataDescription } from "./describe-data.ts";
import { type DescriptionTable, descriptionTables, problemsOf } from "./tables.ts";

/** What only a person knows, by heading. */
const FOR_A_PERSON: Readonly<Record<string, readonly string[]>> = {
  Purpose: ["What does the set measure, and what should it not be used for?"],
  Videos: [
    "Where do the videos come from, and under which licence?",
    "Do they show people, and did these agree?",
  ],
  "Questions and answers": [
    "Who wrote them, by which instructions, and with which help of models?",
    "Who checked them, and how far did people agree?",
    "How well do people answer them?",
  ],
  "Known limits": ["Which languages, places, people and subjects are missing or frequent?"],
  Use: ["Licence of the questions, citation, contact, and how errors are reported."],
};

const TO_FILL_IN = "**[To be filled in by a person]**";

/** Values of `size_categories` in data cards, by their smallest number of samples. */
const SIZES: readonly [number, string][] = [
  [1e6, "1M<n<10M"],
  [1e5, "100K<n<1M"],
  [1e4, "10K<n<100K"],
  [1e3, "1K<n<10K"],
  [0, "n<1K"],
];

/**
 * A data card in Markdown, with front matter as dataset pages of Hugging Face read it. What only a person knows is marked
 * "To be filled in". Texts of the data are escaped. The same description gives the same card.
 */
export function dataCard(data: DataDescription, name: string): string {
  const problems = problemsOf(data);
  const lines = [
    frontMatter(data, name),
    `# ${escapeMarkdown(name)}`,
    "",
    `${data.questions} questions on ${data.videos.files} videos, in the form of ${escapeMarkdown(data.title)}${data.subset === null ? "" : ` (${data.subset})`}. The statistics were computed by \`video-rrd describe\` (${version()}).`,
    "",
    `- Data: ${data.files.map(escapeMarkdown).join(", ")}`,
    `- SHA-256 over the data: \`${data.hash}\``,
    ...data.reading.map((line) => `- ${escapeMarkdown(line)}`),
    ...Object.entries(FOR_A_PERSON).flatMap(([title, questions]) => [
      "",
      `## ${title}`,
      "",
      ...questions.map((question) => `- ${question} ${TO_FILL_IN}`),
    ]),
    "",
    "## What was found in the data",
    "",
    ...(problems.length === 0
      ? ["Nothing to check."]
      : problems.map((one) => `- ${escapeMarkdown(one)}`)),
    ...descriptionTables(data).flatMap((table) => ["", ...markdownTable(table)]),
  ];
  return `${lines.join("\n")}\n`;
}

function frontMatter({ tasks, samples, fields }: DataDescription, name: string): string {
  const has = (task: string) => tasks.some((one) => one.task === task);
  const known = {
    pretty_name: name,
    task_categories: [
      "video-text-to-text",
      ...(has("choice") ? ["multiple-choice"] : []),
      ...(has("open") ? ["question-answering"] : []),
    ],
    size_categories: [SIZES.find(([from]) => samples >= from)?.[1]],
    tags: [
      "video",
      ...(has("order") ? ["temporal-ordering"] : []),
      ...(fields.evidence_s > 0 ? ["evidence-spans"] : []),
    ],
  };
  return [
    "---",
    toYaml(known).trimEnd(),
    "# To be filled in by a person:",
    "# license:",
    "# language:",
    "# annotations_creators:",
    "# source_datasets:",
    "---",
    "",
  ].join("\n");
}

function markdownTable({ title, rows, remarks }: DescriptionTable): string[] {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [
    `## ${escapeMarkdown(title)}`,
    "",
    line(head),
    `|${head.map(() => "---").join("|")}|`,
    ...body.map(line),
    ...remarks.flatMap((remark) => ["", escapeMarkdown(remark)]),
  ];
}
