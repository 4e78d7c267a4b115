import fc from "fast-check";
import { expect, test } from "vitest";
import { type Pair, signFlip } from "../../../evals/statistics/paired-statistics.ts";
import {
  clusteredSize,
  mcnemarPower,
  mcnemarSize,
  pairSpread,
  pilotSafety,
  signFlipPower,
} from "../../../evals/statistics/sample-size.ts";
import { seeded } from "../../../src/core/random.ts";

/** Exact McNemar power by enumeration of both counts, with logarithms of factorials. */
function enumeratedPower(n: number, discordant: number, difference: number, alpha: number) {
  const logs = [0];
  for (let i = 1; i <= n; i++) logs.push((logs[i - 1] as number) + Math.log(i));
  const log = (i: number) => logs[i] as number;
  const [better, worse] = [(discordant + difference) / 2, (discordant - difference) / 2];
  const times = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share));
  let power = 0;
  for (let b = 0; b <= n; b++)
    for (let c = 0; b + c <= n; c++) {
      const total = b + c;
      let tail = 0;
      for (let k = 0; k <= Math.min(b, c); k++)
        tail += Math.exp(log(total) - log(k) - log(total - k) - total * Math.LN2);
      if (Math.min(1, 2 * tail) > alpha) continue;
      power += Math.exp(
        log(n) -
          log(b) -
          log(c) -
          log(n - total) +
          times(b, better) +
          times(c, worse) +
          times(n - total, 1 - discordant),
      );
    }
  return power;
}

test("the power of McNemar's test equals an enumeration of all tables", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0.05, max: 0.9, noNaN: true }),
      fc.double({ min: 0.02, max: 0.98, noNaN: true }),
      fc.constantFrom(0.05, 0.01),
      (n, discordant, share, alpha) => {
        const difference = discordant * share;
        expect(mcnemarPower(n, discordant, difference, alpha)).toBeCloseTo(
          enumeratedPower(n, discordant, difference, alpha),
          6,
        );
      },
    ),
    { numRuns: 40 },
  );
});

test("from the planned size on, McNemar's test has the power; one question fewer misses it", () => {
  for (const [discordant, difference] of [
    [0.2, 0.1],
    [0.35, 0.08],
    [0.1, 0.1],
  ] as const) {
    const size = mcnemarSize(discordant, { difference }) ?? Number.NaN;
    for (let more = 0; more < 30; more++)
      expect(mcnemarPower(size + more, discordant, difference)).toBeGreaterThanOrEqual(0.8);
    expect(mcnemarPower(size - 1, discordant, difference)).toBeLessThan(0.8);
  }
});

/** Studies of a world: each video moves the chance of its questions, which score differently with probability 0.4. */
function study(
  videos: number,
  perVideo: number | ((video: number) => number),
  difference: number,
  seed: number,
  by = 0.12,
): Pair[] {
  const random = seeded("world", seed);
  return Array.from({ length: videos }, (_, video) => {
    const lean = (random() < 0.5 ? 1 : -1) * by;
    const length = typeof perVideo === "number" ? perVideo : perVideo(video);
    return Array.from({ length }, (): Pair => {
      const draw = random();
      const better = 0.2 + (difference + lean) / 2;
      const worse = 0.2 - (difference + lean) / 2;
      const [a, b] = draw < better ? [0, 1] : draw < better + worse ? [1, 0] : [1, 1];
      return { a, b, cluster: String(video) };
    });
  }).flat();
}

test("a simulated study of the planned size finds the difference as often as planned", () => {
  const difference = 0.1;
  const pilot = study(4000, 4, 0, 1);
  const spread = pairSpread(pilot);
  expect(spread.square).toBeCloseTo(0.4, 1);
  expect(spread.correlation).toBeCloseTo(0.12 ** 2 / 0.4, 1);
  const size = clusteredSize(spread, { difference }, 4);
  const { videos } = size as { videos: number };
  let found = 0;
  for (let seed = 0; seed < 400; seed++)
    if (signFlip(study(videos, 4, difference, seed + 10), { seed, draws: 499 }).p <= 0.05) found++;
  // 99 % of binomial draws around 0.8.
  expect(found / 400).toBeGreaterThan(0.745);
  expect(found / 400).toBeLessThan(0.852);
  const simulated = signFlipPower(pilot, { difference }, videos, { seed: 1, studies: 400 });
  expect(simulated?.power).toBeGreaterThan(0.745);
  expect(simulated?.power).toBeLessThan(0.852);
});

