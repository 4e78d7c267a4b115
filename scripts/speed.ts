/**
 * `npm run speed [-- NAME ...]`: measures the curves of `test/bench/curves/NAME.ts`, keeps them in `docs/speed.json`, and
 * draws all of that file to `docs/speed.svg`. Without names it only draws. A file exports `measure()`; what it returns
 * replaces the curves of the same names.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Curve, Curves } from "../test/bench/curves/curve.ts";

const root = join(import.meta.dirname, "..");
const DATA = join(root, "docs/speed.json");
const PLOT = join(root, "docs/speed.svg");

const COLUMNS = 2;
const PANEL = { width: 400, height: 270, left: 52, right: 16, top: 34, bottom: 66 };
const COLOURS = ["#0b62a4", "#b3500f", "#2a7d3f", "#7a3d9a"];

let curves: Curves = existsSync(DATA) ? Curves.parse(JSON.parse(await readFile(DATA, "utf8"))) : {};
for (const name of process.argv.slice(2)) {
  const path = join(root, "test/bench/curves", `${name}.ts`);
  if (!existsSync(path)) {
    console.error(`Unknown curve ${JSON.stringify(name)}: ${path} is missing.`);
    process.exit(2);
  }
  const { measure } = (await import(path)) as { measure: () => Promise<Curves> };
  curves = Curves.parse({ ...curves, ...(await measure()) });
  await writeFile(DATA, `${JSON.stringify(curves, rounded, 1)}\n`);
}
await writeFile(PLOT, plotOf(Object.values(curves)));
process.exit();

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

function plotOf(all: readonly Curve[]): string {
  const width = PANEL.width * COLUMNS;
  const height = PANEL.height * Math.ceil(all.length / COLUMNS);
  const panels = all.map((curve, index) => {
    const x = (index % COLUMNS) * PANEL.width;
    const y = Math.floor(index / COLUMNS) * PANEL.height;
    return `<g transform="translate(${x} ${y})">${panel(curve)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">
<rect width="${width}" height="${height}" fill="#fff"/>
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
    text(PANEL.left, 16, `${title}`, 'font-weight="bold"'),
    text(PANEL.left, 29, y, 'fill="#555"'),
    ...ticks.flatMap((tick) => [
      `<line x1="${PANEL.left}" x2="${right}" y1="${py(tick)}" y2="${py(tick)}" stroke="#ddd"/>`,
      text(PANEL.left - 6, py(tick) + 4, String(round(tick)), 'text-anchor="end"'),
    ]),
    ...xs.map((at) => text(px(at), bottom + 16, String(at), 'text-anchor="middle"')),
    text((PANEL.left + right) / 2, bottom + 32, x, 'text-anchor="middle" fill="#555"'),
    ...series.flatMap(({ name, points }, index) => {
      const colour = COLOURS[index % COLOURS.length] as string;
      const line = points.map(([at, value]) => `${px(at)},${py(value)}`).join(" ");
      return [
        `<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...points.map(
          ([at, value]) => `<circle cx="${px(at)}" cy="${py(value)}" r="3" fill="${colour}"/>`,
        ),
        text(PANEL.left + index * 180, bottom + 50, name, `fill="${colour}"`),
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
