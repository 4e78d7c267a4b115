import sharp from "sharp";
import { seeded } from "../../src/core/random.ts";

/*
 * Random pictures without text and with the statistics of footage: shapes of all sizes that overlap, wires, rings,
 * railings, tiles, shadows, textures, focus, noise, compression.
 */

interface Draw {
  random: () => number;
  between: (least: number, most: number) => number;
  pick: <T>(list: readonly T[]) => T;
  width: number;
  height: number;
}

const grey = (level: number, opacity = 1) => {
  const value = Math.round(Math.max(0, Math.min(255, level)));
  return `rgba(${value},${value},${value},${opacity})`;
};

/** The picture of a seed as a JPEG. */
export async function scene(seed: string | number): Promise<Buffer> {
  const random = seeded("scene", seed);
  const between = (least: number, most: number) => least + (most - least) * random();
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const [width, height] = pick([
    [640, 480],
    [640, 360],
    [854, 480],
    [1280, 720],
  ] as const);
  const draw: Draw = { random, between, pick, width, height };
  const far = await layer(draw, between(0.6, 4), grey(between(20, 230)));
  const near = await layer(draw, between(0.4, 1.5));
  const { data } = await sharp(far)
    .composite([{ input: near }])
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grains = await grainsOf(draw);
  const contrast = between(0.4, 1);
  const pixels = Uint8Array.from(data, (level, at) => {
    const grain = grains.reduce(
      (sum, { levels, amount }) => sum + (((levels[at] ?? 0) - 128) / 128) * amount,
      0,
    );
    return Math.max(0, Math.min(255, 128 + (level - 128) * contrast + grain));
  });
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .blur(between(0.4, 1.2))
    .jpeg({ quality: Math.round(between(40, 92)) })
    .toBuffer();
}

/** Sensor noise, texture and uneven light. */
async function grainsOf({ random, between, width, height }: Draw) {
  const noise = Uint8Array.from({ length: width * height }, () => 255 * random());
  const raw = { raw: { width, height, channels: 1 as const } };
  const sizes = [
    [0.5, between(0, 12)],
    [between(1, 3), between(0, 25)],
    [between(6, 30), between(10, 60)],
  ] as const;
  return Promise.all(
    sizes.map(async ([sigma, amount]) => ({
      levels: await sharp(noise, raw).blur(sigma).normalise().toColourspace("b-w").raw().toBuffer(),
      amount,
    })),
  );
}

async function layer(draw: Draw, blur: number, ground?: string): Promise<Buffer> {
  const { between, width, height } = draw;
  const things = Array.from({ length: Math.round(between(30, 150)) }, () => thing(draw));
  const paper = ground === undefined ? "" : `<rect width="100%" height="100%" fill="${ground}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${paper}${things.join("")}</svg>`;
  return sharp(Buffer.from(svg)).blur(blur).png({ compressionLevel: 1 }).toBuffer();
}

/** One shape as SVG; small shapes are more frequent than large ones. */
function thing(draw: Draw): string {
  const { random, between, pick, width, height } = draw;
  const side = Math.min(width, height);
  const size = Math.min(side * 0.006 * (1 - random()) ** -0.8, side * 0.5);
  const [x, y, turn] = [random() * width, random() * height, between(-90, 90)];
  const [light, long] = [between(10, 245), size * between(1, 6)];
  const fill = grey(light);
  const swing = () => between(-long, long);
  const stroke = (least: number, most: number) =>
    `fill="none" stroke="${fill}" stroke-width="${Math.max(0.7, size * between(least, most))}"`;
  const rotated = (degrees: number) => `transform="rotate(${degrees} ${x} ${y})"`;
  return pick([
    () =>
      `<ellipse cx="${x}" cy="${y}" rx="${size}" ry="${size * between(0.3, 1)}" fill="${fill}" ${rotated(turn)}/>`,
    () => shaded(draw, x, y, long, size, light, rotated(pick([0, 90, turn, turn]))),
    () => shaded(draw, x, y, long, size, light, rotated(pick([0, 90, turn, turn]))),
    () => {
      const corners = Array.from({ length: 3 + Math.floor(random() * 5) }, (_, corner) => {
        const [angle, reach] = [corner * 1.2 + random(), size * between(0.4, 1.6)];
        return `${x + reach * Math.cos(angle)},${y + reach * Math.sin(angle)}`;
      });
      return `<polygon points="${corners.join(" ")}" fill="${fill}"/>`;
    },
    () =>
      `<path d="M${x} ${y} q${swing()} ${swing()} ${swing()} ${swing()} t${swing()} ${swing()}" ${stroke(0.05, 0.5)}/>`,
    () => rings(draw, x, y, size, stroke),
    () => wires(draw, x, y, fill),
    () => frames(draw, x, y, size, stroke, rotated(pick([0, turn * 0.2, turn]))),
    () => row(draw, x, y, size, fill, rotated(pick([0, turn * 0.2, turn]))),
    () =>
      `<ellipse cx="${x}" cy="${y}" rx="${size * 2}" ry="${size}" fill="${grey(pick([0, 255]), between(0.1, 0.5))}" ${rotated(turn)}/>`,
  ])();
}

