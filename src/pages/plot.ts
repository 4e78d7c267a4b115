import { html } from "hono/html";
import type { Plot, PlotPoint } from "./report-data.ts";

/*
 * Plots as inline SVG: shares or differences with their intervals. Series differ in colour and in the shape of their
 * marks. One unit is one CSS pixel on a phone, so that text has the size of the body there; `report.css` makes the text
 * smaller in units where the plot is drawn larger.
 */

const WIDTH = 330;
const LEFT = 44;
const RIGHT = 14;
const TOP = 34;
const HEIGHT = 240;
const LINE = 20;
const ROW = 18;
const SHAPES = 6;
/** Characters of a label that fit into a line on a phone. */
const CHARACTERS = 36;
/** A joined series of more points is only a line. */
const MOST_MARKS = 20;
const SHARES = [0, 0.25, 0.5, 0.75, 1];

type Markup = ReturnType<typeof html>;

/** The plot with the names of its series below. `part` tells it from plots of one title. */
export function plotFigure(plot: Plot, part: string): Markup {
  const svg = plot.kind === "places" ? placesPlot(plot) : axesPlot(plot);
  return html`<figure aria-label="${part}, plot: ${plot.title}">
<figcaption>${plot.title}</figcaption>
${svg}
<ul class="legend">${plot.series.map(
    ({ name, faded }, index) =>
      html`<li><svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true"><g class="${faded ? "faded" : ""}">${mark(index, 0, 0)}</g></svg> ${name}</li>`,
  )}${plot.chance === null ? "" : html`<li><svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true"><line class="chance" x1="-8" x2="8" y1="0" y2="0"/></svg> guessing (${percent(plot.chance)} %)</li>`}</ul>
</figure>`;
}

/** Numbers to the right, shares upwards. */
function axesPlot(plot: Plot): Markup {
  const xs = plot.series.flatMap(({ points }) => points.map((point) => point.x));
  const ticks = ticksOf(plot, xs);
  const from = plot.kind === "line" ? (ticks[0] ?? 0) - 0.5 : 0;
  const to = plot.kind === "line" ? (ticks.at(-1) ?? 1) + 0.5 : (ticks.at(-1) ?? 1);
  const px = (x: number) => LEFT + ((x - from) / (to - from || 1)) * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + HEIGHT;
  const py = (share: number) => bottom - share * HEIGHT;
  // Series of a line plot share their places: drawn a little apart, intervals do not cover each other.
  const apart = Math.min(5, 24 / plot.series.length);
  const aside = (index: number) =>
    plot.kind === "line" ? (index - (plot.series.length - 1) / 2) * apart : 0;
  const label = linesOf(plot.x);
  const height = bottom + LINE * (1 + label.length) + 8;
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${described(plot)}">
<text x="0" y="16">${plot.y}, %</text>
${SHARES.map((share) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(share)}" y2="${py(share)}"/><text x="${LEFT - 6}" y="${py(share) + 5}" text-anchor="end">${100 * share}</text>`)}
${ticks.map((tick) => html`<text x="${within(px(tick), short(tick))}" y="${bottom + LINE}" text-anchor="middle">${short(tick)}</text>`)}
${labelLines(label, (LEFT + WIDTH - RIGHT) / 2, bottom + LINE)}
${plot.chance === null ? "" : html`<line class="chance" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(plot.chance)}" y2="${py(plot.chance)}"/>`}
${plot.shares !== "diagonal" ? "" : html`<line class="chance" x1="${px(0)}" x2="${px(100)}" y1="${py(0)}" y2="${py(1)}"/>`}
${plot.series.map(({ points, faded }, index) => {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const place = (point: PlotPoint) => px(point.x) + aside(index);
  const line = sorted.map((point) => `${place(point).toFixed(1)},${py(point.y).toFixed(1)}`);
  return html`<g class="${colour(index)}${faded ? " faded" : ""}">${plot.kind === "line" || plot.joined ? html`<polyline points="${line.join(" ")}"/>` : ""}${sorted.map(
    (point) =>
      html`<g>${interval(place(point), py, point)}${plot.joined && points.length > MOST_MARKS ? "" : mark(index, place(point), py(point.y))}<title>${point.label}</title></g>`,
  )}</g>`;
})}
</svg>`;
}

/** The x axis has at most as many labels as fit; the others are left out at even distances. */
function ticksOf({ kind, shares }: Plot, xs: readonly number[]): number[] {
  if (kind === "line") {
    const all = [...new Set(xs)].sort((a, b) => a - b);
    const step = Math.ceil(all.length / 12);
    return all.filter((_, at) => at % step === 0 || at === all.length - 1);
  }
  return shares === undefined ? ticksTo(Math.max(0, ...xs)) : SHARES.map((share) => 100 * share);
}

function interval(x: number, py: (share: number) => number, { low, high }: PlotPoint) {
  if (low === null || high === null) return "";
  return html`<line class="interval" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${py(low).toFixed(1)}" y2="${py(high).toFixed(1)}"/>`;
}

