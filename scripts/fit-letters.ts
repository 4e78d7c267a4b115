/**
 * Fits the network that distinguishes letters from texture (`tools/text/ocr/letter-network.ts`) on drawn boards and
 * drawn scenes. `node scripts/fit-letters.ts collect FROM TO > windows.jsonl` draws the examples of these seeds
 * (several processes may share the work); `node scripts/fit-letters.ts fit windows.jsonl...` fits and writes the
 * weights.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { seeded, shuffle } from "../src/core/random.ts";
import { scene } from "../test/support/scenes.ts";
import { type TextBoard, textBoard } from "../test/support/text-boards.ts";
import { findWriting } from "../tools/text/ocr/edge-sharpness.ts";
import { hull } from "../tools/text/ocr/glyphs.ts";
import { looksOf, rowScore, windowsOf } from "../tools/text/ocr/letter-classifier.ts";
import {
  CENTRE,
  CLIP,
  type LetterInput,
  letterInput,
  type StoredLayer,
  type StoredNetworks,
} from "../tools/text/ocr/letter-network.ts";
import type { Plane } from "../tools/text/ocr/plane.ts";
import { findTextLines } from "../tools/text/ocr/text-lines.ts";

interface Example extends LetterInput {
  /** Number of the scene; examples of one scene are fitted or tested together. */
  scene: number;
  letters: 0 | 1;
}

/** Boards of each scene. */
const BOARDS = 4;
/** Grey levels of faint ink. */
const FAINT = [22, 75] as const;
/** Least score of the regression for an example: windows below it are texture without the networks. */
const LEAST_SCORE = -6;
/** Below this side a picture is enlarged before it is read. */
const SMALL_SIDE = 900;

async function collect(from: number, to: number): Promise<void> {
  for (let seed = from; seed < to; seed++) {
    const ground = await scene(`fit ${seed}`);
    for (let board = 0; board < BOARDS; board++) {
      const photo = board === 0 && seed % 2 === 0 ? undefined : ground;
      const contrast = board < 3 ? FAINT : undefined;
      const drawn = await textBoard(`fit ${seed} ${board}`, photo, contrast);
      for (const example of await examplesOf(drawn, seed)) console.log(JSON.stringify(example));
    }
  }
}

