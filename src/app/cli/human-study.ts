import type { Command } from "commander";
import { allLoadSettings } from "../../../evals/benchmarks/load-settings.ts";
import { mixedText } from "../../../evals/human-study/study-questions.ts";
import type { StudyStatus } from "../../../evals/human-study/study-status.ts";
import { Failure } from "../../core/errors.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, say, table } from "./output.ts";
import { subsetHelp } from "./results-flags.ts";
import { addDeclaredFlags, declaredFlags, typedNumber, wholeNumber } from "./setting-flags.ts";

interface MakeFlags {
  data?: string;
  subset?: string;
  limit?: string;
  sampleId?: string[];
  skipMissing?: boolean;
  raters?: string;
  raterNames?: string[];
  perItem: string;
  seed: string;
  out: string;
  json?: boolean;
}

/** Adds `human-study make`, `status` and `export`: people answer the questions of a benchmark. */
export function configureHumanStudy(command: Command): void {
  withExamples(
    command,
    "human-study make mmr-v --data MMR-V --raters 3 --per-item 2 --out study",
    "serve --human-study study",
    "human-study status study",
    "human-study export study --out runs/people",
  );
  addMake(command);
  addStatus(command);
  addExport(command);
}

function addMake(program: Command): void {
  const command = program
    .command("make")
    .description("choose questions, and who answers which of them in which order")
    .argument("<benchmark>", `the name of a benchmark, or ${dataFileHelp()}`)
    .requiredOption("--out <folder>", "folder of the study")
    .option("--data <folder>", "folder of the benchmark as downloaded; or a data file")
    .option("--subset <name>", `${subsetHelp()} (default: the first)`)
    .option("--limit <n>", "number of questions, or a range: 10, 10-20 (counted from 1)")
    .option("--sample-id <id...>", "only these questions")
    .option("--skip-missing", "skip questions whose video is missing")
    .option("--raters <n>", "number of people, who are called rater-1, rater-2 ... (default: 2)")
    .option(
      "--rater-names <name...>",
      "names of the people; for `serve --keys`, the names of their keys",
    )
    .option("--per-item <n>", "people who answer each question", "2")
    .option("--seed <n>", "seed of the assignment and of the order of questions and options", "0")
    .option("--json", "print one JSON value");
  addDeclaredFlags(command, allLoadSettings());
  withExamples(
    command,
    "human-study make mmr-v --data MMR-V --raters 3 --per-item 2 --seed 1 --out study",
    "human-study make questions.jsonl --rater-names ann bob --out study",
  );
  command.action((given: string, flags: MakeFlags) =>
    run(async () => {
      const names = namesOf(flags);
      const per_item = positive("--per-item", flags.perItem);
      const seed = wholeNumber("--seed", flags.seed);
      const { makeStudy } = await import("../../../evals/human-study/make-study.ts");
      const { readEvalSettings } = await import("../../../evals/run/eval-settings.ts");
      const asked = readEvalSettings({
        ...readBenchmarkArgument(given, flags.data),
        ...(flags.subset === undefined ? {} : { subset: flags.subset }),
        ...(flags.limit === undefined ? {} : { limit: typedNumber(flags.limit) }),
        ...(flags.sampleId === undefined ? {} : { sample_id: flags.sampleId }),
        ...(flags.skipMissing ? { skip_missing: true } : {}),
        ...declaredFlags(command, allLoadSettings()),
      });
      const made = await makeStudy(asked, flags.out, { raters: names, per_item, seed });
      if (flags.json) {
        const { questions, samples, raters } = made;
        printJson({ folder: flags.out, questions, samples, per_item, raters });
      } else {
        print(`${questionsText(made)}, ${per_item} people for each`);
        print(
          table([
            ["rater", "questions", ...(isPaired(made) ? ["pairs"] : [])],
            ...made.raters.map(({ rater, questions, samples }) => [
              ...[rater, String(questions)],
              ...(isPaired(made) ? [String(samples)] : []),
            ]),
          ]),
        );
        say(`Serve the study with \`video-rrd serve --human-study ${flags.out}\`.`);
      }
      return undefined;
    }),
  );
}

