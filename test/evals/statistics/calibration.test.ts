import { expect, test } from "vitest";
import {
  brierScore,
  calibrateOnOtherVideos,
  calibrationError,
  errorIfCalibrated,
  type Rated,
  reliabilityBins,
  riskCoverage,
} from "../../../evals/statistics/calibration.ts";
import { seeded, shuffle } from "../../../src/core/random.ts";
import { largestDifference } from "../../support/calibration-draws.ts";

test("the measures equal an independent implementation", () => {
  expect(largestDifference({ draws: 800 })).toBeLessThan(1e-9);
});

/** Answers of 200 videos with five questions each; right with the probability that `truth` gives for the confidence. */
function world(truth: (confidence: number) => number, seed = 1): Rated[] {
  const random = seeded("world", seed);
  return Array.from({ length: 1000 }, (_, place) => {
    const confidence = Math.round(random() * 100) / 100;
    return {
      confidence,
      value: random() < truth(confidence) ? 1 : 0,
      cluster: String(Math.floor(place / 5)),
    };
  });
}

test("a calibrated confidence has an error within chance, an overconfident one beyond it", () => {
  const honest = world((confidence) => confidence);
  const { mean, p95 } = errorIfCalibrated(honest, { seed: 1 });
  expect(calibrationError(honest)).toBeLessThan(p95);
  expect(mean).toBeLessThan(p95);
  const boastful = world((confidence) => confidence / 2);
  expect(calibrationError(boastful)).toBeGreaterThan(2 * p95);
});

test("five equal epochs of a calibrated question are not more than chance explains", () => {
  const random = seeded("epochs");
  const runs = 60;
  const alarms = (epochs: number) =>
    Array.from({ length: runs }, () => {
      const items = Array.from({ length: 200 }, (_, question) => {
        const confidence = 0.3 + 0.7 * random();
        const value = random() < confidence ? 1 : 0;
        return Array.from({ length: epochs }, () => ({
          ...{ confidence, value, cluster: String(question) },
        }));
      }).flat();
      return calibrationError(items) > errorIfCalibrated(items, { seed: 0, draws: 200 }).p95;
    }).filter(Boolean).length;
  // 5 % of 60 are 3; independent draws of the epochs raise 52 alarms.
  expect(alarms(1)).toBeLessThanOrEqual(8);
  expect(alarms(5)).toBeLessThanOrEqual(8);
});

test("a fit on other videos corrects an overconfident signal without its own video", () => {
  const items = world((confidence) => confidence / 2);
  const fitted = calibrateOnOtherVideos(items, { seed: 3 });
  expect(calibrationError(fitted)).toBeLessThan(0.06);
  expect(brierScore(fitted)).toBeLessThan(brierScore(items) - 0.05);
  // Turning the scores of one video around changes no confidence of that video.
  const own = items[0]?.cluster;
  const turned = items.map((item) =>
    item.cluster === own ? { ...item, value: 1 - item.value } : item,
  );
  const again = calibrateOnOtherVideos(turned, { seed: 3 });
  for (const [place, item] of fitted.entries())
    if (item.cluster === own) expect(again[place]?.confidence).toBe(item.confidence);
});

test("the order of the answers changes neither the fit on other videos nor the error by chance", () => {
  const items = world((confidence) => confidence / 2);
  const found = (of: readonly Rated[]) => {
    const fitted = calibrateOnOtherVideos(of, { seed: 3 });
    return [
      calibrationError(fitted).toFixed(12),
      brierScore(fitted).toFixed(12),
      errorIfCalibrated(fitted, { seed: 3 }).p95.toFixed(12),
      errorIfCalibrated(of, { seed: 3 }).p95.toFixed(12),
    ];
  };
  const once = found(items);
  expect(found(items.toReversed())).toEqual(once);
  expect(found(shuffle(items, seeded("order")))).toEqual(once);
});

test("a perfect order has the least area, an unrelated one the risk of all answers", () => {
  const rows = [1, 1, 0, 0].map((value, place) => ({
    confidence: 1 - place / 10,
    value,
    cluster: "v",
  }));
  const { aurc, best, random, curve } = riskCoverage(rows);
  expect(aurc).toBeCloseTo((0 + 0 + 1 / 3 + 2 / 4) / 4);
  expect(best).toBe(aurc);
  expect(random).toBe(0.5);
  expect(curve.at(-1)).toMatchObject({ coverage: 1, risk: 0.5 });
  const equal = rows.map((row) => ({ ...row, confidence: 0.5 }));
  expect(riskCoverage(equal).aurc).toBeCloseTo(0.5);
});

test("the last bin of equal width includes 1, and edges belong to the upper bin", () => {
  const at = (confidence: number) => ({ confidence, value: 1, cluster: "v" });
  const bins = reliabilityBins([at(0), at(0.1), at(0.3), at(0.7), at(1)]);
  expect(bins.map(({ from }) => from)).toEqual([0, 0.1, 0.3, 0.7, 0.9]);
});