/** The windows of a board: letters if they are within a text, texture if they touch none. */
async function examplesOf(board: TextBoard, seed: number): Promise<Example[]> {
  const { plane, scale } = await planeOf(board.jpeg);
  const { lines } = await findTextLines(plane);
  const { written } = findWriting(lines, plane);
  const windows = written.flatMap((line) => windowsOf(line, looksOf(line, plane)));
  return windows.flatMap(({ line, looks }): Example[] => {
    const box = hull(looks.map((look) => look.glyph));
    const [x0, x1, y0, y1] = [box.x0 / scale, box.x1 / scale, box.y0 / scale, box.y1 / scale];
    const within = board.boxes.some(
      (text) =>
        x0 >= text.x &&
        x1 <= text.x + text.width &&
        y0 >= text.y - 2 &&
        y1 <= text.y + text.height + 2,
    );
    const touching = board.boxes.some(
      (text) =>
        x1 >= text.x && x0 <= text.x + text.width && y1 >= text.y && y0 <= text.y + text.height,
    );
    if ((touching && !within) || rowScore({ line, looks }, plane) < LEAST_SCORE) return [];
    const { features, grids } = letterInput(looks, line, plane);
    const input = {
      features: features.map(rounded),
      grids: grids.map((grid) => grid.map(rounded)),
    };
    return [{ scene: seed, letters: within ? 1 : 0, ...input }];
  });
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

async function planeOf(jpeg: Buffer): Promise<{ plane: Plane; scale: number }> {
  const { width = 0, height = 0 } = await sharp(jpeg).metadata();
  const scale = Math.max(width, height) < SMALL_SIDE ? 2 : 1;
  const { data, info } = await sharp(jpeg)
    .greyscale()
    .resize(width * scale, height * scale, { kernel: "cubic" })
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { plane: { pixels: data, width: info.width, height: info.height }, scale };
}

const NETWORKS = 3;
const GLYPH_UNITS = 12;
const HIDDEN_UNITS = 20;
const EPOCHS = 30;
const BATCH = 128;
const STEP = 3e-3;
const DECAY = 3e-4;

async function fitAll(files: readonly string[]): Promise<void> {
  const random = seeded("fit letters");
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const all = texts.flatMap((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Example),
  );
  const means = (all[0]?.features ?? []).map((_, index) => {
    const values = all.map((example) => example.features[index] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return [rounded(mean), rounded(Math.sqrt(variance) + 1e-3)] as const;
  });
  const examples = all.map((example) => ({
    ...example,
    features: example.features.map((value, index) => {
      const [mean, deviation] = means[index] ?? [0, 1];
      return Math.max(-CLIP, Math.min(CLIP, (value - mean) / deviation));
    }),
    grids: example.grids.map((grid) => grid.map((ink) => ink - CENTRE)),
  }));
  const tested = examples.filter((example) => example.scene % 5 === 0);
  const fitted = examples.filter((example) => example.scene % 5 !== 0);
  const networks = Array.from({ length: NETWORKS }, () => fitNetwork(fitted, random));
  const scored = tested.map((example) => ({
    letters: example.letters,
    score: networks.reduce((sum, network) => sum + run(network, example).score, 0),
  }));
  console.log(
    `${fitted.length} examples fitted; ${tested.length} tested, area under the curve ${areaUnderCurve(scored).toFixed(4)}`,
  );
  const stored: StoredNetworks = {
    features: means,
    networks: networks.map(({ glyph, hidden, output }) => ({
      glyph: storedLayer(glyph),
      hidden: storedLayer(hidden),
      output: storedLayer(output),
    })),
  };
  const target = "../tools/text/ocr/letter-network-weights.ts";
  await writeFile(
    fileURLToPath(new URL(target, import.meta.url)),
    `/** FittedLayer by \`scripts/fit-letters.ts\`; not to be edited. */\nexport const WEIGHTS = ${JSON.stringify(stored)};\n`,
  );
}

function fitNetwork(examples: readonly Example[], random: () => number): FittedNetwork {
  const [first] = examples;
  const features = first?.features.length ?? 0;
  const network = {
    glyph: newLayer(first?.grids[0]?.length ?? 0, GLYPH_UNITS, random),
    hidden: newLayer(features + 2 * GLYPH_UNITS, HIDDEN_UNITS, random),
    output: newLayer(HIDDEN_UNITS, 1, random),
  };
  let steps = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = shuffle(examples, random);
    const rate = (STEP / 2) * (1 + Math.cos((Math.PI * epoch) / EPOCHS));
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      for (const example of batch) learn(network, example, batch.length);
      steps++;
      for (const layer of Object.values(network)) update(layer, rate, steps);
    }
  }
  return network;
}

interface FittedLayer {
  inputs: number;
  units: number;
  /** The weights row by row, then the biases. */
  values: Float64Array;
  slopes: Float64Array;
  means: Float64Array;
  squares: Float64Array;
}

interface FittedNetwork {
  glyph: FittedLayer;
  hidden: FittedLayer;
  output: FittedLayer;
}

function newLayer(inputs: number, units: number, random: () => number): FittedLayer {
  const size = (inputs + 1) * units;
  const values = Float64Array.from({ length: size }, (_, index) =>
    index < inputs * units ? ((random() + random() + random() - 1.5) * 2) / Math.sqrt(inputs) : 0,
  );
  const empty = () => new Float64Array(size);
  return { inputs, units, values, slopes: empty(), means: empty(), squares: empty() };
}

function linear({ inputs, units, values }: FittedLayer, input: readonly number[]): number[] {
  const sums = Array.from(values.subarray(inputs * units));
  for (let row = 0; row < inputs; row++)
    for (let unit = 0; unit < units; unit++)
      sums[unit] = (sums[unit] ?? 0) + (input[row] ?? 0) * (values[row * units + unit] ?? 0);
  return sums;
}

