import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { Failure, isFailure, oneLine, toFailure } from "../../src/core/errors.ts";
import type { Box } from "../../src/core/shapes.ts";
import { sharp } from "../../src/media/sharp.ts";
import { whenOcrCloses } from "./close-ocr.ts";
import type { OcrLanguages } from "./ocr/language-data.ts";
import { leptonicaImage } from "./ocr/leptonica-image.ts";
import { free, type Plane } from "./ocr/plane.ts";
import { type OcrWorker, startOcrWorker, workerKey } from "./ocr/worker.ts";

export { closeOcr } from "./close-ocr.ts";

/** `confidence` is 0 to 1. Boxes are in pixels of the given image, upright (with its EXIF orientation applied). */
export interface OcrWord {
  text: string;
  confidence: number;
  box: Box;
}

export interface OcrLine extends OcrWord {
  words: OcrWord[];
}

export interface OcrResult {
  text: string;
  /** Mean over the characters; 0 without characters. */
  confidence: number;
  lines: OcrLine[];
  width: number;
  height: number;
}

/** The page segmentation modes of tesseract that this project uses. */
export type PageMode = "auto" | "block" | "line" | "word" | "character" | "sparse";

export interface OcrOptions {
  /** Layout of the text. Default `auto`. */
  psm?: PageMode;
  /** The only characters to recognise, such as `0123456789`. Default: all. */
  whitelist?: string;
  /**
   * Whether lines with little confidence are also read with dark and light exchanged, which takes up to three times as
   * long. Default true; needless where all letters are dark on light.
   */
  inverted?: boolean;
  /** Codes of tesseract whose data are in `data` or in installed packages. Default `["eng"]`. */
  languages?: readonly string[];
  /** Folder with tesseract data. */
  data?: string;
  signal?: AbortSignal;
  /** Time limit for one image, in seconds, after which its worker is replaced. Default 60. */
  timeout_s?: number;
}

const MODES: Record<PageMode, string> = {
  auto: "3",
  block: "6",
  line: "7",
  word: "8",
  character: "10",
  sparse: "11",
};

/** Confidence below which a line is also read inverted: the default of tesseract. */
const INVERTED_BELOW = "0.7";

/** Most pixels of an image. Tesseract holds several copies of it. */
export const OCR_PIXEL_LIMIT = 40_000_000;

const poolSize = Math.min(availableParallelism(), 4);
const places = pLimit(poolSize);
const idle: OcrWorker[] = [];
/** An idle worker, which holds about 100 MB, is stopped after this time. */
const IDLE_MS = 20_000;
let resting: NodeJS.Timeout | undefined;
const busy = new Set<OcrWorker>();

/**
 * Recognises the text of an image (PNG, JPEG, WebP, TIFF, GIF) without preprocessing, on one of at most min(cores, 4)
 * tesseract workers. Workers start on demand.
 * Throws `Failure` `ocr` for bytes that are not an image, too many pixels, a failed recognition or a timeout;
 * `cancelled` when the signal fires.
 */
export async function recognise(image: Uint8Array, options: OcrOptions = {}): Promise<OcrResult> {
  const { png, width, height } = await decodeImage(image);
  const page = await places(() => readOnWorker(png, options));
  return resultOf(page, width, height);
}

/** As `recognise`, of grey pixels, which are neither encoded nor decoded. */
export async function recognisePlane(
  { pixels, width, height }: Plane,
  options: OcrOptions = {},
): Promise<OcrResult> {
  if (width * height > OCR_PIXEL_LIMIT)
    throw undecodable(pixels, `${width} x ${height} pixels are too many`);
  const image = leptonicaImage({ pixels, width, height });
  try {
    const page = await places(() => readOnWorker(image, options));
    return resultOf(page, width, height);
  } finally {
    free(image);
  }
}

/** The worker that is being started for no image yet. */
let warming: { key: string; done: Promise<void> } | undefined;

/** Starts a worker if there is none, for an image that may come. If it does not start, that image says so. */
export function warmOcr({ languages = ["eng"], data }: OcrOptions): void {
  if (warming !== undefined || idle.length + busy.size + places.activeCount > 0) return;
  const wanted = { languages, data };
  const started = { key: workerKey(wanted), done: Promise.resolve() };
  started.done = startOcrWorker(wanted).then(
    (worker) => {
      // The recognition was closed in the meantime.
      if (warming !== started) return worker.stop();
      warming = undefined;
      idle.push(worker);
      rest();
    },
    () => {
      if (warming === started) warming = undefined;
    },
  );
  warming = started;
}

