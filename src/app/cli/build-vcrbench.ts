import type { Command } from "commander";
import { Failure } from "../../core/errors.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say } from "./output.ts";
import { progressLine } from "./progress.ts";
import { typedNumber, wholeNumber } from "./setting-flags.ts";

interface Flags {
  out: string;
  videos?: string;
  tasks?: string;
  grouping?: string;
  shuffles: string;
  seed: string;
  sound: string;
  cardSeconds: string;
  maxSide?: string;
  json?: boolean;
}

export function configureBuildVcrbench(command: Command): void {
  withExamples(
    command
      .argument(
        "<annotations>",
        "JSON or YAML list of { video, goal, steps: [{ start, end, name }] }, or the CSV folder of CrossTask",
      )
      .requiredOption(
        "--out <folder>",
        "folder of the dataset; a second call builds only what is missing",
      )
      .option("--videos <folder>", "folder of the videos (default: the folder of the annotations)")
      .option("--tasks <file>", "tasks_primary.txt of CrossTask (default: next to the annotations)")
      .option(
        "--grouping <file>",
        "JSON or YAML list of { goal, any_order: [[name, name]], before: [[earlier, later]] }: steps that may swap",
      )
      .option("--shuffles <n>", "shuffled versions of each video; none has the original order", "1")
      .option("--seed <n>", "seed of the shuffles", "0")
      .option("--sound <keep|drop>", "keep or drop the sound of the source", "keep")
      .option("--card-seconds <s>", "seconds of a title card, from 0.4", "1")
      .option("--max-side <pixels>", "longest side (default: that of the source)")
      .option("--json", "print one JSON value")
      .action((annotations: string, flags: Flags) =>
        run(async (signal) => {
          const { readAnnotations } = await import(
            "../../../evals/datasets/build-vcrbench/annotations.ts"
          );
          const { readGrouping, withGrouping } = await import(
            "../../../evals/datasets/build-vcrbench/grouping.ts"
          );
          const { buildVcrbench } = await import("../../../evals/datasets/build-vcrbench/build.ts");
          if (flags.sound !== "keep" && flags.sound !== "drop")
            throw new Failure(
              "wrong-usage",
              `Invalid --sound ${JSON.stringify(flags.sound)}: use keep or drop.`,
            );
          const options = {
            shuffles: wholeNumber("--shuffles", flags.shuffles),
            seed: wholeNumber("--seed", flags.seed),
            sound: flags.sound,
            card_s: Number(typedNumber(flags.cardSeconds)),
            max_side: flags.maxSide === undefined ? null : wholeNumber("--max-side", flags.maxSide),
          } as const;
          const annotated = await readAnnotations(annotations, flags);
          const { videos, notes } =
            flags.grouping === undefined
              ? { videos: annotated, notes: [] }
              : withGrouping(annotated, await readGrouping(flags.grouping));
          const line = progressLine("build-vcrbench");
          const made = await buildVcrbench(videos, flags.out, {
            ...options,
            signal,
            progress: line.update,
          }).finally(() => line.done());
          const built = { ...made, notes: [...notes, ...made.notes] };
          if (flags.json) printJson(built);
          else {
            print(
              `${built.made.length} built, ${built.kept.length} already exist, ${built.failed.length} failed: ${built.folder}`,
            );
            if (built.partial_orders > 0)
              print(
                `${built.partial_orders} of ${built.made.length + built.kept.length} with steps that may swap`,
              );
            for (const { what, count, examples } of built.notes)
              print(printable(`note: ${what}: ${count} (${examples.join(", ")})`));
          }
          for (const { video, message } of built.failed) say(printable(`${video}: ${message}`));
          return built.failed.length > 0 || built.made.length + built.kept.length === 0
            ? EXIT.failed
            : EXIT.ok;
        }),
      ),
    "build-vcrbench steps.yaml --videos films --out my-set --shuffles 3",
    "build-vcrbench steps.yaml --grouping swaps.yaml --videos films --out my-set",
    "build-vcrbench crosstask/annotations --tasks crosstask/tasks_primary.txt --videos crosstask/videos --out my-set",
  );
}
