import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../scripts/eval-demo.ts", import.meta.url));

test.each([
  [["--sead", "3"], /^Use only `--seed N` and `--out FOLDER`.*'--sead'/],
  [["7"], /^Use only `--seed N` and `--out FOLDER`.*'7'/],
  [["--seed", "many"], /^Invalid --seed "many": use a whole number from 0\.$/],
])(
  "%j is wrong usage, reported in one sentence before anything is created",
  async (args, message) => {
    const { code, out, err } = await new Promise<{ code: unknown; out: string; err: string }>(
      (done) =>
        execFile(process.execPath, [SCRIPT, ...args], (error, out, err) =>
          done({ code: error?.code, out, err }),
        ),
    );
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trimEnd()).toMatch(message);
    expect(err.trimEnd()).not.toContain("\n");
  },
);
