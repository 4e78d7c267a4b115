import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { madeOnce } from "../../support/made-once.ts";
import type { Script } from "../../support/model-server.ts";
import { makeShuffled, rightOrder } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

/* Small benchmarks in the published layouts, over real videos. */

const LETTERS = ["A", "B", "C"];

/** `videos` of one second with `questions` each; the question says its right letter: `Which of 7? (B)`. */
export async function mmrData(videos: number, questions: number): Promise<string> {
  const folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  const rows = [];
  for (let v = 0; v < videos; v++) {
    await plainVideo(join(folder, "videos", `v${v}.mp4`), v);
    for (let q = 0; q < questions; q++) {
      const index = v * questions + q;
      const letter = LETTERS[index % 3];
      rows.push({
        video: `v${v}.mp4`,
        videoType: "Life",
        question: `Which of ${index}? (${letter})`,
        options: ["(A) one", "(B) two", "(C) three"],
        correctAnswer: `(${letter})`,
        abilityType_L2: q % 2 === 0 ? "Causal Reasoning" : "Emotion Recognition",
        abilityType_L3: "Forward Reasoning",
        question_idx: index,
      });
    }
  }
  await writeFile(join(folder, "MMR-V.json"), JSON.stringify(rows));
  return folder;
}

/** Ten frames in a shade that no other video has. */
export async function plainVideo(file: string, shade: number): Promise<void> {
  const grey = (40 + 17 * shade).toString(16);
  const picture = `testsrc2=s=160x120:r=10:d=1,drawbox=c=0x${grey}${grey}${grey}:t=fill:w=80:h=120`;
  const encode = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-y"];
  await madeOnce(picture, file, async (made) => {
    await runFfmpeg(["-f", "lavfi", "-i", picture, ...encode, made]);
  });
}

/**
 * Videos of shuffled clips; each of `places` gives one video, its clips in the order of their places the right one.
 * Their steps are called by `stepName`; without it they have no names, as in the released benchmark.
 */
export async function vcrData(
  places: readonly (readonly number[])[],
  stepName?: (place: number) => string,
): Promise<string> {
  const folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  const rows = [];
  for (const [index, order] of places.entries()) {
    await makeShuffled(join(folder, "videos", `video_${index + 1}.mp4`), order.length);
    const truth = rightOrder(order).map((clip) => clip - 1);
    rows.push({
      qid: String(index + 1),
      goal: "Make tea",
      video_file: `video_${index + 1}.mp4`,
      ground_truth: truth,
      ...(stepName === undefined ? {} : { steps: order.map(stepName) }),
    });
  }
  await writeFile(join(folder, "data.json"), JSON.stringify(rows));
  return folder;
}

export function mathRows(videos: number) {
  return Array.from({ length: videos }, (_, index) => ({
    question_id: `q${index}`,
    question: `How long is ${index}? (${LETTERS[index % 3]})`,
    options: ["A. 1", "B. 2", "C. 3", "D. 4", "E. 5"],
    answer: LETTERS[index % 3],
    category: "Counting",
    length: "short",
    videoID: `v${index}`,
    steps: ["count"],
  }));
}

export async function mathData(videos: number): Promise<string> {
  const folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  for (let v = 0; v < videos; v++) await plainVideo(join(folder, "videos", `v${v}.mp4`), v);
  await writeFile(join(folder, "mcq.json"), JSON.stringify(mathRows(videos)));
  return folder;
}

/** Replies with the letter in the question, in MMR-V's brackets. */
export const knowing: Script = (request) => `So it is [[${letterIn(request.texts)}]].`;

export function letterIn(texts: readonly string[]): string {
  return /\(([A-C])\)\s*(?:\n|$)/.exec(texts.join("\n"))?.[1] ?? "?";
}

export function settingsFor(url: string, store: string, more: object = {}) {
  return {
    strategy: "direct",
    model: "openai:scripted",
    recognition: { frames: 2, max_side: 64 },
    runtime: { base_url: url, data: store, max_connections: 4 },
    ...more,
  };
}

/** The message of the `Failure` that was thrown. */
export async function refusal(work: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toMatchObject({ name: "Failure" });
  return thrown as { kind: string; message: string };
}
