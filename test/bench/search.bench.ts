import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeEvidence, makeEvidenceSet } from "../../src/core/evidence.ts";
import { sha256 } from "../../src/core/hash.ts";
import { seeded } from "../../src/core/random.ts";
import type { EvidenceKind, EvidenceSet } from "../../src/core/shapes.ts";
import { searchEvidence } from "../../tools/search/keyword-search.ts";
import { besideRounds } from "./machine.ts";

const HOURS = 3;
const SUBTITLE_EVERY_S = 4;
const SLIDE_EVERY_S = 10;
const QUESTIONS = 200;

/** Searches three hours of speech and slides with questions of 5 to 50 words. */
export async function bench(): Promise<
  { name: string; value: number; unit: string; bar: string; ok: boolean }[]
> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const store = { derived: async () => folder };
  try {
    const random = seeded("search bench");
    const words = (count: number) =>
      Array.from({ length: count }, () => someWord(random)).join(" ");
    const set = threeHours(words);
    const started = performance.now();
    await searchEvidence(set, words(5), {}, store);
    const built = performance.now() - started;
    const times: number[] = [];
    const { slower } = await besideRounds(1, async () => {
      for (let question = 0; question < QUESTIONS; question++) {
        const query = words(5 + (question % 10) * 5);
        const asked = performance.now();
        await searchEvidence(set, query, {}, store);
        times.push(performance.now() - asked);
      }
    });
    const slow = times.sort((a, b) => a - b)[Math.floor(QUESTIONS * 0.95)] ?? 0;
    return [
      {
        name: `95th percentile of ${QUESTIONS} searches in ${set.items.length} texts of ${HOURS} hours`,
        value: slow,
        unit: "ms",
        bar: `< ${(20 * slower).toPrecision(3)}`,
        ok: slow < 20 * slower,
      },
      {
        name: "time to build their index",
        value: built,
        unit: "ms",
        bar: "< 2000",
        ok: built < 2000,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function threeHours(words: (count: number) => string): EvidenceSet {
  const video = sha256("three hours");
  const every = (kind: EvidenceKind, step_s: number, length: number) =>
    Array.from({ length: (HOURS * 3600) / step_s }, (_, index) =>
      makeEvidence({
        video,
        kind,
        start_s: index * step_s,
        end_s: (index + 1) * step_s,
        text: words(length),
        by: { who: "tool", name: "bench" },
        confidence: null,
        from: [],
      }),
    );
  return makeEvidenceSet([
    ...every("subtitle", SUBTITLE_EVERY_S, 12),
    ...every("text", SLIDE_EVERY_S, 60),
  ]);
}

/** Words with Zipf's distribution: the n-th of ten thousand is about 1/n as frequent as the first. */
function someWord(random: () => number): string {
  return `w${Math.floor(10_000 ** random()).toString(36)}`;
}
