import sharp from "sharp";
import { expect, test } from "vitest";
import { drawPicture, type Picture } from "../../src/media/compose/picture.ts";
import { type Detection, detectInPicture, readPart } from "./looking-detector.ts";
import {
  boardShapes,
  COLOURS,
  colourOf,
  FIGURES,
  figureShapes,
  HUES,
  plateShapes,
} from "./looking-scenes.ts";

const WIDTH = 640;
const HEIGHT = 360;

/** A drawing as a JPEG; `width` below that of the drawing makes it smaller. */
async function photo(picture: Picture, width = WIDTH): Promise<Buffer> {
  const raw = await drawPicture(picture, WIDTH, HEIGHT);
  return sharp(raw, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .resize({ width })
    .jpeg({ quality: 85 })
    .toBuffer();
}

test("figures of a tenth of the height are told by colour and form, at half of the size as well", async () => {
  for (const [place, figure] of FIGURES.entries()) {
    const colour = COLOURS[place] ?? "red";
    const at = { x: 0.3 + place * 0.1, y: 0.5, size: 0.12 };
    const shapes = figureShapes(figure, colourOf(HUES[colour], 0.92, 0.8), "#808080", at);
    for (const width of [WIDTH, WIDTH / 2]) {
      const detections = await detectInPicture(
        await photo({ background: "#667066", shapes }, width),
      );
      expect(detections).toMatchObject([{ what: "figure", colour, figure }]);
    }
  }
  expect(await detectInPicture(await photo({ background: "#667066", shapes: [] }))).toEqual([]);
});

test("dots are counted, and a board that is too small is seen but not counted", async () => {
  for (const dots of [1, 2, 3, 4, 5, 6]) {
    const picture = {
      background: "#222222",
      shapes: boardShapes(dots, { x: 0.5, y: 0.5, size: 0.3 }),
    };
    expect(await detectInPicture(await photo(picture))).toMatchObject([{ what: "board", dots }]);
    expect(await detectInPicture(await photo(picture, 160))).toMatchObject([
      { what: "board", dots: null },
    ]);
  }
});

test("small letters are read at full size, and cannot be at half of it, however it is enlarged", async () => {
  const picture = {
    background: "#556655",
    shapes: plateShapes("LANTERN", { x: 0.4, y: 0.6, size: 0.032 }),
  };
  const plateOf = (detections: Detection[]) =>
    detections.find((detection) => detection.what === "plate");
  const whole = await photo(picture);
  const plate = plateOf(await detectInPicture(whole));
  const enlarged = await sharp(whole)
    .resize({ width: WIDTH * 3 })
    .jpeg()
    .toBuffer();
  expect(await readPart(enlarged, plate?.place as NonNullable<typeof plate>["place"])).toBe(
    "LANTERN",
  );

  const half = await photo(picture, WIDTH / 2);
  const small = plateOf(await detectInPicture(half));
  expect(await readPart(half, small?.place as NonNullable<typeof small>["place"])).toBe("");
});
