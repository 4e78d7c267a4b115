import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";
import { plainDirection } from "./plain-direction.ts";
import { plotFigure } from "./plot.ts";
import type { ReportData, ReportPart, ReportTable } from "./report-data.ts";
import { questionList } from "./report-questions.ts";

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/**
 * One self-contained HTML file, without anything from the network; every text is escaped. Its one script filters the
 * list of samples and is allowed by its hash; without it, all samples are shown.
 */
export function reportPage(data: ReportData): string {
  const css =
    asset("./palette.css") +
    asset("./evidence-page.css") +
    asset("./heat-map.css") +
    asset("./report.css");
  const script = asset("./report-filter.js");
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  return plainDirection(
    String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${data.title}</title>
<style>${raw(css)}</style>
</head>
<body class="report">
<main>
<h1>${data.title}</h1>
${
  data.parts.length < 2
    ? ""
    : html`<nav aria-label="Benchmarks"><ul>${data.parts.map(({ title }, index) => html`<li><a href="#part-${index + 1}">${title}</a></li>`)}</ul></nav>`
}
${data.parts.map(part)}
</main>
<script>${raw(script)}</script>
</body>
</html>
`),
  );
}

function part(
  { title, summary = [], about, warnings, tables, plots, apart, ...list }: ReportPart,
  index: number,
) {
  return html`<section id="part-${index + 1}" aria-labelledby="title-${index + 1}">
<h2 id="title-${index + 1}">${title}</h2>
${summary.length === 0 ? "" : html`<section class="summary" aria-label="Summary of ${title}"><h3>Summary</h3><ul>${summary.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`}
${about.map((sentence) => html`<p>${sentence}</p>`)}
${warnings.length === 0 ? "" : html`<ul class="warnings">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
${tables.map((one) => table(one, title))}
${plots.length === 0 ? "" : html`<div class="plots">${plots.map((plot) => plotFigure(plot, title))}</div>`}
${apart === null ? "" : published(apart, title)}
${questionList(list, index + 1)}
</section>`;
}

function published({ why, tables }: NonNullable<ReportPart["apart"]>, part: string) {
  return html`<section class="apart">
<h3>Published results, not comparable</h3>
<p>These runs differ from the published protocol, or it is not known for their model. Their numbers are not comparable with the published ones.</p>
${why.map(({ run, deviations }) => html`<p>${run} differs in this:</p><ul>${deviations.map((one) => html`<li>${one}</li>`)}</ul>`)}
<details><summary>The papers' numbers</summary>${tables.map((one) => table(one, part))}</details>
</section>`;
}

function table({ title, about, head, words, rows }: ReportTable, part: string) {
  const kind = (column: number) => (column < words ? "word" : "number");
  return html`<h3>${title}</h3>
${about === undefined ? "" : html`<p class="soft">${about}</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="${part}: ${title}"><table>
<thead><tr>${head.map((name, column) => html`<th scope="col" class="${kind(column)}">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, column) =>
        column === 0
          ? html`<th scope="row">${cell}</th>`
          : html`<td class="${kind(column)}">${cell}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}
