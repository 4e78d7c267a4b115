import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, normalize } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDemoSets } from "../evals/datasets/demo/make-sets.ts";
import { formalModel } from "./support/docs/model.ts";
import {
  commandLines,
  type Page,
  readPage,
  type Step,
  showsOutput,
  stepsOf,
} from "./support/docs/pages.ts";
import { type Runner, startRunner } from "./support/docs/runner.ts";
import { typeErrorsOf } from "./support/docs/types.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { tempFolder } from "./support/temp.ts";

/*
 * The README and the pages of `docs/` say what is true: every command runs, in the order of the page, in one folder a
 * page, and prints what the page shows; links lead somewhere; every flag exists. Models are a scripted server.
 */

const root = join(import.meta.dirname, "..");
const names = [
  "README.md",
  ...(await readdir(join(root, "docs")))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/${name}`),
];
const pages = await Promise.all(names.map((name) => readPage(root, name)));
/** The samples that the pages ask, of the sets that `npm run eval:demo` makes. */
const SAMPLES = { "mmr-v": [7, 10], vcrbench: [1, 2], videomathqa: [1, 2] } as const;
/** Pages that list all questions of the store, so that those of other pages must not be in it. */
const OWN_STORE = ["docs/review.md"];

let runner: Runner;
let server: ModelServer;
let made: string;

beforeAll(async () => {
  made = await tempFolder();
  server = await startModelServer(formalModel, { keep: "light" });
  runner = await startRunner({
    root,
    folder: await tempFolder(),
    env: {
      OPENAI_API_KEY: "sk-not-a-key",
      OPENAI_BASE_URL: server.url,
      ANTHROPIC_API_KEY: "sk-ant-not-a-key",
      ANTHROPIC_BASE_URL: server.url,
      GOOGLE_API_KEY: "",
      GEMINI_API_KEY: "",
    },
    addresses: { "http://localhost:11434/v1": server.url },
  });
  const demo = await runner.shell("npm run demo", made);
  expect(demo, demo.err).toMatchObject({ code: 0 });
  await makeDemoSets(join(made, "demo-out/eval-seed-7/data"), 7, {
    only: (set, place) => place >= SAMPLES[set][0] && place <= SAMPLES[set][1],
  });
});
afterAll(async () => {
  await runner?.close();
  await server?.close();
});

/** What a reader has after `npm run demo` and `npm run eval:demo`. Pages share a store, so that text is read once. */
async function folderOfReader(page: string): Promise<string> {
  const folder = await tempFolder();
  await cp(join(made, "demo-out"), join(folder, "demo-out"), { recursive: true });
  if (!OWN_STORE.includes(page))
    await symlink(join(made, "demo-out/store"), join(folder, ".video-rrd"));
  return folder;
}

describe.each(pages)("$name", (page) => {
  test("its commands run and print the shown output", { timeout: 300_000 }, async () => {
    const folder = await folderOfReader(page.name);
    try {
      for (const step of stepsOf(page)) await runStep(page, step, folder);
    } finally {
      await runner.endBackground();
    }
  });

  test("its links and pictures exist", async () => {
    const texts = new Map(pages.map(({ name, text }) => [name, text]));
    const broken: string[] = [];
    for (const [, target = ""] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page.name : normalize(join(dirname(page.name), path));
      const text = texts.get(file) ?? (await readFile(join(root, file), "utf8").catch(() => null));
      if (text === null || (anchor !== undefined && !anchorsOf(text).includes(anchor)))
        broken.push(target);
    }
    expect(broken).toEqual([]);
  });

  test("every flag in its text exists", async () => {
    const flags = await flagsOfProgram();
    const wrong = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) =>
      [...code.matchAll(/(?<![\w-])--[a-z][a-z0-9-]*/g)]
        .map(([flag]) => flag)
        .filter((flag) => !flags.has(flag)),
    );
    expect(wrong).toEqual([]);
  });
});

test.each([
  ["video-rrd eval vcrbench --data VCRBench --resumee runs/a", "unknown option"],
  ["video-rrd evaluate vcrbench", "unknown command"],
  ["npm run cli -- score", "missing required argument"],
  ["npm run no-such-script", "not a command"],
])(
  "a command whose flags are only checked is refused with a wrong flag, name or script: %s",
  async (line, says) => {
    const { code, err } = await runner.parse(line, made);
    expect(code).not.toBe(0);
    expect(err).toContain(says);
  },
);

test("the TypeScript of the pages has no type errors", { timeout: 120_000 }, async () => {
  const folder = await tempFolder();
  const examples = pages.flatMap(({ name, fences }) =>
    fences
      .filter(({ language }) => language === "ts")
      .map(({ line, text }) => ({ file: join(folder, `${basename(name)}-${line}.mts`), text })),
  );
  for (const { file, text } of examples) await writeFile(file, text);
  expect(await typeErrorsOf(root, ...examples.map(({ file }) => file))).toEqual([]);
});

test("the README is short", () => {
  const { text } = pages[0] as Page;
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(140);
  expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1000);
});

test("CI runs the README's test line", async () => {
  const line = "npm ci && npm test";
  expect(pages[0]?.fences.map(({ text }) => text.trim())).toContain(line);
  const [install, run] = line.split(" && ");
  // Between the two, the browser tests start in the background.
  expect(await readFile(join(root, ".ci/run"), "utf8")).toMatch(
    new RegExp(`^if ${install};[^]*^ +${run} && `, "m"),
  );
});

test("a page has at most 200 lines, and few commands that are not run", () => {
  for (const { name, text } of pages)
    expect(text.split("\n").length, name).toBeLessThanOrEqual(201);
  const unrun = pages.flatMap(({ fences }) =>
    fences.filter(({ words }) => words.includes("norun")),
  );
  // They need an installation, containers, PostgreSQL and workers, a bucket, a provider's batches, a recogniser of speech,
  // data of another language, or a key. Their flags are checked.
  expect(unrun.length).toBeLessThanOrEqual(30);
});

async function runStep(page: Page, { fence, output }: Step, folder: string): Promise<void> {
  const where = `${page.name}, line ${fence.line}`;
  if (fence.values.file !== undefined) {
    const file = join(folder, fence.values.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, fence.text);
    return;
  }
  if (fence.language === "sh" && fence.words.includes("norun")) {
    for (const whole of commandLines(fence.text)) {
      const line = whole.replace(/^docker compose .* exec [\w-]+ (?=video-rrd )/, "");
      if (/^video-rrd /.test(line)) {
        const parsed = await runner.parse(line, folder);
        expect(parsed, `${where}: ${line}\n${parsed.err}`).toMatchObject({ code: 0 });
      }
    }
    return;
  }
  if (fence.language === "sh" && fence.words.includes("background"))
    return await runner.background(fence.text, folder);
  if (fence.language === "sh" || fence.language === "ts") {
    const ended =
      fence.language === "sh"
        ? await runner.shell(fence.text, folder)
        : await runExample(fence.text, fence.line, folder);
    const printed = `${ended.out}${ended.err}`;
    expect(ended.code, `${where}\n${printed}`).toBe(Number(fence.values.exit ?? 0));
    if (output !== null && !showsOutput(output.text, printed))
      expect.fail(`${page.name}, line ${output.line} shows other words than these:\n${printed}`);
  }
}

async function runExample(text: string, line: number, folder: string) {
  const file = join(folder, `example-${line}.mts`);
  await writeFile(file, text);
  return await runner.module(file, folder);
}

/** A page without its blocks. */
function proseOf({ text }: Page): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** Every flag of every command, and of npm what the pages name. */
async function flagsOfProgram(): Promise<Set<string>> {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const main = join(root, scripts.cli.replace(/^node /, ""));
  const { createProgram } = await import(join(dirname(main), "program.ts"));
  const program: Command = await createProgram("all");
  const commands = program.commands.flatMap((one) => [one, ...one.commands]);
  const flags = commands.flatMap(({ options }) => options.map(({ long }) => long ?? ""));
  return new Set([...flags, "--help", "--version", "--project"]);
}
