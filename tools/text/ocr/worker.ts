import { copyFile, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Worker as Thread } from "node:worker_threads";
import { Failure } from "../../../src/core/errors.ts";

/** One tesseract in its own thread. An idle worker does not keep the process alive. */
export interface OcrWorker {
  /** Language codes it was started with, joined by `+`. */
  languages: string;
  /** Reads one PNG, one image at a time. Rejects with the error of tesseract, or when the thread ends. */
  read(png: Uint8Array, parameters: Record<string, string>): Promise<Tesseract.Page>;
  stop(): void;
}

const START_LIMIT_MS = 60_000;

/** Starts a thread with the language data of the installed packages. Nothing is downloaded. */
export async function startOcrWorker(languages: string): Promise<OcrWorker> {
  const folder = await languageFolder(languages);
  const { createWorker } = (await import("tesseract.js")).default;
  // If language data cannot be loaded, tesseract.js calls its errorHandler and its promise never settles.
  const refused = Promise.withResolvers<never>();
  const late = setTimeout(
    () => refused.reject(new Error(`no answer within ${START_LIMIT_MS / 1000} s`)),
    START_LIMIT_MS,
  );
  const worker = (await Promise.race([
    createWorker(languages, 1, {
      langPath: folder,
      cacheMethod: "none",
      errorHandler: (said: unknown) => refused.reject(said),
    }),
    refused.promise,
  ])
    .catch((error: unknown) => {
      throw new Failure(
        "ocr",
        `Expected tesseract to start with the languages ${languages}, but it failed: ${String(error)}.`,
        { languages },
        { cause: error },
      );
    })
    .finally(() => clearTimeout(late))) as Tesseract.Worker & { worker: Thread };
  refused.promise.catch(() => {
    // Errors of later images reach the caller of `read`.
  });
  const died = Promise.withResolvers<never>();
  died.promise.catch(() => {
    // Nobody is reading: the pool starts another thread for the next image.
  });
  const thread = worker.worker;
  thread.on("error", (error) => died.reject(error));
  thread.on("exit", (code) => died.reject(new Error(`its thread ended with code ${code}`)));
  thread.unref();
  // Leptonica logs complaints about boxes of its own; they do not affect results.
  thread.stderr.unpipe(process.stderr);
  thread.stderr.resume();

  return {
    languages,
    async read(png, parameters) {
      thread.ref();
      try {
        const reading = worker
          .setParameters(parameters)
          .then(() => worker.recognize(Buffer.from(png), {}, { text: true, blocks: true }));
        return (await Promise.race([reading, died.promise])).data;
      } finally {
        thread.unref();
      }
    },
    stop: () => void thread.terminate(),
  };
}

const gathered = new Map<string, Promise<string>>();

/** A folder with the trained data of every code: that of the package, or a temporary folder for several packages. */
async function languageFolder(languages: string): Promise<string> {
  const files = languages.split("+").map((code) => ({ code, path: trainedData(code) }));
  const [only] = files;
  if (files.length === 1 && only !== undefined) return dirname(only.path);
  const known = gathered.get(languages) ?? gather(files);
  gathered.set(languages, known);
  return known;
}

async function gather(files: { code: string; path: string }[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-ocr-"));
  for (const { code, path } of files) await copyFile(path, join(folder, `${code}.traineddata.gz`));
  return folder;
}

function trainedData(code: string): string {
  try {
    if (!/^[a-z_]{3,12}$/i.test(code)) throw new Error("no language code");
    const index = createRequire(import.meta.url).resolve(`@tesseract.js-data/${code}/package.json`);
    return join(dirname(index), "4.0.0_best_int", `${code}.traineddata.gz`);
  } catch (error) {
    throw new Failure(
      "ocr",
      `Expected a language that tesseract has data for, got "${code}": install the package @tesseract.js-data/${code}, or read with "eng".`,
      { language: code },
      { cause: error },
    );
  }
}
