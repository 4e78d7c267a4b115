import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";

const fonts = join(
  dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf",
);

export interface TextLine {
  text: string;
  /** Left and top of the text, pixels. */
  x: number;
  y: number;
  /** Height of the text in pixels. Default 40. */
  height?: number;
  colour?: string;
}

/** A PNG with lines of text in the DejaVu Sans of an npm package, so that no system font is needed. */
export async function textImage(
  width: number,
  height: number,
  lines: readonly TextLine[],
  background = "white",
): Promise<Buffer> {
  const composed = await Promise.all(
    lines.map(async (line) => ({
      input: await textBlock(line.text, line.height ?? 40, line.colour ?? "black"),
      left: line.x,
      top: line.y,
    })),
  );
  return sharp({ create: { width, height, channels: 3, background } })
    .composite(composed)
    .png()
    .toBuffer();
}

async function textBlock(text: string, height: number, colour: string): Promise<Buffer> {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const mask = await sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font: "DejaVu Sans",
      fontfile: join(fonts, "DejaVuSans.ttf"),
      rgba: true,
      dpi: 300,
    },
  })
    .png()
    .toBuffer();
  return sharp(mask).resize({ height }).png().toBuffer();
}
