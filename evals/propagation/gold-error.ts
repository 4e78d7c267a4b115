import { KINDS_OF_STAGE } from "../../graphs/evidence-stages.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence, EvidenceSet } from "../../src/core/shapes.ts";
import { goldOfData, goldOfSidecar, readSidecars } from "../attribution/collect-gold.ts";
import type { Sidecar } from "../attribution/sidecar.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import type { GoldItem, SampleGold } from "../run/gold-file.ts";
import type { OpenedRun } from "../run/prepare-run.ts";
import { hasStepNames } from "../run/step-names.ts";

/** Stages whose recognition is text. */
export type TextStage = keyof typeof KINDS_OF_STAGE;

/** What gold says of a sample, by stage. Times in seconds; step names have only the number of their clip. */
export type GoldTexts = Partial<
  Record<TextStage, readonly (Pick<GoldItem, "text" | "clip"> & Partial<GoldItem>)[]>
>;

/**
 * How much of gold the evidence misses: the words of gold that the evidence at their time does not have. In scripts without
 * spaces between words (Chinese, Japanese, Thai), each character counts as a word.
 */
export interface GoldError {
  stage: TextStage;
  words: number;
  missed: number;
}

/**
 * The gold of samples by id: sidecars before the step names and subtitles of the data. Samples without any are missing.
 * Throws as `readSidecars`.
 */
export async function readGoldTexts(
  { loaded }: Pick<OpenedRun, "loaded">,
  samples: readonly Sample[],
  sidecars: string | undefined,
  job: JobContext,
): Promise<Map<string, GoldTexts>> {
  const tally = createTally();
  const files =
    sidecars === undefined
      ? new Map<string, Sidecar>()
      : await readSidecars(sidecars, { loaded, samples: [...samples] }, job, tally);
  const cues = new Map<string, Promise<SampleGold["speech"]>>();
  const found = new Map<string, GoldTexts>();
  for (const sample of samples) {
    const { captions, text, speech } = {
      ...(await goldOfData(sample, loaded.folder, cues, tally)),
      ...goldOfSidecar(files.get(sample.video), sample),
    };
    const steps = hasStepNames(sample) ? (sample.steps ?? []) : [];
    const gold: GoldTexts = {
      ...(typeof captions === "object"
        ? { captions: captions.items }
        : steps.length > 0
          ? { captions: steps.map((name, place) => ({ text: name, clip: place + 1 })) }
          : {}),
      ...(typeof text === "object" ? { text: text.items } : {}),
      ...(speech === undefined ? {} : { speech: speech.items }),
    };
    if (Object.keys(gold).length > 0) found.set(sample.id, gold);
  }
  return found;
}

/** The error of evidence sets against gold, summed over samples, by stage with gold. Pure. */
export function goldErrors(
  samples: readonly { sample: Sample; set: EvidenceSet }[],
  gold: ReadonlyMap<string, GoldTexts>,
): GoldError[] {
  const sums = new Map<TextStage, GoldError>();
  for (const { sample, set } of samples)
    for (const [stage, items] of Object.entries(gold.get(sample.id) ?? {}) as [
      TextStage,
      NonNullable<GoldTexts[TextStage]>,
    ][]) {
      const kinds: readonly Evidence["kind"][] = KINDS_OF_STAGE[stage];
      const evidence = set.items.filter(({ kind }) => kinds.includes(kind));
      const sum = sums.get(stage) ?? { stage, words: 0, missed: 0 };
      for (const item of items) {
        const words = wordsOf(item.text);
        const had = evidence.filter((one) => isAt(one, item)).map(({ text }) => text);
        sum.words += words.length;
        sum.missed += missing(words, wordsOf(had.join(" ")));
      }
      sums.set(stage, sum);
    }
  return [...sums.values()].filter(({ words }) => words > 0);
}

/** By the number of the clip if both have one, else by time. */
function isAt(evidence: Evidence, { clip, start_s, end_s }: Partial<GoldItem>): boolean {
  if (clip !== undefined && (evidence.clip !== undefined || start_s === undefined))
    return evidence.clip === clip;
  if (start_s === undefined || end_s === undefined) return false;
  const shared = Math.min(evidence.end_s, end_s) - Math.max(evidence.start_s, start_s);
  return shared > 0 || (shared === 0 && (start_s === end_s || evidence.start_s === evidence.end_s));
}

/** A letter of a script that writes words without spaces, with its marks. */
const UNSPACED =
  /[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Mymr}]]\p{M}*/v
    .source;
const WORD = new RegExp(`${UNSPACED}|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, "gv");

/** Words; characters where the script has no spaces between words, since one wrong character would move the limits of others. */
function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
}

/** Number of `words` that `had` does not contain; repeated words count each time. */
function missing(words: readonly string[], had: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of had) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  }).length;
}
