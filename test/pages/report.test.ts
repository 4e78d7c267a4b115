import { describe, expect, test } from "vitest";
import { reportPage } from "../../src/pages/report.ts";
import type { ReportData } from "../../src/pages/report-data.ts";
import { reportLatex, reportMarkdown } from "../../src/pages/report-text.ts";
import { madeOrdering } from "./made-ordering.ts";

const HOSTILE = `</script><img src=x onerror="alert(1)"> & "quoted" [a](javascript:b) |cell| $x^2_3$ \\input{y} %\n# head`;

/** Every text is hostile. */
const data: ReportData = {
  title: HOSTILE,
  parts: [
    {
      title: HOSTILE,
      summary: [HOSTILE],
      about: [HOSTILE],
      warnings: [HOSTILE],
      tables: [
        { title: HOSTILE, about: HOSTILE, head: [HOSTILE, "n"], words: 1, rows: [[HOSTILE, "1"]] },
      ],
      plots: (["points", "line", "places"] as const).map((kind) => ({
        title: HOSTILE,
        kind,
        x: HOSTILE,
        y: HOSTILE,
        chance: 0.1,
        series: [
          {
            name: HOSTILE,
            points: [{ x: 1, at: HOSTILE, label: HOSTILE, y: 0.5, low: 0.25, high: 0.75 }],
          },
        ],
      })),
      apart: {
        why: [{ run: HOSTILE, deviations: [HOSTILE] }],
        tables: [],
      },
      runs: [HOSTILE],
      questions: [
        {
          id: HOSTILE,
          video: HOSTILE,
          text: HOSTILE,
          options: [{ letter: "A", text: HOSTILE }],
          right: HOSTILE,
          evidence_s: [[1, 2]],
          groups: [HOSTILE],
          said: [
            {
              run: 0,
              epoch: 2,
              outcome: "wrong",
              answer: HOSTILE,
              explanation: HOSTILE,
              reply: HOSTILE,
              frames_s: [1.5],
              ordering: {
                found: { ...madeOrdering(2), method: HOSTILE },
                order: [2, 1],
              },
              evidence: [{ kind: "text", start_s: 0, end_s: 61, text: HOSTILE }],
              calls: [
                {
                  stage: HOSTILE,
                  label: HOSTILE,
                  model: HOSTILE,
                  finish: HOSTILE,
                  cached: true,
                  seconds: 1,
                  frames: 1,
                  input: 3,
                  output: 4,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

describe("hostile texts are escaped", () => {
  test("in the page, which allows one script by its hash and nothing from outside", () => {
    const page = reportPage(data);
    expect(page).not.toContain("<img");
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('onerror="');
    const text = page
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'");
    expect(text).toContain('<img src=x onerror="alert(1)">');
    expect(text).toMatch(/content="default-src 'none'; [^"]*script-src 'sha256-[^ "]+'"/);
    expect(page).toContain("epoch 2");
    expect(page).toContain("00:00–01:01");
    expect(page).toContain(", 1 frame, 3 tokens in");
  });

  test("in Markdown: no link, no HTML, no cell more than there is", () => {
    const text = reportMarkdown(data);
    expect(text).not.toContain("<img");
    expect(text).not.toMatch(/(?<!\\)\[a\]/);
    expect(text.split("\n").filter((line) => line.startsWith("# "))).toHaveLength(1);
    const [head] = text.split("\n").filter((line) => line.startsWith("| "));
    expect(head?.match(/(?<!\\)\|/g)).toHaveLength(3);
  });

  test("in LaTeX: no command, no comment, no mathematics", () => {
    const text = reportLatex(data);
    expect(text).not.toContain("\\input");
    expect(text).toContain("\\textbackslash{}input\\{y\\}");
    expect(text).toContain("\\$x\\textasciicircum{}2\\_3\\$");
    const [packages, ...body] = text.split("\n");
    expect(packages).toBe("% Needs \\usepackage{booktabs} and \\usepackage{graphicx}.");
    expect(body.join("\n")).not.toMatch(/(?<!\\)%/);
    const [row] = text.split("\n").filter((line) => line.endsWith("\\\\"));
    expect(row?.match(/(?<!\\)&/g)).toHaveLength(1);
  });
});

test("in LaTeX every table floats, with a caption, its own label, and at most the width of a line", () => {
  const table = { title: "Accuracy by goal", about: "Percent.", words: 1, head: ["Run", "%"] };
  const filled = { ...table, rows: [["a_b", "50.00 [1, 2]"]] };
  const [part] = data.parts;
  const text = reportLatex({
    title: "Report",
    parts: [
      { ...(part as ReportData["parts"][number]), title: "MMR-V", tables: [filled, filled] },
      {
        ...(part as ReportData["parts"][number]),
        title: "MMR-V",
        tables: [{ ...table, rows: [] }],
      },
    ],
  });
  const floats = text.match(/\\begin\{table\}[\s\S]*?\\end\{table\}/g) ?? [];
  expect(floats).toHaveLength(2);
  expect(floats[0]).toBe(
    [
      "\\begin{table}[htbp]",
      "\\centering",
      "\\caption[Accuracy by goal]{Accuracy by goal. Percent.}",
      "\\label{tab:mmr-v-accuracy-by-goal}",
      "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{\\begin{tabular}{lr}",
      "\\toprule",
      "Run & \\% \\\\",
      "\\midrule",
      "a\\_b & 50.00 {[}1, 2{]} \\\\",
      "\\bottomrule",
      "\\end{tabular}}",
      "\\end{table}",
    ].join("\n"),
  );
  expect(floats[1]).toContain("\\label{tab:mmr-v-accuracy-by-goal-2}");
  for (const float of floats) {
    const bare = float.replace(/\\[\\{}]/g, "");
    expect(bare.match(/\{/g)?.length).toBe(bare.match(/\}/g)?.length);
  }
  expect(text).toContain("\\subsubsection{Accuracy by goal}\n\nPercent.");
});
