import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { seeded } from "../../src/core/random.ts";
import type { Box } from "../../src/core/shapes.ts";

/* Random pictures with text, for tests of OCR: fonts, sizes, contrast, backgrounds, rotation, compression. */

const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")),
  "ttf",
);
const FONTS = [
  ["DejaVu Sans", "DejaVuSans.ttf"],
  ["DejaVu Sans Bold", "DejaVuSans-Bold.ttf"],
  ["DejaVu Sans Oblique", "DejaVuSans-Oblique.ttf"],
  ["DejaVu Sans ExtraLight", "DejaVuSans-ExtraLight.ttf"],
  ["DejaVu Sans Condensed", "DejaVuSansCondensed.ttf"],
  ["DejaVu Sans Mono", "DejaVuSansMono.ttf"],
  ["DejaVu Serif", "DejaVuSerif.ttf"],
  ["DejaVu Serif Bold", "DejaVuSerif-Bold.ttf"],
  ["DejaVu Serif Italic", "DejaVuSerif-Italic.ttf"],
] as const;

export type Ground = "plain" | "gradient" | "noise" | "texture" | "given";

export interface TextBoard {
  jpeg: Buffer;
  texts: string[];
  /** Position of each text, pixels. */
  boxes: Box[];
  /** Description of the board, for the message of a failed test. */
  how: string;
}

const WORDS =
  "water energy Lesson Chapter mitosis velocity Sale Exit Milk number graph answer Open market 2024 Total km/h Photosynthesis the of result Next STOP Kitchen music".split(
    " ",
  );

/**
 * The board of a seed. `photo` is the background, if given; `faintest` and `strongest` limit the contrast between text
 * and a plain background, in grey levels.
 */
export async function textBoard(
  seed: string | number,
  photo?: Buffer,
  [faintest, strongest]: readonly [number, number] = [25, 220],
): Promise<TextBoard> {
  const random = seeded("text board", seed);
  const int = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T;
  const [width, height] = pick([
    [320, 240],
    [480, 270],
    [640, 360],
    [640, 480],
    [854, 480],
    [1280, 720],
    [1280, 720],
    [1920, 1080],
  ] as const);
  const kind = photo ? "given" : pick(["plain", "plain", "gradient", "noise", "texture"] as const);
  const paper = int(0, 255);
  const ground = await groundOf(kind, width, height, paper, random, photo);
  const texts: string[] = [];
  const boxes: Box[] = [];
  const layers: { input: Buffer; left: number; top: number }[] = [];
  const rows = pick([1, 1, 2, 3]);
  const turn = random() < 0.3 ? (random() - 0.5) * 6 : 0;
  const contrast = int(faintest, strongest);
  const darker = paper > 128 ? paper - contrast >= 0 : paper + contrast > 255;
  const level = Math.max(0, Math.min(255, paper + (darker ? -contrast : contrast)));
  const tint = random() < 0.3 ? int(-30, 30) : 0;
  const how: string[] = [
    `${seed}: ${width}x${height} ${kind} ${paper}/${level} turned ${turn.toFixed(1)}`,
  ];
  for (let row = 0; row < rows; row++) {
    const text = textOf(random, int, pick);
    const font = pick(FONTS);
    const size = Math.max(9, Math.round(height * (0.02 + 0.18 * random() ** 2)));
    const input = await word(text, font, size, level, tint, turn, random() < 0.15 ? random : null);
    const meta = await sharp(input).metadata();
    const [wide, high] = [meta.width ?? 0, meta.height ?? 0];
    const room = Math.floor(height / rows);
    if (wide >= width || high >= room) continue;
    const [left, top] = [int(0, width - wide), row * room + int(0, room - high)];
    layers.push({ input, left, top });
    boxes.push({ x: left, y: top, width: wide, height: high });
    texts.push(text);
    how.push(`"${text}" ${font[0]} ${size} px`);
  }
  const quality = int(55, 95);
  const jpeg = await sharp(ground).composite(layers).jpeg({ quality }).toBuffer();
  return { jpeg, texts, boxes, how: how.join(", ") };
}

function textOf(
  random: () => number,
  int: (least: number, most: number) => number,
  pick: <T>(list: readonly T[]) => T,
): string {
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(" ");
  const kind = random();
  if (kind < 0.2) return words(1);
  if (kind < 0.45) return words(int(2, 4));
  if (kind < 0.55) return words(int(4, 7));
  if (kind < 0.65) return String(int(0, 9));
  if (kind < 0.75) return String(int(10, 9999));
  return pick([
    `${int(2, 9)}x + ${int(1, 20)} = ${int(10, 99)}`,
    `f(x) = ${int(2, 9)}x + ${int(1, 9)}`,
    `${int(2, 99)} + ${int(2, 99)} = ?`,
    `y = ${int(2, 9)}(${int(1, 9)} - x)`,
    `${int(1, 9)}/${int(2, 9)} + z = ${int(1, 30)}`,
  ]);
}

/** A text as an RGBA PNG; with `shaky`, its outlines are distorted like handwriting. */
async function word(
  text: string,
  [font, file]: (typeof FONTS)[number],
  size: number,
  level: number,
  tint: number,
  turn: number,
  shaky: (() => number) | null,
): Promise<Buffer> {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const { data, info } = await sharp({
    text: { text: escaped, font: `${font} ${size}px`, fontfile: join(FOLDER, file), rgba: true },
  })
    .extend({ top: 4, bottom: 4, left: 4, right: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const rgba = Buffer.alloc(width * height * 4);
  const amplitude = shaky === null ? 0 : size * 0.05;
  const [phase, wave] = [(shaky?.() ?? 0) * 6, size * (0.8 + (shaky?.() ?? 0))];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const dx = Math.round(amplitude * Math.sin(phase + (y * 6) / wave));
      const dy = Math.round(amplitude * Math.sin(phase + (x * 4) / wave));
      const [fx, fy] = [x + dx, y + dy];
      const inside = fx >= 0 && fx < width && fy >= 0 && fy < height;
      const at = (y * width + x) * 4;
      rgba[at] = Math.max(0, Math.min(255, level + tint));
      rgba[at + 1] = level;
      rgba[at + 2] = Math.max(0, Math.min(255, level - tint));
      rgba[at + 3] = inside ? (data[(fy * width + fx) * 4 + 3] ?? 0) : 0;
    }
  const drawn = sharp(rgba, { raw: { width, height, channels: 4 } });
  const turned = turn === 0 ? drawn : drawn.rotate(turn, { background: "#00000000" });
  return turned.png().toBuffer();
}

async function groundOf(
  kind: Ground,
  width: number,
  height: number,
  paper: number,
  random: () => number,
  photo: Buffer | undefined,
): Promise<Buffer> {
  if (kind === "given")
    return sharp(photo).resize(width, height, { fit: "cover" }).removeAlpha().png().toBuffer();
  const slope = kind === "gradient" ? (random() - 0.5) * 120 : 0;
  const spread = kind === "noise" ? 4 + random() * 14 : kind === "texture" ? 25 + random() * 40 : 0;
  const blur = kind === "texture" ? 1 + random() * 4 : 0.3;
  const pixels = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const grain = spread === 0 ? 0 : (random() + random() + random() - 1.5) * 2 * spread;
      const level = paper + slope * (x / width - 0.5) + grain;
      pixels[at] = Math.max(0, Math.min(255, level));
    }
  const drawn = sharp(pixels, { raw: { width, height, channels: 1 } });
  return (spread === 0 ? drawn : drawn.blur(blur)).toColourspace("srgb").png().toBuffer();
}
