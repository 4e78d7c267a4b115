import type { EvidenceTest } from "../../../evals/evidence-test/test-log.ts";
import type { ResumeChanges } from "../../../evals/run/prepare-run.ts";
import { resumeCommand } from "../../../evals/run/resume-command.ts";
import { countOf } from "../../core/count-of.ts";
import { say } from "./output.ts";
import { progressLine } from "./progress.ts";

/** Tests the citations of a run (`--evidence-test`), with a progress line and a message about failed tests. */
export async function runEvidenceTest(
  folder: string,
  changes: ResumeChanges,
  signal: AbortSignal,
): Promise<EvidenceTest> {
  const { testEvidence } = await import("../../../evals/evidence-test/evidence-test.ts");
  const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
  const line = progressLine("Testing the evidence");
  try {
    const test = await testEvidence(folder, changes, {
      signal,
      onProgress: (done, total) => line.update(done, total, "answers"),
    });
    const failed = test.lines.filter(({ error }) => error !== undefined);
    const [first] = failed;
    if (first !== undefined)
      say(
        `The evidence test of ${countOf(failed.length, "answer")} failed (${first.sample}: ${first.error?.message}); retry with \`${resumeCommand("eval", folder)} --evidence-test\`.`,
      );
    return test;
  } finally {
    line.done();
    await closeOcr();
  }
}
