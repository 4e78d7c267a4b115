import sharp from "sharp";
import { expect, test } from "vitest";
import { leptonicaImage } from "../../../../tools/text/ocr/leptonica-image.ts";
import { startOcrWorker } from "../../../../tools/text/ocr/worker.ts";
import { textImage } from "../../../support/text-image.ts";

test("tesseract reads it as the same picture in PGM, of any width", async () => {
  const page = await textImage(320, 100, [{ text: "wide world", x: 20, y: 20 }]);
  const worker = await startOcrWorker({ languages: ["eng"] });
  try {
    for (const width of [317, 318, 319, 320, 1]) {
      const { data: pixels, info } = await sharp(page)
        .extract({ left: 0, top: 0, width, height: 100 })
        .greyscale()
        .toColourspace("b-w")
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(1);
      const pgm = Buffer.concat([Buffer.from(`P5\n${width} 100\n255\n`, "latin1"), pixels]);
      const ours = leptonicaImage({ pixels, width, height: 100 });
      const mode = { tessedit_pageseg_mode: "6" };
      const read = await worker.read(ours, mode);
      expect(read).toEqual(await worker.read(pgm, mode));
      if (width > 1) expect(read.text.trim()).toBe("wide world");
    }
  } finally {
    worker.stop();
  }
});