function namesOf({ raters, raterNames }: Pick<MakeFlags, "raters" | "raterNames">): string[] {
  if (raterNames === undefined) {
    const count = positive("--raters", raters ?? "2");
    return Array.from({ length: count }, (_, index) => `rater-${index + 1}`);
  }
  if (raters !== undefined && positive("--raters", raters) !== raterNames.length)
    throw new Failure(
      "wrong-usage",
      `--raters ${raters} does not fit ${raterNames.length} names in --rater-names. Leave --raters out.`,
    );
  const wrong = raterNames.find((name) => !/^[\w.@-]{1,64}$/.test(name));
  if (wrong === undefined) return raterNames;
  throw new Failure(
    "wrong-usage",
    `Invalid --rater-names ${JSON.stringify(wrong)}: use 1 to 64 letters, digits or ._@-.`,
  );
}

function positive(flag: string, given: string): number {
  const number = wholeNumber(flag, given);
  if (number >= 1 && number <= 1000) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${number}: use a whole number from 1 to 1000.`,
    { flag },
  );
}

function addStatus(program: Command): void {
  withExamples(
    program
      .command("status")
      .description("how far a study is, how long answers take, and how far the raters agree")
      .argument("<folder>", "folder of the study")
      .option("--json", "print one JSON value")
      .action((folder: string, flags: { json?: boolean }) =>
        run(async () => {
          const { studyStatus } = await import("../../../evals/human-study/study-status.ts");
          const status = await studyStatus(folder);
          if (flags.json) printJson(status);
          else print(render(status));
          return undefined;
        }),
      ),
    "human-study status study",
  );
}

function addExport(program: Command): void {
  withExamples(
    program
      .command("export")
      .description(
        "write the answers as a run, which `score`, `compare`, `report` and `export` read; again later, it is completed",
      )
      .argument("<folder>", "folder of the study")
      .requiredOption("--out <run>", "folder of the run")
      .option("--json", "print one JSON value")
      .action((folder: string, flags: { out: string; json?: boolean }) =>
        run(async () => {
          const { exportStudy } = await import("../../../evals/human-study/export-study.ts");
          const exported = await exportStudy(folder, flags.out);
          const { answers, planned, damaged, mixed_questions } = exported;
          if (flags.json) printJson(exported);
          else print(`${answers} of ${planned} answers are in ${flags.out}`);
          const mixed = mixedText(mixed_questions);
          if (mixed !== null) say(`${mixed} Make the study again to ask one person for all pairs.`);
          if (damaged > 0) say(`${damaged} damaged lines of answers.jsonl were left out.`);
          return undefined;
        }),
      ),
    "human-study export study --out runs/people",
  );
}

interface Counts {
  questions: number;
  samples: number;
}

/** Whether questions are asked as pairs. */
function isPaired({ questions, samples }: Counts): boolean {
  return samples > questions;
}

function questionsText(counts: Counts): string {
  return `${counts.questions} questions${isPaired(counts) ? ` (${counts.samples} pairs)` : ""}`;
}

function render(status: StudyStatus): string {
  const { answers, planned, damaged, raters, pairs, mixed_questions } = status;
  const paired = isPaired(status);
  const share = (value: number | null) => (value === null ? "-" : value.toFixed(2));
  return [
    `${questionsText(status)}, ${answers} of ${planned} answers`,
    mixedText(mixed_questions) ?? [],
    damaged === 0 ? [] : `${damaged} damaged lines of answers.jsonl are not counted`,
    table([
      paired
        ? ["rater", "questions", "pairs assigned", "pairs answered", "median seconds (pair)"]
        : ["rater", "assigned", "answered", "median seconds"],
      ...raters.map(({ rater, questions, assigned, answered, median_s }) => [
        rater,
        ...(paired ? [String(questions)] : []),
        ...[String(assigned), String(answered)],
        median_s === null ? "-" : median_s.toFixed(1),
      ]),
    ]),
    ...(pairs.length === 0
      ? []
      : [
          "",
          table([
            ["raters", paired ? "pairs" : "questions", "agreement", "kappa", "95 % interval"],
            ...pairs.map(({ a, b, n, observed, kappa, low, high }) => [
              ...[`${a}, ${b}`, String(n), share(observed), share(kappa)],
              low === null ? "-" : `${share(low)} to ${share(high)}`,
            ]),
          ]),
        ]),
  ]
    .flat()
    .join("\n");
}
