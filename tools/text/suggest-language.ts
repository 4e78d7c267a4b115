import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence, FrameRef } from "../../src/core/shapes.ts";
import { parseRequest } from "../parse-request.ts";
import type { Video } from "../video/video.ts";
import { lettersInFrame } from "./letters-in-frame.ts";
import { type DetectedScript, detectScripts } from "./ocr/detect-scripts.ts";
import { meanConfidence } from "./ocr.ts";
import { picturesToRead } from "./pictures-to-read.ts";
import { lettersIn } from "./read-image.ts";
import { ReadTextSpec } from "./read-text.ts";
import { distinctPictures } from "./text-pictures.ts";

/** Raise when the same video would give another script. */
const VERSION = 3;
/** Number of pictures that are looked at: those visible longest. */
const PICTURES = 6;
/**
 * Marks of a picture that may be letters from which its script is looked for. Tesseract needs 25 characters; in several
 * scripts up to three of them are one mark.
 */
const LEAST_LETTERS = 8;
/** Mean confidence of the read words from which no other script is looked for; English text has 0.85 and more. */
const SURE = 0.8;
/** Least sum of tesseract's confidence (about 2 to 20 a picture) for a script that is reported. */
const LEAST = 2;

/** Codes of tesseract for common languages of a script, as tesseract names it; the most widespread first. */
const LANGUAGES: Record<string, readonly string[]> = {
  Arabic: ["ara", "fas", "urd"],
  Armenian: ["hye"],
  Bengali: ["ben"],
  Cyrillic: ["rus", "ukr", "bul"],
  Devanagari: ["hin", "mar", "nep"],
  Ethiopic: ["amh"],
  Georgian: ["kat"],
  Greek: ["ell"],
  Gujarati: ["guj"],
  Gurmukhi: ["pan"],
  Han: ["chi_sim", "chi_tra", "jpn"],
  Hangul: ["kor"],
  Hebrew: ["heb"],
  Hiragana: ["jpn"],
  Japanese: ["jpn"],
  Kannada: ["kan"],
  Katakana: ["jpn"],
  Khmer: ["khm"],
  Korean: ["kor"],
  Lao: ["lao"],
  Malayalam: ["mal"],
  Myanmar: ["mya"],
  Sinhala: ["sin"],
  Tamil: ["tam"],
  Telugu: ["tel"],
  Thai: ["tha"],
};

/**
 * Returns a sentence that names the script of the text on screen and the languages to read it in; null if words were
 * read surely, or if no other script than Latin is recognised. `read` is what was read as English with `spec`. The result is stored by
 * the video's content.
 * Throws `Failure`: those of `scanVideo`, `ocr`, `cancelled`.
 */
export async function suggestLanguage(
  video: Video,
  read: readonly Evidence[],
  spec: ReadTextSpec,
  job: JobContext,
): Promise<string | null> {
  const { max_side } = parseRequest(ReadTextSpec, spec, "text");
  if (video.probe.video === null || isRead(read)) return null;
  const { value: script } = await job.store.memo.once<string | null>(
    {
      key: hashOf(["text script", VERSION, video.hash, max_side]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    (signal) => scriptOf(video, max_side, { ...job, signal, progress: undefined }),
  );
  const [first, ...others] = script === null ? [] : (LANGUAGES[script] ?? []);
  if (first === undefined) return null;
  const or = others.length === 0 ? "" : ` (or ${others.join(", ")})`;
  return `The text on screen looks ${script}, but it was read as English. Pass --ocr-language ${first}${or}.`;
}

/** Whether words were read, and surely enough that their script is the one that was expected. */
function isRead(items: readonly Evidence[]): boolean {
  const words = items.flatMap(({ kind, text, confidence }) =>
    kind === "text" ? [{ text, confidence: confidence ?? 0 }] : [],
  );
  return meanConfidence(words) >= SURE;
}

async function scriptOf(
  video: Video,
  max_side: number | null,
  job: JobContext,
): Promise<string | null> {
  const images: Uint8Array[] = [];
  for (const frame of await longestVisible(video, max_side, job)) {
    const read = () => job.store.blobs.read(frame.hash);
    const letters = await lettersInFrame(frame, job, async () => lettersIn(await read()));
    if (letters >= LEAST_LETTERS) images.push(await read());
  }
  return images.length === 0 ? null : strongest(await detectScripts(images, job.signal));
}

/** The frames of the pictures that are visible longest. */
async function longestVisible(
  video: Video,
  max_side: number | null,
  job: JobContext,
): Promise<FrameRef[]> {
  const { scan, states, batches } = await picturesToRead(video, max_side, job);
  const frames: (FrameRef | undefined)[] = [];
  for await (const batch of batches()) frames.push(...(await Promise.all(batch.frames)));
  return distinctPictures(scan, states)
    .slice(0, PICTURES)
    .flatMap(({ state }) => frames[state] ?? []);
}

/** The script with the greatest sum of confidence; null if that is Latin or too little. */
function strongest(detected: readonly DetectedScript[]): string | null {
  const sums = new Map<string, number>();
  for (const { script, confidence } of detected)
    sums.set(script, (sums.get(script) ?? 0) + confidence);
  const [best] = [...sums].sort((a, b) => b[1] - a[1]);
  return best === undefined || best[1] < LEAST || best[0] === "Latin" ? null : best[0];
}
