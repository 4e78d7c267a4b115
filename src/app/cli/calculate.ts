import type { Command } from "commander";
import { Failure } from "../../core/errors.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";

interface Flags {
  solve?: string[];
  json?: boolean;
}

export function configureCalculate(command: Command): void {
  command
    .argument("<latex...>", "an expression; with --solve, one or more equations")
    .option("--solve <unknowns...>", "the unknowns to solve for")
    .option("--json", "print one JSON value");
  command.action((latex: string[], { solve: unknowns, json }: Flags) =>
    run(async (signal) => {
      const { calculate, solve } = await import("../../../tools/mathematics/calculate.ts");
      const { inWords } = await import("../../../tools/mathematics/calculation-evidence.ts");
      const result =
        unknowns === undefined
          ? await calculate({ expression: latex.join(" ") }, { signal })
          : await solve({ equations: latex, for: unknowns }, { signal });
      if ("expression" in result && result.exact.includes("="))
        throw new Failure(
          "wrong-usage",
          `${JSON.stringify(result.expression)} is an equation. Name its unknowns with --solve, for example --solve x.`,
          { flag: "--solve" },
        );
      if (json === true) printJson(result);
      else print(inWords(result));
      return undefined;
    }),
  );
  withExamples(
    command,
    "calculate '\\int_0^1 x^2 dx' --json",
    "calculate '\\frac{d}{dx} x^3 \\sin x'",
    "calculate 'x + y = 5' 'x - y = 1' --solve x y",
  );
}
