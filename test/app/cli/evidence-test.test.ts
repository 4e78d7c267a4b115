import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainVideo } from "../../evals/run/run-fixtures.ts";
import { runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

test("eval --evidence-test tests a run as it ends and afterwards, and the report shows it", async () => {
  const root = await tempFolder();
  await mkdir(join(root, "videos"));
  await plainVideo(join(root, "videos", "talk.mp4"), 2);
  const said = "The captain hid the golden key inside the lighthouse.";
  await writeFile(
    join(root, "videos", "talk.srt"),
    `00:00:02,000 --> 00:00:04,000\n${said}\n\n00:00:06,000 --> 00:00:08,000\nRain falls all day.\n`,
  );
  const row = {
    video: "talk.mp4",
    videoType: "Life",
    question: "Where did the captain hide the golden key?",
    options: ["(A) inside the lighthouse", "(B) under the bridge"],
    correctAnswer: "(A)",
    question_idx: 0,
    evidence_s: [[2, 4]],
  };
  await writeFile(join(root, "MMR-V.json"), JSON.stringify([row]));
  const cli = (...args: string[]) => runCommand(root, args);
  const run = ["eval", "mmr-v", "--data", ".", "--strategy", "extractive", "--ocr", "off"];

  const whole = await cli(...run, "--out", "run", "--evidence-test");
  expect(whole.out).toMatch(/evidence test of 1 answers/);
  expect(whole.out).toMatch(/cited evidence only \(sufficiency\) +100\.00 %/);
  expect(whole.out).toMatch(/without cited evidence \(necessity\) +100\.00 %/);
  expect(whole.out).toMatch(/temporal overlap \(IoU\) +100\.00 %/);

  const resumed = await cli("eval", "--resume", "run", "--evidence-test", "--json");
  const shares = { stability: { mean: 1 }, sufficiency: { mean: 1 }, necessity: { mean: 1 } };
  const evidence_test = { status: "finished", tested: 1, ...shares, overlap: { iou: { mean: 1 } } };
  expect(JSON.parse(resumed.out)).toMatchObject({ video_rrd: { evidence_test } });
  await cli(...run, "--out", "untested");
  const failed = await cli(
    ...["eval", "--resume", "untested", "--evidence-test", "--data-dir", "another-store"],
  );
  expect(failed.err).toContain("The evidence test of 1 answer failed");
  expect(failed.code).toBe(1);
  const report = await cli("report", "run", "--format", "markdown");
  expect(report.out).toMatch(/Dependence of answers on evidence/);
});
