import type { Command } from "commander";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import type { PromptImport } from "../../../evals/benchmarks/prompt-import/import-prompts.ts";
import { oneOf } from "../../core/one-of.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";

interface Flags {
  from: string;
  out?: string;
  model?: string;
  subtitles?: boolean;
  json?: boolean;
}

export function configurePrompts(prompts: Command): void {
  const withReleased = benchmarks.all().filter(({ released }) => released.length > 0);
  withExamples(prompts, "prompts import vcrbench --from ~/VCRBench");
  const command = prompts
    .command("import")
    .description("read the released prompts of a benchmark from your clone of its repository")
    .argument("<benchmark>", oneOf(withReleased.map(({ name }) => name)))
    .requiredOption(
      "--from <clone>",
      `clone of ${oneOf(withReleased.flatMap(({ released }) => released[0]?.repository ?? []))}`,
    )
    .option("--out <folder>", "folder for the prompt files (default: prompts-<benchmark>)")
    .option("--model <name>", "MMR-V: the prompts of the script for this model")
    .option("--subtitles", "VideoMathQA: the prompts for questions with subtitles")
    .option("--json", "print one JSON value");
  withExamples(
    command,
    "prompts import vcrbench --from ~/VCRBench",
    "prompts import mmr-v --from ~/MMR-V --model gpt-4.1 --out prompts-gpt-4.1",
    "eval vcrbench --data VCRBench --protocol official --prompts prompts-vcrbench --strategy direct --model openai:gpt-4o",
  );
  command.action((benchmark: string, { out, json, ...flags }: Flags) =>
    run(async () => {
      const { importPrompts } = await import(
        "../../../evals/benchmarks/prompt-import/import-prompts.ts"
      );
      const result = await importPrompts(benchmark, {
        ...flags,
        out: out ?? `prompts-${benchmark}`,
      });
      if (json) printJson(result);
      else print(render(result));
      for (const { prompt, from, verified } of result.imported)
        if (!verified)
          say(
            printable(
              `Warning: the text of ${prompt} in ${from} differs from the known released text. A certificate will list it as different.`,
            ),
          );
      return EXIT.ok;
    }),
  );
}

function render({ imported, not_filled, out, repository }: PromptImport): string {
  return [
    table([
      ["prompt", "from", "released text"],
      ...imported.map(({ prompt, from, verified }) => [
        prompt,
        from,
        verified ? "verified" : "differs",
      ]),
    ]),
    ...not_filled.map(({ prompt, why }) => `not filled: ${prompt}: ${why}`),
    `Imported ${imported.length} prompts of ${repository} to ${out}. Use them with --prompts ${out}.`,
  ]
    .map(printable)
    .join("\n");
}