/** Named places downwards, each name above its marks; shares or differences to the right. */
function placesPlot(plot: Plot): Markup {
  const places = [
    ...new Map(
      plot.series.flatMap(({ points }) => points.map(({ x, at }) => [x, at ?? String(x)] as const)),
    ),
  ].sort(([a], [b]) => a - b);
  const band = LINE + ROW * Math.max(1, plot.series.length) + 10;
  const bottom = band * places.length + 8;
  const label = linesOf(plot.unit === "points" ? `${plot.y}, points` : `${plot.y}, %`);
  const height = bottom + LINE * (1 + label.length) + 8;
  const ticks = plot.unit === "points" ? differenceTicks(plot) : SHARES;
  const [from, to] = [ticks[0] as number, ticks.at(-1) as number];
  const px = (share: number) => 20 + ((share - from) / (to - from)) * (WIDTH - 40);
  const top = (x: number) => band * places.findIndex(([place]) => place === x);
  const reference = plot.unit === "points" ? 0 : plot.chance;
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${described(plot)}">
${ticks.map((tick) => html`<line class="grid" x1="${px(tick)}" x2="${px(tick)}" y1="4" y2="${bottom}"/><text x="${px(tick)}" y="${bottom + LINE}" text-anchor="middle">${short(100 * tick)}</text>`)}
${labelLines(label, WIDTH / 2, bottom + LINE)}
${reference === null ? "" : html`<line class="chance" x1="${px(reference)}" x2="${px(reference)}" y1="4" y2="${bottom}"/>`}
${places.map(([place, name]) => html`<text class="place" x="4" y="${top(place) + LINE}">${cut(name)}</text>`)}
${plot.series.map(
  ({ points, faded }, index) =>
    html`<g class="${colour(index)}${faded ? " faded" : ""}">${points.map((point) => {
      const y = top(point.x) + LINE + ROW * (index + 0.5) + 3;
      const reach =
        point.low === null || point.high === null
          ? ""
          : html`<line class="interval" x1="${px(point.low).toFixed(1)}" x2="${px(point.high).toFixed(1)}" y1="${y}" y2="${y}"/>`;
      return html`<g>${reach}${mark(index, px(point.y), y)}<title>${point.label}</title></g>`;
    })}</g>`,
)}
</svg>`;
}

/** Round differences that include 0 and every interval. */
function differenceTicks({ series }: Plot): number[] {
  const values = series.flatMap(({ points }) =>
    points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]),
  );
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = roundStep((most - least || 0.1) / 4);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** The text in lines that fit a phone. */
function linesOf(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line === "") lines[lines.length - 1] = cut(word);
    else if (line.length + 1 + word.length <= CHARACTERS) lines[lines.length - 1] += ` ${word}`;
    else lines.push(cut(word));
  }
  return lines;
}

function labelLines(lines: readonly string[], x: number, y: number) {
  return lines.map(
    (line, at) =>
      html`<text x="${x}" y="${y + LINE * (at + 1) + 2}" text-anchor="middle">${line}</text>`,
  );
}

/** Where a centred label begins to end outside the plot, its centre moves inside. */
function within(x: number, label: string): number {
  return Math.min(x, WIDTH - 5 * label.length);
}

function cut(name: string): string {
  return name.length > CHARACTERS ? `${name.slice(0, CHARACTERS - 1)}…` : name;
}

/** Class with the colour of a series. Series that share a shape differ in colour, for the first 36. */
function colour(series: number): string {
  return `series-${(series + Math.floor(series / SHAPES)) % SHAPES}`;
}

/** Circle, square, diamond, triangle, cross, ring: the first six are distinguishable without colours. */
function mark(series: number, x: number, y: number): Markup {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  const name = `mark ${colour(series)}`;
  switch (series % SHAPES) {
    case 0:
      return html`<circle class="${name}" transform="${at}" r="5"/>`;
    case 1:
      return html`<rect class="${name}" transform="${at}" x="-4.5" y="-4.5" width="9" height="9"/>`;
    case 2:
      return html`<path class="${name}" transform="${at}" d="M0-6 6 0 0 6-6 0z"/>`;
    case 3:
      return html`<path class="${name}" transform="${at}" d="M0-6 5.5 4.5h-11z"/>`;
    case 4:
      return html`<path class="${name} open" transform="${at}" d="M-4.5-4.5 4.5 4.5M-4.5 4.5 4.5-4.5"/>`;
    default:
      return html`<circle class="${name} open" transform="${at}" r="4.5"/>`;
  }
}

/** The points as text, for screen readers. */
function described({ title, series }: Plot): string {
  return `${title}. ${series.flatMap(({ points }) => points.map(({ label }) => label)).join("; ")}`;
}

/** Round numbers from 0 to above `most`, five or so. */
function ticksTo(most: number): number[] {
  if (most <= 0) return [0, 1];
  const step = roundStep(most / 4);
  return Array.from({ length: Math.ceil(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** 1, 2, 2.5 or 5 times a power of ten, at least `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10) * power;
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
