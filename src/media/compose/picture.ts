import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { sharp } from "../sharp.ts";

/*
 * Drawn frames. `x` and widths are shares of the frame's width, `y`, heights, radii and text sizes shares of
 * its height, so that one drawing fits every output size. Colours are names or `#rrggbb`.
 */

export type Font = "sans" | "sans-bold" | "serif" | "serif-bold" | "mono" | "maths";

export interface Text {
  draw: "text";
  text: string;
  x: number;
  y: number;
  /** Font size (em). */
  size: number;
  /** What `x` and `y` name: the middle of the ink, or its left edge and middle height. Default `middle`. */
  anchor?: "middle" | "left";
  font?: Font;
  colour?: string;
}

export interface Box {
  draw: "box";
  x: number;
  y: number;
  width: number;
  height: number;
  fill?: string;
  stroke?: string;
}

export interface Circle {
  draw: "circle";
  x: number;
  y: number;
  radius: number;
  fill: string;
}

export interface Line {
  draw: "line";
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  stroke: string;
}

export type Shape = Text | Box | Circle | Line;

export interface Picture {
  background: string;
  shapes: readonly Shape[];
}

// Text is set from font files, yet the library complains on a machine that has no font configuration at all.
if (process.env.FONTCONFIG_FILE === undefined && !existsSync("/etc/fonts/fonts.conf"))
  process.env.FONTCONFIG_FILE = join(import.meta.dirname, "fonts.conf");

const fontFolder = join(
  dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf",
);

const FONTS: Record<Font, { file: string; name: string }> = {
  sans: { file: "DejaVuSans.ttf", name: "DejaVu Sans" },
  "sans-bold": { file: "DejaVuSans-Bold.ttf", name: "DejaVu Sans Bold" },
  serif: { file: "DejaVuSerif.ttf", name: "DejaVu Serif" },
  "serif-bold": { file: "DejaVuSerif-Bold.ttf", name: "DejaVu Serif Bold" },
  mono: { file: "DejaVuSansMono.ttf", name: "DejaVu Sans Mono" },
  maths: { file: "DejaVuMathTeXGyre.ttf", name: "DejaVu Math TeX Gyre" },
};

/** Interleaved RGB of a picture. Fonts come from a package: no system font or font configuration is read. */
export async function drawPicture(
  picture: Picture,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const words = picture.shapes.filter((shape) => shape.draw === "text");
  const layers = await Promise.all(
    words.map(async (word) => {
      const ink = await setText(word, height);
      const left = Math.round(word.x * width - (word.anchor === "left" ? 0 : ink.width / 2));
      const top = Math.round(word.y * height - ink.height / 2);
      return visiblePart(ink, left, top, width, height);
    }),
  );
  return sharp(Buffer.from(svgOf(picture, width, height)))
    .composite(layers.flat())
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer();
}

/** Words that run over the frame's edge are cut there: sharp refuses layers larger than the picture. */
async function visiblePart(
  ink: Ink,
  left: number,
  top: number,
  width: number,
  height: number,
): Promise<{ input: Buffer; left: number; top: number }[]> {
  const from = { x: Math.max(0, left), y: Math.max(0, top) };
  const size = {
    width: Math.min(width, left + ink.width) - from.x,
    height: Math.min(height, top + ink.height) - from.y,
  };
  if (size.width <= 0 || size.height <= 0) return [];
  if (size.width === ink.width && size.height === ink.height)
    return [{ input: ink.png, left, top }];
  const part = { left: from.x - left, top: from.y - top, ...size };
  return [
    { input: await sharp(ink.png).extract(part).png().toBuffer(), left: from.x, top: from.y },
  ];
}

/** Boxes, labels and an axis for values from 0 up; `area` in the units of shapes. */
export function barChart(
  bars: readonly { label: string; value: number }[],
  area: { x: number; y: number; width: number; height: number },
  colour = "#3465a4",
): Shape[] {
  const top = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  const step = area.width / Math.max(bars.length, 1);
  const floor = area.y + area.height;
  const size = Math.min(0.05, area.height / 8);
  const shapes: Shape[] = bars.flatMap((bar, i): Shape[] => {
    const height = (bar.value / top) * area.height;
    const middle = area.x + step * (i + 0.5);
    return [
      {
        draw: "box",
        x: middle - step * 0.35,
        y: floor - height,
        width: step * 0.7,
        height,
        fill: colour,
      },
      { draw: "text", text: String(bar.value), x: middle, y: floor - height - size * 0.7, size },
      { draw: "text", text: bar.label, x: middle, y: floor + size, size },
    ];
  });
  return [
    ...shapes,
    {
      draw: "line",
      x1: area.x,
      y1: floor,
      x2: area.x + area.width,
      y2: floor,
      stroke: "black",
    },
  ];
}

function svgOf(picture: Picture, width: number, height: number): string {
  const pen = Math.max(1, height / 240);
  const drawn = picture.shapes.map((shape) => {
    if (shape.draw === "text") return "";
    if (shape.draw === "box")
      return `<rect x="${shape.x * width}" y="${shape.y * height}" width="${shape.width * width}" height="${shape.height * height}" fill="${attribute(shape.fill ?? "none")}" stroke="${attribute(shape.stroke ?? "none")}" stroke-width="${pen}"/>`;
    if (shape.draw === "circle")
      return `<circle cx="${shape.x * width}" cy="${shape.y * height}" r="${shape.radius * height}" fill="${attribute(shape.fill)}"/>`;
    return `<line x1="${shape.x1 * width}" y1="${shape.y1 * height}" x2="${shape.x2 * width}" y2="${shape.y2 * height}" stroke="${attribute(shape.stroke)}" stroke-width="${pen}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${attribute(picture.background)}"/>${drawn.join("")}</svg>`;
}

interface Ink {
  png: Buffer;
  width: number;
  height: number;
}

const inks = new Map<string, Promise<Ink>>();
const INKS_KEPT = 200;

/** The ink of a line of text, kept because animated pictures set the same words in every frame. */
function setText(word: Text, frameHeight: number): Promise<Ink> {
  const font = FONTS[word.font ?? "sans"];
  const size = Math.max(4, Math.round(word.size * frameHeight));
  const colour = word.colour ?? "black";
  const key = JSON.stringify([word.text, font.file, size, colour]);
  let ink = inks.get(key);
  if (ink === undefined) {
    ink = sharp({
      text: {
        text: `<span foreground="${attribute(colour)}">${attribute(word.text)}</span>`,
        font: `${font.name} ${size}`,
        fontfile: join(fontFolder, font.file),
        rgba: true,
        dpi: 72,
      },
    })
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true })
      .then(({ data, info }) => ({ png: data, width: info.width, height: info.height }));
    const oldest = inks.keys().next();
    if (inks.size >= INKS_KEPT && !oldest.done) inks.delete(oldest.value);
    inks.set(key, ink);
  }
  return ink;
}

function attribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
