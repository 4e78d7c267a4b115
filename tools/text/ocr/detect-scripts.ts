import { createRequire } from "node:module";
import { join } from "node:path";
import type { Worker as Thread } from "node:worker_threads";
import { Failure, toFailure } from "../../../src/core/errors.ts";
import { loadTesseract } from "./load-tesseract.ts";

/** A script of the writing in a picture, as tesseract names it, such as `Cyrillic`. */
export interface DetectedScript {
  script: string;
  /** Of tesseract: about 2 to 20. */
  confidence: number;
}

const LIMIT_MS = 60_000;

/**
 * Returns the script of each picture in which tesseract finds enough characters of one. A separate worker is started,
 * because tesseract needs other data and its older engine for it.
 * Throws `Failure` `ocr`, `cancelled`.
 */
export async function detectScripts(
  images: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<DetectedScript[]> {
  const { createWorker } = await loadTesseract();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const onAbort = () => ended.reject(new Failure("cancelled", "Cancelled while looking at text."));
  const timer = setTimeout(
    () => ended.reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)),
    LIMIT_MS,
  );
  signal?.addEventListener("abort", onAbort, { once: true });
  let worker: (Tesseract.Worker & { worker: Thread }) | undefined;
  try {
    const starting = createWorker("osd", 0, {
      legacyCore: true,
      legacyLang: true,
      langPath: osdFolder(),
      cacheMethod: "none",
      errorHandler: (said: unknown) => ended.reject(said),
    });
    worker = (await Promise.race([starting, ended.promise])) as typeof worker & object;
    silence(worker.worker);
    const found: DetectedScript[] = [];
    for (const image of images) {
      // A page with too few characters is an error of tesseract; the other pages count.
      const detecting = worker.detect(Buffer.from(image)).catch(() => null);
      const page = await Promise.race([detecting, ended.promise]);
      const { script = null, script_confidence = null } = page?.data ?? {};
      if (script !== null && script_confidence !== null)
        found.push({ script, confidence: script_confidence });
    }
    return found;
  } catch (error) {
    throw toFailure(error, "ocr", "detecting the script of text on screen");
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    void worker?.worker.terminate();
  }
}

/** Tesseract complains about each page without characters. */
function silence(thread: Thread): void {
  thread.stderr.unpipe(process.stderr);
  thread.stderr.resume();
}

function osdFolder(): string {
  const index = createRequire(import.meta.url).resolve("@tesseract.js-data/osd/package.json");
  return join(index, "..", "4.0.0_best_int");
}
