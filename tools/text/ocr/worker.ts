import type { Worker as Thread } from "node:worker_threads";
import { Failure } from "../../../src/core/errors.ts";
import { languageFolder, type OcrLanguages } from "./language-data.ts";
import { loadTesseract } from "./load-tesseract.ts";

/** One tesseract in its own thread. An idle worker does not keep the process alive. */
export interface OcrWorker {
  /** What it was started with, to find it again. */
  key: string;
  /**
   * Reads one image at a time, in a format that Leptonica reads, such as PNG. Rejects with the error of tesseract, or when
   * the thread ends.
   */
  read(image: Uint8Array, parameters: Record<string, string>): Promise<Tesseract.Page>;
  stop(): void;
}

/** The same bytes: tesseract.js takes a `Buffer` and copies it. */
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

const START_LIMIT_MS = 60_000;

/** What a worker for these languages is found by. */
export function workerKey({ languages, data }: OcrLanguages): string {
  return JSON.stringify([languages, data ?? null]);
}

/** Starts a thread with the language data of the folder and of installed packages. Nothing is downloaded. */
export async function startOcrWorker(wanted: OcrLanguages): Promise<OcrWorker> {
  const folder = await languageFolder(wanted);
  const languages = wanted.languages.join("+");
  const { createWorker } = await loadTesseract();
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
    key: workerKey(wanted),
    async read(image, parameters) {
      thread.ref();
      try {
        const reading = worker
          .setParameters(parameters)
          .then(() => worker.recognize(viewOf(image), {}, { text: true, blocks: true }));
        return (await Promise.race([reading, died.promise])).data;
      } finally {
        thread.unref();
      }
    },
    stop: () => void thread.terminate(),
  };
}
