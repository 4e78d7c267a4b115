import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";

const SERVER = fileURLToPath(new URL("../support/model-server.ts", import.meta.url));
const SLOW = fileURLToPath(new URL("slow-model.ts", import.meta.url));
const WORKER = fileURLToPath(new URL("eval-worker.ts", import.meta.url));
export const VIDEOS = 10;

/** A scripted server in its own process, whose every reply takes this many seconds. */
export async function startSlowModel(seconds: number): Promise<{ url: string; stop(): void }> {
  const server = spawn(process.execPath, [SERVER, "--script", SLOW], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, REPLY_MS: String(seconds * 1000) },
  });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  return { url: line.toString().trim(), stop: () => server.kill() };
}

/** Ten short videos, and choice questions about them in the layout of MMR-V. */
export async function makeData(folder: string, questions: number): Promise<void> {
  await mkdir(join(folder, "videos"), { recursive: true });
  for (let v = 0; v < VIDEOS; v++)
    await runFfmpeg([
      ...["-f", "lavfi", "-i", `testsrc2=s=640x360:r=10:d=8,hue=h=${v * 30}`],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
      ...["-y", join(folder, "videos", `v${v}.mp4`)],
    ]);
  await writeFile(join(folder, "MMR-V.json"), JSON.stringify(rows(questions)));
}

function rows(questions: number) {
  return Array.from({ length: questions }, (_, index) => ({
    video: `v${Math.floor((index * VIDEOS) / questions)}.mp4`,
    videoType: "Life",
    question: `What does scene ${index} imply about the people who are shown in it?`,
    options: [..."ABCDEFGHIJ"].map((letter) => `(${letter}) what option ${letter} says of it`),
    correctAnswer: "(A)",
    abilityType_L2: "Causal Reasoning",
    abilityType_L3: "Forward Reasoning",
    question_idx: index,
  }));
}

/** Measurements of `eval-worker.ts`. */
interface Work {
  done: number;
  seconds: number;
  alive_s: number;
  cpu_s: number;
  /** Without the start of the process. */
  work_cpu_s: number;
  peak_mb: number;
}

/** Runs `eval-worker.ts` in its own process. */
export async function worker(what: string, ...given: (object | string)[]): Promise<Work> {
  const args = given.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const { stdout } = await promisify(execFile)(process.execPath, [WORKER, what, ...args]);
  return JSON.parse(stdout) as Work;
}