/** A bar or a board with a gradient. */
function shaded(
  { between, random }: Draw,
  x: number,
  y: number,
  wide: number,
  high: number,
  light: number,
  place: string,
): string {
  const id = `light-${Math.floor(random() * 1e9)}`;
  const stops = `<stop offset="0" stop-color="${grey(light)}"/><stop offset="1" stop-color="${grey(light + between(-60, 60))}"/>`;
  return `<linearGradient id="${id}" gradientTransform="rotate(${between(0, 90)})">${stops}</linearGradient><rect x="${x}" y="${y}" width="${wide}" height="${high}" rx="${high * random() * 0.5}" fill="url(#${id})" ${place}/>`;
}

type Stroke = (least: number, most: number) => string;

function rings(
  { between, random }: Draw,
  x: number,
  y: number,
  size: number,
  stroke: Stroke,
): string {
  const flat = between(0.4, 1);
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (_, ring) => {
    const radius = size / (ring + 1);
    return `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${radius * flat}" ${stroke(0.05, 0.4)}/>`;
  }).join("");
}

/** Crossing lines, like cables, twigs and the joints of tiles. */
function wires({ between, random, pick, width }: Draw, x: number, y: number, fill: string): string {
  const thick = between(0.7, width / 150);
  const reach = width * between(0.03, 0.4);
  const bend = reach * pick([0, 0, 0.1, 0.4]);
  return Array.from({ length: 2 + Math.floor(random() * 4) }, () => {
    const [dx, dy] = [between(-reach, reach), between(-reach, reach) * pick([0.2, 1])];
    const start = `${x + between(-0.2, 0.2) * reach} ${y + between(-0.2, 0.2) * reach}`;
    const over = `${dx / 2 + between(-bend, bend)} ${dy / 2 + between(-bend, bend)}`;
    return `<path d="M${start} q${over} ${dx} ${dy}" fill="none" stroke="${fill}" stroke-width="${thick}"/>`;
  }).join("");
}

/** Outlines of boxes in a row, like windows, drawers, shelves and tiles. */
function frames(
  { between, random }: Draw,
  x: number,
  y: number,
  size: number,
  stroke: Stroke,
  place: string,
): string {
  const [wide, high, gap] = [size * between(0.5, 4), size * between(1, 4), size * between(0, 0.4)];
  const count = 1 + Math.floor(random() * 4);
  const boxes = Array.from(
    { length: count },
    (_, box) =>
      `<rect x="${x + box * (wide + gap)}" y="${y}" width="${wide * between(0.7, 1)}" height="${high}" ${stroke(0.03, 0.25)}/>`,
  );
  return `<g ${place}>${boxes.join("")}</g>`;
}

/** Shapes of one kind in a row, like railings, keys, leaves and bottles. */
function row(
  { between, random, pick }: Draw,
  x: number,
  y: number,
  size: number,
  fill: string,
  place: string,
): string {
  const step = size * between(0.6, 2.5);
  const [wide, high] = [size * between(0.15, 1), size * between(0.5, 2.5)];
  const kind = pick(["rect", "ellipse", "line"]);
  const members = Array.from({ length: 3 + Math.floor(random() * 9) }, (_, index) => {
    const left = x + index * step + between(-0.1, 0.1) * size;
    const top = y + between(-0.15, 0.15) * size;
    const grown = between(0.8, 1.2);
    if (kind === "rect")
      return `<rect x="${left}" y="${top}" width="${wide * grown}" height="${high * grown}"/>`;
    if (kind === "ellipse")
      return `<ellipse cx="${left}" cy="${top}" rx="${(wide * grown) / 2}" ry="${(high * grown) / 2}"/>`;
    return `<path d="M${left} ${top} l${wide * between(-0.5, 0.5)} ${high * grown}" stroke="${fill}" stroke-width="${Math.max(0.8, wide * 0.3)}"/>`;
  });
  return `<g fill="${fill}" ${place}>${members.join("")}</g>`;
}
