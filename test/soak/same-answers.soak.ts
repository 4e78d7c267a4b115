import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeDemoSets } from "../../evals/datasets/demo/make-sets.ts";
import { realQuestions } from "../support/real-questions.ts";
import { hasShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";
import { differences, type Facts, type Job, STRATEGIES } from "./same-answers/jobs.ts";

/*
 * Compares this version with an older one: index, evidence, frames, requests, answers and citations on the demo sets and
 * on the real videos of `../shared/data`, with a scripted model whose replies depend on every word and pixel it is sent.
 * OLD: path of a checkout of the older version with its packages. SAME_FOLDER: folder that keeps
 * the facts of both, so that a stopped comparison can resume.
 */

const { OLD, SAME_FOLDER } = process.env;
const OBSERVE = join(import.meta.dirname, "same-answers/observe.ts");

test.skipIf(OLD === undefined)(
  "an older version recognises, sends and answers the same",
  {
    timeout: 2 * 3_600_000,
  },
  async () => {
    const folder = SAME_FOLDER ?? (await tempFolder());
    const jobs = [
      ...(await demoJobs(join(folder, "demo"))),
      ...(hasShared ? await realJobs() : []),
    ];
    const [before, now] = await Promise.all([
      observe(resolve(OLD ?? ""), join(folder, "before"), jobs),
      observe(resolve(import.meta.dirname, "../.."), join(folder, "now"), jobs),
    ]);
    const found = differences(before, now);
    const lines = found.map(({ name, aspects }) => `| ${name} | ${aspects.join(", ")} |`);
    console.log(
      [`${jobs.length} comparisons, ${found.length} differ`, "| what | differs in |"]
        .concat(lines)
        .join("\n"),
    );
    expect(Object.keys(now)).toEqual(expect.arrayContaining(jobs.map(({ name }) => name)));
    expect(found).toEqual([]);
  },
);

async function observe(checkout: string, folder: string, jobs: readonly Job[]) {
  if (!existsSync(join(checkout, "node_modules")))
    throw new Error(
      `OLD must be a checkout of this project after \`npm ci\`, and ${checkout} is not.`,
    );
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "jobs.json"), JSON.stringify(jobs));
  await promisify(execFile)(process.execPath, [OBSERVE, checkout, folder], {
    env: { ...process.env, OPENAI_API_KEY: "none" },
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(await readFile(join(folder, "facts.json"), "utf8")) as Record<string, Facts>;
}

async function demoJobs(folder: string): Promise<Job[]> {
  const sets = await makeDemoSets(folder, 7);
  const questions = [
    ["vcrbench", "mcq"],
    ["mmr-v", "mcq"],
    ["videomathqa", "mcq"],
    ["videomathqa", "multi_binary"],
  ] as const;
  return questions.flatMap(([benchmark, subset]) =>
    STRATEGIES.map((strategy): Job => {
      const name = `${benchmark} ${subset} ${strategy}`;
      return { kind: "run", name, benchmark, subset, strategy, data: sets[benchmark] };
    }),
  );
}

/** Any file with streams, and every question about it. */
async function realJobs(): Promise<Job[]> {
  const questions = await realQuestions();
  const files = JSON.parse(await readFile(sharedFile("media/MANIFEST.json"), "utf8")) as {
    file: string;
    probe?: object;
  }[];
  return files
    .filter(({ probe }) => probe !== undefined)
    .flatMap(({ file }) => {
      const video = sharedFile(`media/${file}`);
      const asked = questions.filter((one) => one.video === file);
      const index: Job = { kind: "index", name: `${file} index`, video };
      return [
        index,
        ...(asked.length > 0 ? asked : [anyQuestion(file)]).flatMap(({ id, question, options }) =>
          STRATEGIES.map((strategy): Job => {
            const name = `${basename(file)} ${id} ${strategy}`;
            return { kind: "ask", name, video, strategy, question, options };
          }),
        ),
      ];
    });
}

const anyQuestion = (file: string) => ({
  id: "any",
  question: `What is seen or said first in ${basename(file)}?`,
  options: ["A person", "A number", "A title", "A place without people", "None of these"],
});
