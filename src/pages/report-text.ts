import type { ReportData, ReportPart, ReportTable } from "./report-data.ts";

/* The tables of a report for a paper or an issue; plots and samples are in the HTML page alone. */

interface Format {
  title(level: 1 | 2 | 3, text: string): string;
  sentence(text: string): string;
  list(items: readonly string[]): string;
  /** `part`: the title of the part that it is in. */
  table(table: ReportTable, part: string): string;
}

/** Every text is escaped, so that no answer of a model can become a link, HTML or a heading. */
export function reportMarkdown(data: ReportData): string {
  return written(data, MARKDOWN);
}

/**
 * Sections and floating tables, each with a caption and a label of its own (`tab:vcrbench-accuracy`), for a document that
 * loads `booktabs` and `graphicx`. A table wider than the line is scaled down to it. Every text is escaped.
 */
export function reportLatex(data: ReportData): string {
  return `% Needs \\usepackage{booktabs} and \\usepackage{graphicx}.\n${written(data, latexFormat())}`;
}

/** One JSON value, every figure as the page shows it and every point of a plot unrounded. */
export function reportJson(data: ReportData): string {
  return `${JSON.stringify(data, null, 1)}\n`;
}

function written({ title, parts }: ReportData, format: Format): string {
  return `${[format.title(1, title), ...parts.flatMap((part) => partLines(part, format))].join("\n\n")}\n`;
}

function partLines(part: ReportPart, format: Format): string[] {
  const tables = (of: readonly ReportTable[]) => of.map((table) => format.table(table, part.title));
  return [
    format.title(2, part.title),
    ...(part.summary === undefined || part.summary.length === 0 ? [] : [format.list(part.summary)]),
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
  title: (level, text) => `${"#".repeat(level)} ${escapeMarkdown(text)}`,
  sentence: escapeMarkdown,
  list: (items) => items.map((item) => `- ${escapeMarkdown(item)}`).join("\n"),
  table: ({ title, about, head, words, rows }) => {
    const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
    const rule = `|${head.map((_, column) => (column < words ? " --- |" : " ---: |")).join("")}`;
    return [
      MARKDOWN.title(3, title),
      ...(about === undefined ? [] : [escapeMarkdown(about)]),
      ...(rows.length === 0 ? [] : [[line(head), rule, ...rows.map(line)].join("\n")]),
    ].join("\n\n");
  },
};

/** Labels are unique within one document. */
function latexFormat(): Format {
  const labels = new Map<string, number>();
  const label = (text: string) => {
    const slug = text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 60)
      .replace(/^-+|-+$/g, "");
    const count = (labels.get(slug) ?? 0) + 1;
    labels.set(slug, count);
    return `tab:${slug}${count === 1 ? "" : `-${count}`}`;
  };
  const title: Format["title"] = (level, text) =>
    `\\${level === 1 ? "section" : level === 2 ? "subsection" : "subsubsection"}{${latex(text)}}`;
  const line = (cells: readonly string[]) => `${cells.map(latex).join(" & ")} \\\\`;
  return {
    title,
    sentence: latex,
    list: (items) =>
      [
        "\\begin{itemize}",
        ...items.map((item) => `  \\item ${latex(item)}`),
        "\\end{itemize}",
      ].join("\n"),
    table: ({ title: name, about, head, words, rows }, part) => {
      if (rows.length === 0)
        return [title(3, name), ...(about === undefined ? [] : [latex(about)])].join("\n\n");
      const columns = head.map((_, column) => (column < words ? "l" : "r")).join("");
      const caption = about === undefined ? latex(name) : `${latex(name)}. ${latex(about)}`;
      return [
        "\\begin{table}[htbp]",
        "\\centering",
        `\\caption[${latex(name)}]{${caption}}`,
        `\\label{${label(`${part} ${name}`)}}`,
        // On one line: a line end would be a blank inside the box.
        `${FITTED}\\begin{tabular}{${columns}}`,
        "\\toprule",
        line(head),
        "\\midrule",
        ...rows.map(line),
        "\\bottomrule",
        "\\end{tabular}}",
        "\\end{table}",
      ].join("\n");
    },
  };
}

/** Opens a box that is scaled to the line where its natural width is larger, and left alone where it is not. */
const FITTED = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{";

const oneLine = (text: string) => text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim();

/** A text of one line that is no markup, also in a table. */
export function escapeMarkdown(text: string): string {
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
