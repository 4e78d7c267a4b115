import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { seeded } from "../../../src/core/random.ts";
import { drawPicture, type Picture } from "../../../src/media/compose/picture.ts";
import { inputArgs, runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { readImage } from "../../../tools/text/read-image.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";

afterAll(closeOcr);

type Board = { font: "sans" | "serif" | "sans-bold" | "mono"; size: number; height: number };

async function board(text: string, { font, size, height }: Board, dark = false) {
  const width = Math.round((height * 16) / 9);
  const picture: Picture = {
    background: dark ? "#103020" : "#ffffff",
    shapes: [
      {
        ...{ draw: "text", text, x: 0.1, y: 0.4, size, anchor: "left", font },
        colour: dark ? "#f0f0e0" : "black",
      },
    ],
  };
  const raw = await drawPicture(picture, width, height);
  return sharp(raw, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}

test.each([
  ["4x + 1 = 29", { font: "sans", size: 0.13, height: 360 }],
  // The bars of `=` and the sign of a difference are known by their ink, so that `-a=>50` is no reading.
  ["52 - a = 50", { font: "sans", size: 0.1, height: 480 }],
  ["y = 8x - 5", { font: "mono", size: 0.08, height: 480 }],
  // A hook over a dot is a question, not a seven.
  ["79 + 87 = ?", { font: "sans", size: 0.16, height: 360 }],
  ["64 + 13 = ?", { font: "serif", size: 0.08, height: 720 }],
  // Brackets are known by their bow where tesseract leaves them out.
  ["f(x) = 9x + 1", { font: "serif", size: 0.1, height: 720 }],
  // Strokes half as thick as the finest ink is looked for in.
  ["n = 2(9 - 6)", { font: "sans-bold", size: 0.16, height: 720 }],
  ["8x + 5 = 78", { font: "sans-bold", size: 0.13, height: 360 }],
] as const)("%s is read correctly", async (text, how) => {
  const lines = await readImage(await board(text, how));
  expect(lines.map((line) => [line.kind, line.text])).toEqual([["equation", text]]);
});

type Shade = (x: number, y: number, grain: number) => number;

test.each<[string, Shade]>([
  ["bricks", (x, y) => (y % 24 < 3 || (x + (Math.floor(y / 24) % 2) * 30) % 60 < 3 ? 200 : 110)],
  ["blinds", (_x, y) => (y % 12 < 5 ? 230 : 120)],
  ["a fence", (x, y) => (x % 30 < 10 ? 210 : 90) + (y % 90 < 12 ? 40 : 0)],
  ["hatching", (x, y) => ((x + y) % 14 < 3 || (x - y + 700) % 19 < 3 ? 50 : 220)],
  ["a board with grain", (_x, _y, grain) => 60 + grain * 40],
])("%s has no equations", async (_name, shade) => {
  const random = seeded("textures", _name);
  const [width, height] = [640, 360];
  const levels = Uint8Array.from({ length: width * height }, (_, at) => {
    const grain = random();
    return Math.min(255, shade(at % width, Math.floor(at / width), grain) + grain * 15);
  });
  const image = await sharp(levels, { raw: { width, height, channels: 1 } })
    .blur(1.2)
    .jpeg({ quality: 80 })
    .toBuffer();
  expect(await readImage(image)).toEqual([]);
});

describeShared("photographs of a film", () => {
  test.each([12])("an object with struts is not an equation: %i s", async (at_s) => {
    const path = sharedFile("media/videos/nasa_webb_subs.mp4");
    const { stdout } = await runFfmpeg([
      ...["-ss", String(at_s), ...inputArgs(path), "-frames:v", "1"],
      ...["-f", "image2pipe", "-c:v", "png", "-"],
    ]);
    expect((await readImage(stdout)).filter(({ kind }) => kind === "equation")).toEqual([]);
  });
});

test("most of 40 boards in four fonts are read, and almost none wrongly", async () => {
  const random = seeded("equations on boards", 5);
  const int = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T;
  const wrong: string[] = [];
  let read = 0;
  for (let sample = 0; sample < 40; sample++) {
    const x = pick(["x", "y", "n", "t", "a"]);
    const text = pick([
      `${int(2, 9)}${x} + ${int(1, 20)} = ${int(10, 99)}`,
      `${int(2, 99)} + ${int(2, 99)} = ?`,
      `${x} = ${int(2, 9)}(${int(1, 9)} - ${int(1, 9)})`,
      `${int(11, 99)} - ${x} = ${int(1, 60)}`,
      `f(x) = ${int(2, 9)}x + ${int(1, 9)}`,
    ]);
    const how: Board = {
      font: pick(["sans", "serif", "sans-bold", "mono"]),
      size: pick([0.06, 0.08, 0.1, 0.13, 0.16]),
      height: pick([360, 480, 720]),
    };
    const lines = await readImage(await board(text, how, random() < 0.3));
    const got = lines.filter((line) => !line.unread).map((line) => line.text);
    if (got.length === 1 && got[0] === text) read++;
    else if (got.length > 0) wrong.push(`${text} was read as ${got.join(", ")}`);
  }
  expect(read).toBeGreaterThanOrEqual(34);
  expect(wrong.length, wrong.join("; ")).toBeLessThanOrEqual(3);
});
