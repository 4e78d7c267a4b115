import { resolve } from "node:path";
import type { Command } from "commander";
import type { Results } from "../../../evals/score/read-results.ts";
import { Failure } from "../../core/errors.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";
import { readRuns } from "./read-runs.ts";
import { addConnectionFlags, addResultsFlags, type ResultsFlags } from "./results-flags.ts";
import { typedNumber } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  out: string;
  rightIn: string;
  json?: boolean;
}

export function configureMarks(command: Command): void {
  command
    .argument(
      "<runs...>",
      "a sweep of the preset leaks, or runs whose answers do not see the video",
    )
    .option("-o, --out <file>", "file of the marks, as JSON lines", "marks.jsonl")
    .option(
      "--right-in <n>",
      "a run marks a question that is right in all of its results (orders of the options, epochs), or in at least n",
      "all",
    )
    .option("--json", "print one JSON value");
  addConnectionFlags(addResultsFlags(command));
  withExamples(
    command,
    "marks sweeps/leaks -o marks.jsonl",
    "marks runs/blind runs/blind-other-model --right-in 3 -o marks.jsonl",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { makeMarks } = await import("../../../evals/marks/make-marks.ts");
      const { writeMarks } = await import("../../../evals/marks/marks-file.ts");
      const right_in = readRightIn(flags.rightIn);
      const runs: Results[] = [];
      for (const path of paths) {
        const read = await readRuns(path, flags, command, signal);
        runs.push(...read.runs.map(({ results }) => results));
        if (read.not_begun > 0)
          say(`${path}: ${read.not_begun} runs of the sweep have not started.`);
      }
      const { header, marks, ...summary } = makeMarks(runs, right_in);
      await writeMarks(flags.out, header, marks);
      if (flags.json) printJson({ file: resolve(flags.out), right_in, ...summary });
      else {
        print(
          table([
            ["run", "model", "questions", "marked", "by guessing", "not decided"],
            ...summary.checks.map((one) => [
              one.check,
              printable(one.model ?? "none"),
              String(one.questions),
              String(one.marked),
              one.expected_by_chance.toFixed(2),
              String(one.undecided),
            ]),
          ]),
        );
        print(
          `${summary.marked} of ${marks.length} questions marked: right in ${right_in === "all" ? "all" : `at least ${right_in}`} of the results of a run. By guessing: the questions that a guess among the options would mark.`,
        );
      }
      say(`Marks: ${resolve(flags.out)}`);
      if (summary.undecided === 0) return EXIT.ok;
      say(
        `${summary.undecided} questions are not decided, because results are missing: continue the runs with --resume.`,
      );
      return EXIT.ok;
    }),
  );
}

function readRightIn(given: string): "all" | number {
  if (given === "all") return given;
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isInteger(number) && number >= 1) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid --right-in ${JSON.stringify(given)}: use all, or a whole number from 1.`,
    { given },
  );
}
