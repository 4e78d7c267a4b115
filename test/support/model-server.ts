import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { type Script, startModelServer } from "../../src/testing/index.ts";

/* The published scripted server, with what only these tests need: a command that starts it, and measures of pictures. */

export * from "../../src/testing/index.ts";

/** Mean brightness of an image, 0 to 255. */
export async function grey(image: Buffer): Promise<number> {
  // `stats` measures the input before any operation, so the pixels have to be made first.
  const pixels = await sharp(image).greyscale().raw().toBuffer();
  return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
}

/** Mean red, green and blue of an image, 0 to 255 each. */
export async function meanColour(image: Buffer): Promise<[number, number, number]> {
  const pixels = await sharp(image).removeAlpha().toColourspace("srgb").raw().toBuffer();
  const sums: [number, number, number] = [0, 0, 0];
  for (const [index, value] of pixels.entries()) sums[(index % 3) as 0 | 1 | 2] += value;
  const mean = (sum: number) => (sum * 3) / pixels.length;
  return [mean(sums[0]), mean(sums[1]), mean(sums[2])];
}

async function main() {
  const { values } = parseArgs({
    options: {
      script: { type: "string" },
      port: { type: "string", default: "0" },
      log: { type: "string" },
    },
  });
  let script: Script = () => "A";
  if (values.script !== undefined) {
    const loaded = (await import(pathToFileURL(resolve(values.script)).href)) as {
      default: Script;
    };
    script = loaded.default;
  }
  const server = await startModelServer(script, {
    port: Number(values.port),
    log: values.log,
    keep: "light",
  });
  process.stdout.write(`${server.url}\n`);
}

if (import.meta.main) await main();
