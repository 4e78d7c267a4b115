import type { Curve } from "../../test/bench/curves/curve.ts";

const PANEL = { width: 400, height: 280, left: 48, right: 18, top: 46, bottom: 60 };
/** Height of a line of the legend. */
const LINE = 18;

const LIGHT = { page: "#fff", ink: "#222", quiet: "#555", grid: "#ddd" };
const DARK = { page: "#15181c", ink: "#e8e8e8", quiet: "#b0b4b8", grid: "#3a3f45" };
/** Colours of series, in turn. */
const SERIES = ["#0b62a4", "#b3500f", "#2a7d3f", "#7a3d9a"];
const SERIES_ON_DARK = ["#6cb6ff", "#f0a35e", "#7fd18f", "#cf9ff0"];

const STYLE = [
  ...colours(LIGHT, SERIES),
  ".title { font-weight: bold; font-size: 14px }",
  "polyline { fill: none; stroke-width: 2 }",
  ...["@media (prefers-color-scheme: dark) {", ...colours(DARK, SERIES_ON_DARK), "}"],
].join("\n");

function colours({ page, ink, quiet, grid }: typeof LIGHT, series: readonly string[]): string[] {
  return [
    `.page { fill: ${page} } text { fill: ${ink} } .quiet { fill: ${quiet} } .grid { stroke: ${grid} }`,
    ...series.map(
      (colour, index) =>
        `.s${index} { fill: ${colour} } polyline.s${index} { fill: none; stroke: ${colour} }`,
    ),
  ];
}

/** The curves as one SVG, one below the other, so that a phone shows their text at a readable size. */
export function plotOf(all: readonly Curve[]): string {
  const { width } = PANEL;
  let height = 0;
  const panels = all.map((curve) => {
    const drawn = `<g transform="translate(0 ${height})">${panel(curve)}</g>`;
    height += PANEL.height + curve.series.length * LINE;
    return drawn;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<style>
${STYLE}
</style>
<rect class="page" width="${width}" height="${height}"/>
${panels.join("\n")}
</svg>
`;
}

/** One curve. The numbers to the right are on a logarithmic scale, those upwards begin at 0. */
function panel({ title, x, y, series }: Curve): string {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map(([at]) => at))].sort((a, b) => a - b);
  const [first = 1, last = 1] = [xs[0], xs.at(-1)];
  const step = niceStep(Math.max(...points.map(([, value]) => value)));
  const most = Math.ceil(Math.max(...points.map(([, value]) => value)) / step) * step || 1;
  const right = PANEL.width - PANEL.right;
  const bottom = PANEL.height - PANEL.bottom;
  const px = (value: number) =>
    round(
      PANEL.left + (Math.log(value / first) / Math.log(last / first || 2)) * (right - PANEL.left),
    );
  const py = (value: number) => round(bottom - (value / most) * (bottom - PANEL.top));
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step);
  return [
    text(8, 18, title, 'class="title"'),
    text(8, 34, y, 'class="quiet"'),
    ...ticks.flatMap((tick) => [
      `<line x1="${PANEL.left}" x2="${right}" y1="${py(tick)}" y2="${py(tick)}" class="grid"/>`,
      text(PANEL.left - 6, py(tick) + 4, String(round(tick)), 'text-anchor="end"'),
    ]),
    ...xs.map((at) => text(px(at), bottom + 16, String(at), 'text-anchor="middle"')),
    text((PANEL.left + right) / 2, bottom + 32, x, 'text-anchor="middle" class="quiet"'),
    ...series.flatMap(({ name, points }, index) => {
      const colour = `s${index % SERIES.length}`;
      const line = points.map(([at, value]) => `${px(at)},${py(value)}`).join(" ");
      const legend = bottom + 54 + index * LINE;
      return [
        `<polyline class="${colour}" points="${line}"${index % 2 === 1 ? ' stroke-dasharray="6 4"' : ""}/>`,
        ...points.map(
          ([at, value]) => `<circle class="${colour}" cx="${px(at)}" cy="${py(value)}" r="3.5"/>`,
        ),
        `<polyline class="${colour}" points="${PANEL.left},${legend - 4} ${PANEL.left + 24},${legend - 4}"${index % 2 === 1 ? ' stroke-dasharray="6 4"' : ""}/>`,
        text(PANEL.left + 32, legend, name),
      ];
    }),
  ].join("");
}

/** A step of 1, 2 or 5 times a power of ten that divides 0 to `most` into at most six. */
function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 6 || 1));
  return power * ([1, 2, 5, 10].find((times) => most / 6 <= times * power) ?? 10);
}

function text(x: number, y: number, words: string, more = ""): string {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}" ${more}>${escaped}</text>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
