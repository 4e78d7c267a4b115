import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { studyPropagation } from "../../evals/propagation/propagation.ts";
import { startRun } from "../../evals/run/run.ts";
import { wilson } from "../../evals/statistics/statistics.ts";
import { seeded } from "../../src/core/random.ts";
import { openStore } from "../../src/storage/open.ts";
import { plainVideo } from "../evals/run/run-fixtures.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * A simulation with known accuracy under an error: each question asks for a fact that only one subtitle cue states. If
 * that cue is hidden, nothing supports an option, so the accuracy is 1 minus the rate.
 */

const VIDEOS = 100;
const FACTS = 40;
const RATES = [0.1, 0.3, 0.6];

function word(seed: string): string {
  const random = seeded("word", seed);
  const letters = (from: string) => from[Math.floor(random() * from.length)] ?? "";
  return Array.from({ length: 4 }, () => letters("bdfgklmnprtvz") + letters("aeiou")).join("");
}

/** An MP4 box that players skip: it makes different videos out of one film. */
function emptyBox(number: number): Buffer {
  const box = Buffer.alloc(12);
  box.writeUInt32BE(12, 0);
  box.write("free", 4);
  box.writeUInt32BE(number, 8);
  return box;
}

const time = (s: number) =>
  `00:${String(Math.floor(s / 60)).padStart(2, "0")}:${String(s % 60).padStart(2, "0")},000`;

test("accuracy is in the 99 % band of the known function at 4,000 questions per point", async () => {
  const root = await tempFolder();
  await mkdir(join(root, "videos"));
  await plainVideo(join(root, "film.mp4"), 1);
  const film = await readFile(join(root, "film.mp4"));
  const rows = [];
  for (let video = 0; video < VIDEOS; video++) {
    const name = `v${video}`;
    await writeFile(join(root, "videos", `${name}.mp4`), Buffer.concat([film, emptyBox(video)]));
    const cues: string[] = [];
    for (let fact = 0; fact < FACTS; fact++) {
      const key = word(`${video} ${fact}`);
      const place = word(`${video} ${fact} place`);
      const [from, to] = [fact * 3, fact * 3 + 2];
      cues.push(`${time(from)} --> ${time(to)}\n${key} ${place}\n`);
      rows.push({
        video: `${name}.mp4`,
        videoType: "Life",
        question: `${key}?`,
        options: [`(A) ${place}`, `(B) ${word(`${video} ${fact} other`)}`],
        correctAnswer: "(A)",
        question_idx: rows.length,
        evidence_s: [[from, to]],
      });
    }
    await writeFile(join(root, "videos", `${name}.srt`), cues.join("\n"));
  }
  await writeFile(join(root, "MMR-V.json"), JSON.stringify(rows));
  const store = await openStore(join(root, "store"));
  const folder = join(root, "run");
  const settings = { strategy: "extractive", recognition: { ocr: "off" } };
  await startRun(
    { benchmark: "mmr-v", data: root, ...settings, runtime: { data: store.folder } },
    folder,
    { store },
  );
  const { curves } = await studyPropagation(
    folder,
    {},
    {
      errors: ["hide-evidence"],
      rates: RATES,
      seed: 5,
      store,
    },
  );
  const [curve] = curves;
  expect(curve?.questions).toBe(VIDEOS * FACTS);
  for (const { rate, realised, accuracy } of curve?.points ?? []) {
    const band = wilson(Math.round((1 - rate) * VIDEOS * FACTS), VIDEOS * FACTS, 0.99);
    process.stdout.write(
      `rate ${rate}, realised ${realised.toFixed(4)}: accuracy ${accuracy?.mean.toFixed(4)}, band ${band.low.toFixed(4)} to ${band.high.toFixed(4)}\n`,
    );
    expect(realised).toBeCloseTo(rate, 3);
    expect(accuracy?.mean).toBeGreaterThanOrEqual(band.low);
    expect(accuracy?.mean).toBeLessThanOrEqual(band.high);
  }
  await store.close();
});
