import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { strategyThat } from "../../../../graphs/define-strategy.ts";
import type { DefinitionKind } from "../../../core/registry.ts";
import { providers } from "../../../models/define-provider.ts";
import { packageRoot } from "../../load-module/running-package.ts";

/** What `init` needs to know about one kind of definition. */
interface Template {
  /** Files of `examples/`, the definition first, with the extension of the new file. */
  examples: Readonly<Record<string, string>>;
  /** Arguments of the program that try the new file; `stem` is its path without extension. */
  tryIt(file: string, stem: string): string;
}

const model = () => `--model ${providers.all()[0]?.example}`;
/** The first request is shown, so that neither a key nor a server is needed. */
const SHOWN = "--show-request";

/** The film of the command that tries a definition, which `demo` writes into the current folder. */
export const FILM = "demo-out/lesson.mp4";

/** Every kind of definition that a user can write. */
export const TEMPLATES: Readonly<Record<DefinitionKind, Template>> = {
  strategy: {
    examples: { "strategy.ts": ".ts" },
    tryIt: (file) =>
      `ask ${FILM} "Does it rain?" --options yes no --strategy ${file} ${model()} ${SHOWN}`,
  },
  tool: {
    examples: { "tool.ts": ".ts" },
    tryIt: (file) =>
      `ask ${FILM} "What is x?" --strategy ${searching()} --tools ${file} ${model()} ${SHOWN}`,
  },
  benchmark: {
    examples: { "benchmark.ts": ".ts", "films.json": ".json" },
    tryIt: (file, stem) =>
      `eval ${file} --data ${stem}.json --strategy ${drawing()} --out runs/${basename(stem)}`,
  },
  scorer: {
    examples: { "scorer.ts": ".ts" },
    tryIt: (file) => `eval questions.jsonl --scorer open=${file} --strategy ${asking()} ${model()}`,
  },
  judge: {
    examples: { "judge.ts": ".ts" },
    tryIt: (file) =>
      `judge runs/my-run --kind ${file} --judge-model ${providers.all()[0]?.example}`,
  },
  provider: {
    examples: { "provider.ts": ".ts" },
    tryIt: (file) =>
      `ask ${FILM} "What happens?" --strategy ${asking()} --model ${file}:qwen3-vl ${SHOWN}`,
  },
};

function asking(): string {
  return strategyThat(
    "that asks a model in one call",
    ({ approach, shows }) => approach === "single-call" && shows === "video",
  ).name;
}

function searching(): string {
  return strategyThat("that searches", ({ approach }) => approach === "search").name;
}

function drawing(): string {
  return strategyThat("that needs no video", (one) => one.withoutVideo !== undefined).name;
}

/** The text of an example with the user's name instead of its own. */
export async function filledExample(example: string, kind: string, name: string): Promise<string> {
  const text = await readFile(join(packageRoot, "examples", example), "utf8");
  const title = name.replace(
    /(^|-)([a-z0-9])/gi,
    (_, dash, letter) => `${dash && " "}${letter.toUpperCase()}`,
  );
  return text
    .replaceAll(`my_${kind}`, definedName(kind, name))
    .replaceAll(`my-${kind}`, name)
    .replaceAll(`My ${kind[0]?.toUpperCase()}${kind.slice(1)}`, title);
}

/** The name of the definition; in a tool's name dashes become underscores, because model servers do not accept them. */
export function definedName(kind: string, name: string): string {
  return kind === "tool" ? name.toLowerCase().replaceAll("-", "_") : name;
}