whenOcrCloses(() => {
  warming = undefined;
  for (const worker of [...idle.splice(0), ...busy]) worker.stop();
});

async function decodeImage(
  image: Uint8Array,
): Promise<{ png: Uint8Array; width: number; height: number }> {
  try {
    const { data, info } = await sharp(image, {
      limitInputPixels: OCR_PIXEL_LIMIT,
      failOn: "error",
    })
      .autoOrient()
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .png({ compressionLevel: 1 })
      .toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width, height: info.height };
  } catch (error) {
    throw undecodable(image, error);
  }
}

/** Returns the failure for bytes that are not an image, or for an image that is too large. */
export function undecodable(image: Uint8Array, error: unknown): Failure {
  const said = error instanceof Error ? error.message : String(error);
  return new Failure(
    "ocr",
    `Expected an image of at most ${OCR_PIXEL_LIMIT / 1e6} million pixels to read text from, but it could not be decoded: ${oneLine(said)}.`,
    { bytes: image.byteLength },
    { cause: error },
  );
}

async function readOnWorker(image: Uint8Array, options: OcrOptions): Promise<Tesseract.Page> {
  const { signal, timeout_s = 60 } = options;
  if (signal?.aborted) throw cancelled();
  const worker = await take({ languages: options.languages ?? ["eng"], data: options.data });
  const ended = Promise.withResolvers<never>();
  const onAbort = () => ended.reject(cancelled());
  const timer = setTimeout(
    () =>
      ended.reject(
        new Failure("ocr", `Expected an image to be read within ${timeout_s} s, but it was not.`, {
          timeout_s,
        }),
      ),
    timeout_s * 1000,
  );
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const reading = worker.read(image, {
      tessedit_pageseg_mode: MODES[options.psm ?? "auto"],
      tessedit_char_whitelist: options.whitelist ?? "",
      // Words of earlier images must not influence this one.
      tessedit_enable_doc_dict: "0",
      invert_threshold: (options.inverted ?? true) ? INVERTED_BELOW : "0",
      debug_file: "/dev/null",
    });
    const page = await Promise.race([reading, ended.promise]);
    idle.push(worker);
    rest();
    return page;
  } catch (error) {
    worker.stop();
    throw isFailure(error) ? error : toFailure(error, "ocr", "reading an image with tesseract");
  } finally {
    busy.delete(worker);
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Whether the time limit of an image ended its reading. */
export function isTimeout(error: unknown): error is Failure {
  return isFailure(error, "ocr") && error.facts.timeout_s !== undefined;
}

function rest(): void {
  clearTimeout(resting);
  resting = setTimeout(() => {
    for (const worker of idle.splice(0)) worker.stop();
  }, IDLE_MS).unref();
}

/** Returns an idle worker for these languages, or starts one, which replaces an idle worker if the pool is full. */
async function take(languages: OcrLanguages): Promise<OcrWorker> {
  const key = workerKey(languages);
  if (warming?.key === key) await warming.done;
  const index = idle.findIndex((worker) => worker.key === key);
  const [kept] = index >= 0 ? idle.splice(index, 1) : [];
  if (kept === undefined && idle.length + busy.size >= poolSize) idle.shift()?.stop();
  const worker = kept ?? (await startOcrWorker(languages));
  busy.add(worker);
  return worker;
}

function cancelled(): Failure {
  return new Failure("cancelled", "Cancelled while reading text from an image.");
}

function resultOf(page: Tesseract.Page, width: number, height: number): OcrResult {
  const lines = (page.blocks ?? [])
    .flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
    .map((line): OcrLine => {
      const words = line.words.map((word) => ({
        text: word.text,
        confidence: word.confidence / 100,
        box: boxOf(word.bbox),
      }));
      return {
        text: words.map((word) => word.text).join(" "),
        confidence: meanConfidence(words),
        box: boxOf(line.bbox),
        words,
      };
    })
    .filter((line) => line.text.trim() !== "");
  return {
    text: lines.map((line) => line.text).join("\n"),
    confidence: meanConfidence(lines),
    lines,
    width,
    height,
  };
}

/** The mean confidence, weighted by length: a long word counts more than a stray mark. */
export function meanConfidence(parts: readonly { text: string; confidence: number }[]): number {
  const characters = parts.reduce((sum, part) => sum + part.text.length, 0);
  if (characters === 0) return 0;
  return parts.reduce((sum, part) => sum + part.confidence * part.text.length, 0) / characters;
}

function boxOf(bbox: Tesseract.Bbox): Box {
  return { x: bbox.x0, y: bbox.y0, width: bbox.x1 - bbox.x0, height: bbox.y1 - bbox.y0 };
}