test("of videos with different numbers of questions, those with many count in the plan", () => {
  const difference = 0.1;
  // Of ten videos six have 2 questions, three 4 and one 12: 3.6 on average, and 6 by question.
  const sizes = [2, 4, 2, 12, 2, 4, 2, 2, 4, 2];
  const perVideo = (video: number) => sizes[video % 10] ?? 0;
  const spread = pairSpread(study(4000, perVideo, 0, 1, 0.275));
  expect(spread).toMatchObject({ size: 6, questions: 14_400, videos: 4000 });
  expect(spread.correlation).toBeCloseTo(0.275 ** 2 / 0.4, 1);
  const planned = clusteredSize(spread, { difference }, 3.6, { size: spread.size });
  const even = clusteredSize(spread, { difference }, 3.6);
  expect(planned?.videos).toBeGreaterThan(1.2 * (even?.videos ?? Number.NaN));
  let found = 0;
  for (let seed = 0; seed < 400; seed++) {
    const random = seeded("sizes", seed);
    const drawn = () => sizes[Math.floor(random() * 10)] ?? 0;
    const all = study(planned?.videos ?? 0, drawn, difference, seed + 10, 0.275);
    if (signFlip(all, { seed, draws: 499 }).p <= 0.05) found++;
  }
  expect(found / 400).toBeGreaterThan(0.745);
  expect(found / 400).toBeLessThan(0.852);
});

test("more questions per video need fewer videos but more questions", () => {
  const spread = pairSpread(study(500, 4, 0, 3));
  const one = clusteredSize(spread, { difference: 0.05 }, 1);
  const four = clusteredSize(spread, { difference: 0.05 }, 4);
  expect(four?.videos).toBeLessThan(one?.videos ?? 0);
  expect(four?.questions).toBeGreaterThan(one?.questions ?? 0);
});

test("the correlation within a video cannot be measured from one video, or from equal differences", () => {
  const pairs = (videos: number, differs: (place: number) => boolean) =>
    Array.from({ length: 12 }, (_, place): Pair => {
      return { a: 0, b: differs(place) ? 1 : 0, cluster: String(place % videos) };
    });
  const some = (place: number) => place % 3 === 0;
  expect(pairSpread(pairs(1, some))).toMatchObject({ correlation: null, unmeasured: "one-video" });
  expect(pairSpread(pairs(4, () => true))).toMatchObject({
    ...{ correlation: null, unmeasured: "equal-differences" },
  });
  expect(pairSpread(pairs(4, some))).toMatchObject({
    ...{ correlation: expect.any(Number), unmeasured: null },
  });
  expect(pairSpread(pairs(12, some))).toMatchObject({ correlation: null, unmeasured: null });
  // Scores of 0 and 1 that all differ in the same way plan with the largest variance there is.
  const all = pairSpread(pairs(4, () => true));
  expect(clusteredSize({ ...all, correlation: 1 }, { difference: 0.1 }, 3)?.videos).toBe(
    clusteredSize({ ...all, correlation: 0 }, { difference: 0.1 }, 1)?.videos,
  );
});

test("a small pilot needs a larger safety factor than a large one", () => {
  // Upper 80 % limits of a variance with 19 and 99 degrees of freedom, from a table of chi-square.
  expect(pilotSafety(20)).toBeCloseTo(19 / 13.716, 3);
  expect(pilotSafety(100)).toBeCloseTo(99 / 87.005, 2);
  expect(pilotSafety(1)).toBeNull();
});
