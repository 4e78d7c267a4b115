import { html } from "hono/html";
import type { Plot, PlotPoint } from "./report-data.ts";

/* Plots as inline SVG: shares from 0 to 1 with their intervals. Series differ in colour and in the shape of their marks. */

const WIDTH = 640;
const LEFT = 52;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 44;
const HEIGHT = 300;
const NAMES_WIDTH = 236;
const ROW = 16;
const SHAPES = 6;
const SHARES = [0, 0.25, 0.5, 0.75, 1];

type Markup = ReturnType<typeof html>;

/** The plot with the names of its series below; scrolls sideways where the page is narrow. `part` tells it from plots of one title. */
export function plotFigure(plot: Plot, part: string): Markup {
  const svg = plot.kind === "places" ? placesPlot(plot) : axesPlot(plot);
  return html`<figure>
<figcaption>${plot.title}</figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${part}, plot: ${plot.title}">${svg}</div>
<ul class="legend">${plot.series.map(
    ({ name }, index) =>
      html`<li><svg width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">${mark(index, 0, 0)}</svg> ${name}</li>`,
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
  const py = (share: number) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  // Series of a line plot share their places: drawn a little apart, intervals do not cover each other.
  const aside = (index: number) =>
    plot.kind === "line" ? (index - (plot.series.length - 1) / 2) * 7 : 0;
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${described(plot)}">
${SHARES.map((share) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(share)}" y2="${py(share)}"/><text x="${LEFT - 6}" y="${py(share) + 4}" text-anchor="end">${100 * share}</text>`)}
${ticks.map((tick) => html`<text x="${px(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${short(tick)}</text>`)}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${plot.x}</text>
<text x="14" y="${(HEIGHT - BOTTOM + TOP) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(HEIGHT - BOTTOM + TOP) / 2})">${plot.y}, %</text>
${plot.chance === null ? "" : html`<line class="chance" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(plot.chance)}" y2="${py(plot.chance)}"/>`}
${plot.shares !== "diagonal" ? "" : html`<line class="chance" x1="${px(0)}" x2="${px(100)}" y1="${py(0)}" y2="${py(1)}"/>`}
${plot.series.map(({ points, faded }, index) => {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const place = (point: PlotPoint) => px(point.x) + aside(index);
  const line = sorted.map((point) => `${place(point).toFixed(1)},${py(point.y).toFixed(1)}`);
  return html`<g class="series-${index % SHAPES}${faded ? " faded" : ""}">${plot.kind === "line" ? html`<polyline points="${line.join(" ")}"/>` : ""}${sorted.map(
    (point) =>
      html`<g>${interval(place(point), py, point)}${mark(index, place(point), py(point.y))}<title>${point.label}</title></g>`,
  )}</g>`;
})}
</svg>`;
}

function ticksOf({ kind, shares }: Plot, xs: readonly number[]): number[] {
  if (kind === "line") return [...new Set(xs)].sort((a, b) => a - b);
  return shares === undefined ? ticksTo(Math.max(0, ...xs)) : SHARES.map((share) => 100 * share);
}

function interval(x: number, py: (share: number) => number, { low, high }: PlotPoint) {
  if (low === null || high === null) return "";
  return html`<line class="interval" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${py(low).toFixed(1)}" y2="${py(high).toFixed(1)}"/>`;
}

/** Named places downwards, shares to the right. */
function placesPlot(plot: Plot): Markup {
  const places = [
    ...new Map(
      plot.series.flatMap(({ points }) => points.map(({ x, at }) => [x, at ?? String(x)] as const)),
    ),
  ].sort(([a], [b]) => a - b);
  const band = ROW * Math.max(1, plot.series.length) + 10;
  const height = TOP + band * places.length + BOTTOM;
  const px = (share: number) => NAMES_WIDTH + share * (WIDTH - NAMES_WIDTH - RIGHT);
  const top = (x: number) => TOP + band * places.findIndex(([place]) => place === x);
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${described(plot)}">
${SHARES.map((share) => html`<line class="grid" x1="${px(share)}" x2="${px(share)}" y1="${TOP}" y2="${height - BOTTOM}"/><text x="${px(share)}" y="${height - BOTTOM + 18}" text-anchor="middle">${100 * share}</text>`)}
<text x="${(NAMES_WIDTH + WIDTH - RIGHT) / 2}" y="${height - 6}" text-anchor="middle">${plot.y}, %</text>
${places.map(([place, name]) => html`<text class="place" x="${NAMES_WIDTH - 8}" y="${top(place) + band / 2 + 4}" text-anchor="end">${name.length > 32 ? `${name.slice(0, 31)}…` : name}</text>`)}
${plot.chance === null ? "" : html`<line class="chance" x1="${px(plot.chance)}" x2="${px(plot.chance)}" y1="${TOP}" y2="${height - BOTTOM}"/>`}
${plot.series.map(
  ({ points }, index) =>
    html`<g class="series-${index % SHAPES}">${points.map((point) => {
      const y = top(point.x) + 5 + ROW * (index + 0.5);
      const reach =
        point.low === null || point.high === null
          ? ""
          : html`<line class="interval" x1="${px(point.low).toFixed(1)}" x2="${px(point.high).toFixed(1)}" y1="${y}" y2="${y}"/>`;
      return html`<g>${reach}${mark(index, px(point.y), y)}<title>${point.label}</title></g>`;
    })}</g>`,
)}
</svg>`;
}

/** Circle, square, diamond, triangle, cross, ring: distinguishable without colours. */
function mark(series: number, x: number, y: number): Markup {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
  const shape = series % SHAPES;
  const name = `mark series-${shape}`;
  switch (shape) {
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
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
