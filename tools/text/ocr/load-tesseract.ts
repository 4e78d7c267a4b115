import { createRequire } from "node:module";
import type tesseract from "tesseract.js";

let loaded: Promise<typeof tesseract> | undefined;

/**
 * tesseract.js, whose threads start without the flags of this process: loaders of a development server that are given as
 * flags (`tsx`, `langgraphjs dev`) end a thread that they do not expect.
 */
export function loadTesseract(): Promise<typeof tesseract> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<typeof tesseract> {
  const threads = createRequire(import.meta.url)("node:worker_threads");
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file: string, options: object) {
      super(file, { ...options, execArgv: [] });
    }
  };
  try {
    return (await import("tesseract.js")).default;
  } finally {
    threads.Worker = Worker;
  }
}
