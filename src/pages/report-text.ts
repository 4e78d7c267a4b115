import type { ReportData, ReportPart, ReportTable } from "./report-data.ts";

/* The tables of a report for a paper or an issue; plots and samples are in the HTML page alone. */

interface Format {
  title(level: 1 | 2 | 3, text: string): string;
  sentence(text: string): string;
  list(items: readonly string[]): string;
  table(table: ReportTable): string;
}

/** Every text is escaped, so that no answer of a model can become a link, HTML or a heading. */
export function reportMarkdown(data: ReportData): string {
  return written(data, MARKDOWN);
}

/** Sections and tables to be put into a document that loads `booktabs`; every text is escaped. */
export function reportLatex(data: ReportData): string {
  return written(data, LATEX);
}

function written({ title, parts }: ReportData, format: Format): string {
  return `${[format.title(1, title), ...parts.flatMap((part) => partLines(part, format))].join("\n\n")}\n`;
}

function partLines(part: ReportPart, format: Format): string[] {
  const tables = (of: readonly ReportTable[]) =>
    of.flatMap((table) => [
      format.title(3, table.title),
      ...(table.about === undefined ? [] : [format.sentence(table.about)]),
      ...(table.rows.length === 0 ? [] : [format.table(table)]),
    ]);
  return [
    format.title(2, part.title),
    ...part.about.map(format.sentence),
    ...(part.warnings.length === 0 ? [] : [format.list(part.warnings)]),
    ...tables(part.tables),
    ...(part.apart === null
      ? []
      : [
          format.title(3, "Published results, not comparable"),
          ...part.apart.why.flatMap(({ run, deviations }) => [
            format.sentence(`${run} differs in this:`),
            format.list(deviations),
          ]),
          ...tables(part.apart.tables),
        ]),
  ];
}

const MARKDOWN: Format = {
  title: (level, text) => `${"#".repeat(level)} ${markdown(text)}`,
  sentence: markdown,
  list: (items) => items.map((item) => `- ${markdown(item)}`).join("\n"),
  table: ({ head, words, rows }) => {
    const line = (cells: readonly string[]) => `| ${cells.map(markdown).join(" | ")} |`;
    const rule = `|${head.map((_, column) => (column < words ? " --- |" : " ---: |")).join("")}`;
    return [line(head), rule, ...rows.map(line)].join("\n");
  },
};

const LATEX: Format = {
  title: (level, text) =>
    `\\${level === 1 ? "section" : level === 2 ? "subsection" : "subsubsection"}{${latex(text)}}`,
  sentence: latex,
  list: (items) =>
    ["\\begin{itemize}", ...items.map((item) => `  \\item ${latex(item)}`), "\\end{itemize}"].join(
      "\n",
    ),
  table: ({ head, words, rows }) => {
    const line = (cells: readonly string[]) => `${cells.map(latex).join(" & ")} \\\\`;
    return [
      `\\begin{tabular}{${head.map((_, column) => (column < words ? "l" : "r")).join("")}}`,
      "\\toprule",
      line(head),
      "\\midrule",
      ...rows.map(line),
      "\\bottomrule",
      "\\end{tabular}",
    ].join("\n");
  },
};

const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim();

function markdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]|~#]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
}

const LATEX_SIGNS: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "–": "--",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  // At the start of a row `[` would be read as an argument of the rule or row before it.
  "[": "{[}",
  "]": "{]}",
};

function latex(text: string): string {
  return oneLine(text).replace(/[\\~^–<>[\]{}$&#%_]/g, (sign) => LATEX_SIGNS[sign] ?? `\\${sign}`);
}
