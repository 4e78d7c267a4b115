import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CLI } from "../support/command-line.ts";
import { startSlowModel } from "./eval-data.ts";
import { lecture } from "./lecture.ts";

const FRAMES = 32;
const QUESTIONS = 40;

/**
 * The processor time of a run, its ffmpeg processes included, which `evals/run/hours-basis.ts` assumes: for a frame of a
 * film of 720p and ten minutes, and for a question whose frames are stored.
 */
export async function bench() {
  const root = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const server = await startSlowModel(0);
  try {
    const video = await lecture();
    const run = async (from: number, count: number) => {
      const lines = Array.from({ length: count }, (_, index) =>
        JSON.stringify({
          ...{ id: `q${from + index}`, video, question: `What is slide ${from + index} about?` },
          ...{ options: ["water", "fire"], answer: "A" },
        }),
      );
      await writeFile(join(root, "questions.jsonl"), `${lines.join("\n")}\n`);
      const args = [
        ...[CLI, "eval", "questions.jsonl", "--strategy", "direct", "--model", "openai:any"],
        ...["--frames", String(FRAMES), "--base-url", server.url, "--out", `run-${from}`, "--json"],
      ];
      return cpuSeconds(root, args);
    };
    const cold = await run(0, 1);
    const warm = await run(1, 1);
    const many = await run(2, QUESTIONS + 1);
    const frame_s = (cold - warm) / FRAMES;
    const question_s = (many - warm) / QUESTIONS;
    return [
      { name: "a frame", value: frame_s, unit: "s of a core", bar: "< 1", ok: frame_s < 1 },
      {
        name: "a question",
        value: question_s,
        unit: "s of a core",
        bar: "< 0.5",
        ok: question_s < 0.5,
      },
    ];
  } finally {
    server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** User and system time of a program and the processes that it waited for. */
async function cpuSeconds(cwd: string, args: readonly string[]): Promise<number> {
  const command = 'TIMEFORMAT="%U %S"; time "$@" >out.txt 2>err.txt';
  const { stderr } = await promisify(execFile)(
    "bash",
    ["-c", command, "-", process.execPath, ...args],
    {
      cwd,
    },
  );
  return stderr
    .trim()
    .split(/\s+/)
    .reduce((sum, part) => sum + Number(part), 0);
}