function run(network: FittedNetwork, { features, grids }: LetterInput) {
  const glyphs = grids.map((grid) => linear(network.glyph, grid).map(Math.tanh));
  const units = Array.from({ length: GLYPH_UNITS }, (_, unit) =>
    glyphs.map((glyph) => glyph[unit] ?? 0),
  );
  const pooled = [
    ...features,
    ...units.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
    ...units.map((values) => Math.min(...values)),
  ];
  const hidden = linear(network.hidden, pooled).map(Math.tanh);
  return { glyphs, units, pooled, hidden, score: linear(network.output, hidden)[0] ?? 0 };
}

/** Adds the slopes of one example. */
function learn(network: FittedNetwork, example: Example, count: number): void {
  const { glyphs, units, pooled, hidden, score } = run(network, example);
  const error = (1 / (1 + Math.exp(-score)) - example.letters) / count;
  const fromOutput = back(network.output, hidden, [error]);
  const fromHidden = back(
    network.hidden,
    pooled,
    hidden.map((value, unit) => (fromOutput[unit] ?? 0) * (1 - value * value)),
  );
  const from = example.features.length;
  const lowest = units.map((values) => values.indexOf(Math.min(...values)));
  for (const [index, grid] of example.grids.entries()) {
    const glyph = glyphs[index] ?? [];
    back(
      network.glyph,
      grid,
      glyph.map((value, unit) => {
        const mean = (fromHidden[from + unit] ?? 0) / glyphs.length;
        const least = lowest[unit] === index ? (fromHidden[from + GLYPH_UNITS + unit] ?? 0) : 0;
        return (mean + least) * (1 - value * value);
      }),
    );
  }
}

/** Adds the slopes of a layer; returns the slopes of its inputs. */
function back(layer: FittedLayer, input: readonly number[], errors: readonly number[]): number[] {
  const { inputs, units, values, slopes } = layer;
  const above = new Array<number>(inputs).fill(0);
  for (let row = 0; row <= inputs; row++)
    for (let unit = 0; unit < units; unit++) {
      const at = row * units + unit;
      const error = errors[unit] ?? 0;
      slopes[at] = (slopes[at] ?? 0) + error * (row === inputs ? 1 : (input[row] ?? 0));
      if (row < inputs) above[row] = (above[row] ?? 0) + error * (values[at] ?? 0);
    }
  return above;
}

/** One step of Adam. */
function update(layer: FittedLayer, rate: number, step: number): void {
  const { inputs, units, values, slopes, means, squares } = layer;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    const slope = (slopes[at] ?? 0) + (at < inputs * units ? DECAY * value : 0);
    const mean = 0.9 * (means[at] ?? 0) + 0.1 * slope;
    const square = 0.999 * (squares[at] ?? 0) + 0.001 * slope * slope;
    means[at] = mean;
    squares[at] = square;
    values[at] =
      value -
      (rate * (mean / (1 - 0.9 ** step))) / (Math.sqrt(square / (1 - 0.999 ** step)) + 1e-8);
    slopes[at] = 0;
  }
}

function storedLayer({ inputs, units, values }: FittedLayer): StoredLayer {
  const weights = values.subarray(0, inputs * units);
  const scale = weights.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  const bytes = Int8Array.from(weights, (value) => Math.round(value / scale));
  return {
    scale: Number(scale.toPrecision(6)),
    values: Buffer.from(bytes.buffer).toString("base64"),
    bias: Array.from(values.subarray(inputs * units), (value) => rounded(value)),
  };
}

/** The share of the pairs of a letter and a texture in which the letter scores more. */
function areaUnderCurve(scored: readonly { letters: 0 | 1; score: number }[]): number {
  const sorted = [...scored].sort((a, b) => a.score - b.score);
  let [textures, won] = [0, 0];
  for (const { letters } of sorted)
    if (letters === 1) won += textures;
    else textures++;
  return won / Math.max(1, textures * (sorted.length - textures));
}

const [command, ...args] = process.argv.slice(2);
if (command === "collect") await collect(Number(args[0]), Number(args[1]));
else if (command === "fit") await fitAll(args);
else {
  console.error("Use: node scripts/fit-letters.ts collect FROM TO, or fit FILE...");
  process.exitCode = 2;
}
