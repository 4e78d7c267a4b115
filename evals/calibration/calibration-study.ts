import { Failure } from "../../src/core/errors.ts";
import { caveatsOf, caveatsText } from "../compare/caveats.ts";
import { extractorOf } from "../score/extractor-choice.ts";
import type { Results } from "../score/read-results.ts";
import {
  brierScore,
  calibrateOnOtherVideos,
  calibrationError,
  errorIfCalibrated,
  type Rated,
  type ReliabilityBin,
  type RiskCoverage,
  reliabilityBins,
  riskCoverage,
} from "../statistics/calibration.ts";
import { FEWEST_CLUSTERS, type Mean, meanShare } from "../statistics/statistics.ts";
import { SIGNALS, type Signal } from "./signals.ts";
import { votedEpochs, votedEpochsText } from "./voted-epochs.ts";

/** How well confidences of one kind match the scores. */
export interface Calibration {
  /** Mean squared error, 0 to 1. */
  brier: number;
  /** Expected calibration error over 10 bins of equal width, 0 to 1. */
  error: number;
  /** Calibration error of perfectly calibrated confidences, by chance; answers of one video count as dependent. */
  error_by_chance: { mean: number; p95: number };
  bins: ReliabilityBin[];
}

/** How one signal of a run relates to its scores. */
export interface SignalStudy {
  signal: string;
  title: string;
  /** Answers with the signal. */
  answers: number;
  videos: number;
  accuracy: Mean;
  /** For the values themselves; null for a signal that is not a probability. */
  stated: Calibration | null;
  /** After an isotonic fit on other videos (5-fold cross-validation); null with fewer than 20 videos. */
  fitted: Calibration | null;
  risk: RiskCoverage;
}

/** All signals of a run. */
export interface CalibrationStudy {
  run: string;
  benchmark: string;
  extractor: string;
  /** How the strategy computed its confidence, one entry for each way. */
  basis: string[];
  /** What limits the numbers, such as missing results, in a sentence; null if nothing does. */
  caveats: string | null;
  signals: SignalStudy[];
}

/**
 * Compares every signal of a run with the scores of its answers. Throws `Failure` `wrong-usage` for a run without a
 * signal.
 *
 * @example
 * const { signals } = studyCalibration(await readResults("runs/agent"));
 */
export function studyCalibration(results: Results, { seed = 0 } = {}): CalibrationStudy {
  const signals = SIGNALS.flatMap((signal) => {
    const items = signal.read(results);
    return items.length === 0 ? [] : [studySignal(signal, items, seed)];
  });
  if (signals.length === 0)
    throw new Failure(
      "wrong-usage",
      results.epochs > 1 && results.missing > 0
        ? `No answer of ${results.name} has a confidence yet: too few epochs of its samples have a result. Complete the run with \`eval --resume\`.`
        : `No answer of ${results.name} has a confidence: use a run with several epochs (--epochs), of a strategy that verifies its answers, or of pairwise reasoning (--reasoning).`,
      { run: results.name },
    );
  const bases = results.said.flatMap(({ line }) => line?.confidence_basis ?? []);
  return {
    run: results.name,
    benchmark: results.benchmark.name,
    extractor: extractorOf(results).name,
    // Bases differ in their counts only; one of each kind is enough.
    basis: [...new Map(bases.map((basis) => [basis.replace(/\d+/g, "#"), basis])).values()],
    caveats: caveatsSentence(
      results,
      signals.map(({ signal }) => signal),
    ),
    signals,
  };
}

/** A reply that failed or was stopped has no confidence of its own, instead of counting as wrong; in a vote it is no answer. */
function caveatsSentence(results: Results, signals: readonly string[]): string | null {
  const voted = signals.includes("votes") ? votedEpochs(results) : null;
  const own = voted === null || signals.length > 1 ? ["without a confidence"] : [];
  const inVotes = voted === null ? [] : ["counted in votes as no answer, which lowers the share"];
  const effect = `, ${[...own, ...inVotes].join(", ")}`;
  const told = [
    caveatsText(caveatsOf(results), { failed: effect, stopped: effect }),
    voted === null ? null : votedEpochsText(voted),
  ].filter((text) => text !== null);
  return told.length === 0 ? null : `${told.join("; ")}.`;
}

function studySignal(
  { name, title, isProbability }: Signal,
  items: readonly Rated[],
  seed: number,
): SignalStudy {
  const videos = new Set(items.map(({ cluster }) => cluster)).size;
  return {
    signal: name,
    title,
    answers: items.length,
    videos,
    accuracy: meanShare(items),
    stated: isProbability ? measure(items, seed) : null,
    fitted:
      videos < FEWEST_CLUSTERS ? null : measure(calibrateOnOtherVideos(items, { seed }), seed),
    risk: riskCoverage(items),
  };
}

function measure(items: readonly Rated[], seed: number): Calibration {
  return {
    brier: brierScore(items),
    error: calibrationError(items),
    error_by_chance: errorIfCalibrated(items, { seed }),
    bins: reliabilityBins(items),
  };
}
