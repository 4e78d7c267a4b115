import { existsSync } from "node:fs";
import { appendFile, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { wilson } from "../../evals/statistics/statistics.ts";
import { ask } from "../../graphs/ask.ts";
import { indexVideo } from "../../graphs/index-video.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { seeded } from "../../src/core/random.ts";
import { compose } from "../../src/media/compose.ts";
import { sampleFrames } from "../../tools/video/frames.ts";
import { openVideo } from "../../tools/video/video.ts";
import { CASES, type LookingQuestion, lookingFilm } from "./looking-films.ts";
import type { ModelServer, SeenRequest } from "./model-server.ts";

/* Asks the questions of films for looking in several ways, and counts calls and frames from what the server received. */

export const MOST_CALLS = 8;
export const MOST_FRAMES = 40;
const EVEN_FRAMES = 32;
/** Half of the films' width, in pixels, so that small text has to be zoomed. */
const MAX_SIDE = 320;

/** Strategies, and `random`: frames at random times in one request. */
export const WAYS = ["direct", "rrd", "react", "agent", "random"] as const;
export type Way = (typeof WAYS)[number];
/** Ways that search; all have the same budget. */
const SEARCHES: readonly Way[] = ["react", "agent"];

export interface Outcome {
  way: Way;
  cut: boolean;
  seed: string | number;
  question: LookingQuestion;
  right: boolean;
  /** Whether every span of the evidence has a citation in it; null if nothing is cited. */
  cited: boolean | null;
  calls: number;
  frames: number;
  /** Counts of the strategy, including stored replies; null for `random`. */
  used: { calls: number; frames: number; tokens: number } | null;
  /** From the question to the answer, with the time of the scripted model. */
  seconds: number;
}

export interface AskContext {
  folder: string;
  store: Store;
  server: ModelServer;
}

interface FilmOptions {
  ways?: readonly Way[];
  duration_s?: number;
  tools?: string;
}

/** Like `askFilm`, but reads the outcomes of a film from the folder if they are there. */
export async function askFilmOnce(
  seed: string | number,
  cut: boolean,
  context: AskContext,
  options: FilmOptions = {},
): Promise<Outcome[]> {
  const file = join(context.folder, `${seed}-${cut ? "cut" : "stay"}.jsonl`);
  const before = await readFile(file, "utf8").catch(() => "");
  const lines = before.split("\n").filter((line) => line !== "");
  if (lines.length > 0) return lines.map((line) => JSON.parse(line) as Outcome);
  const asked = await askFilm(seed, cut, context, options);
  await appendFile(file, asked.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return asked;
}

/** Makes the film of a seed if it is missing, indexes it without a model, and asks its questions in every way. */
export async function askFilm(
  seed: string | number,
  cut: boolean,
  context: AskContext,
  options: FilmOptions = {},
): Promise<Outcome[]> {
  const { ways = WAYS, duration_s = 600, tools = null } = options;
  const film = lookingFilm({ seed, cut, duration_s });
  const file = join(context.folder, `${seed}-${cut ? "cut" : "stay"}.mp4`);
  if (!existsSync(file)) {
    const part = join(context.folder, `${seed}-${cut ? "cut" : "stay"}.part.mp4`);
    await compose(film.spec, part);
    await rename(part, file);
  }
  const work = { store: context.store, run: "index" };
  await indexVideo(await openVideo(file, work), {}, work);
  const outcomes: Outcome[] = [];
  for (const question of film.questions)
    for (const way of ways) {
      context.server.reset();
      const start = performance.now();
      const asked = { file, question, seed, context, tools };
      const { answer, cited, used } = await (way === "random"
        ? askRandom(asked)
        : askBy(way, asked));
      const seconds = (performance.now() - start) / 1000;
      const requests = context.server.chats();
      outcomes.push({
        ...{ way, cut, seed, question, cited, used, seconds },
        right: answer === question.right,
        calls: requests.length,
        frames: framesShown(requests),
      });
    }
  return outcomes;
}

interface FilmQuestion {
  file: string;
  question: LookingQuestion;
  seed: string | number;
  context: AskContext;
  tools: string | null;
}

async function askBy(
  way: Exclude<Way, "random">,
  { file, question, context, tools }: FilmQuestion,
) {
  const { answer, evidence } = await ask(
    file,
    { text: question.text, options: question.options },
    {
      store: context.store,
      settings: {
        model: "openai:scripted",
        runtime: { base_url: context.server.url },
        strategy: way,
        ...(SEARCHES.includes(way)
          ? {
              recognition: { max_side: MAX_SIDE },
              search: {
                ...(way === "agent" ? { recall: false } : {}),
                ...(tools === null ? {} : { tools }),
              },
              budget: { calls: MOST_CALLS, frames: MOST_FRAMES },
            }
          : {
              recognition: { max_side: MAX_SIDE, frames: EVEN_FRAMES, subtitles: "full" },
            }),
      },
    },
  );
  const items = evidence.items.filter((item) => answer.cites.includes(item.id));
  const cited = question.evidence_s.every(([start_s, end_s]) =>
    items.some((item) => item.end_s >= start_s && item.start_s <= end_s),
  );
  const { calls, frames, input, output } = answer.usage;
  return {
    answer: answer.answer,
    cited: way !== "direct" && items.length > 0 ? cited : null,
    used: { calls, frames, tokens: input + output },
  };
}

/** `MOST_FRAMES` frames at random times and all subtitles in one request. */
async function askRandom({ file, question, seed, context }: FilmQuestion) {
  const work = { store: context.store, run: "random" };
  const video = await openVideo(file, work);
  const random = seeded("random viewing", seed);
  const frames = await sampleFrames(
    video,
    {
      sampler: "times",
      times_s: Array.from({ length: MOST_FRAMES }, () => random() * video.probe.duration_s),
      ...{ max_side: MAX_SIDE, max_area: null, quality: 85 },
    },
    work,
  );
  const images = await Promise.all(
    frames.map(async ({ hash }) => {
      const bytes = Buffer.from(await context.store.blobs.read(hash));
      const url = `data:image/jpeg;base64,${bytes.toString("base64")}`;
      return { type: "image_url", image_url: { url } };
    }),
  );
  const spoken = (await indexVideo(video, {}, work)).items.filter(
    ({ kind }) => kind === "subtitle",
  );
  const options = question.options.map((text, i) => `(${String.fromCharCode(65 + i)}) ${text}`);
  const { text } = (await loadPrompts(null)).render("choice/direct", {
    question: question.text,
    options: options.join("\n"),
  });
  const words = `${spoken.map((item) => item.text).join("\n")}\n\n${text}`;
  const response = await fetch(`${context.server.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "scripted",
      messages: [{ role: "user", content: [...images, { type: "text", text: words }] }],
    }),
  });
  const reply = (await response.json()) as { choices: { message: { content: string } }[] };
  return { answer: reply.choices[0]?.message.content ?? null, cited: null, used: null };
}

/**
 * Number of frames that a model was shown. A frame counts once per conversation, a sheet as its frames. Requests outside
 * the search, such as the check of the answer, count by themselves.
 */
export function framesShown(requests: readonly SeenRequest[]): number {
  const isSearch = ({ tools, toolCalls }: SeenRequest) => tools.length + toolCalls.length > 0;
  const last = requests.findLast(isSearch);
  const others = requests.filter((request) => !isSearch(request));
  return [...(last === undefined ? [] : [last]), ...others].reduce(
    (sum, request) => sum + framesIn(request),
    0,
  );
}

function framesIn({ parts }: SeenRequest): number {
  const named = new Set<string>();
  let unnamed = 0;
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (part.type !== "image") continue;
    const label = before?.type === "text" ? (before.text.trim().split("\n").at(-1) ?? "") : "";
    const names = label.match(/\[E\d+\]/g) ?? [];
    for (const name of names) named.add(name);
    if (names.length === 0) unnamed++;
  }
  return named.size + unnamed;
}

/** A Markdown table with a line for each case and each way, with and without a cut. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [...CASES, "all" as const].flatMap((name) =>
    [true, false].flatMap((cut) =>
      WAYS.flatMap((way) => {
        const group = outcomes.filter(
          (one) =>
            one.way === way && one.cut === cut && (name === "all" || one.question.case === name),
        );
        return group.length === 0 ? [] : [[name, cut ? "cut" : "no cut", way, ...figuresOf(group)]];
      }),
    ),
  );
  const head = [
    "case",
    "around it",
    "way",
    "right",
    "share",
    "95 %",
    "cited",
    "calls",
    "most",
    "frames",
    "most",
    "s",
  ];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function figuresOf(group: readonly Outcome[]): string[] {
  const right = group.filter((one) => one.right).length;
  const { low, high } = wilson(right, group.length);
  const citing = group.filter((one) => one.right && one.cited !== null);
  const mean = (value: (one: Outcome) => number) =>
    (group.reduce((sum, one) => sum + value(one), 0) / group.length).toFixed(1);
  const most = (value: (one: Outcome) => number) => String(Math.max(...group.map(value)));
  const percent = (share: number) => (100 * share).toFixed(0);
  return [
    `${right}/${group.length}`,
    percent(right / group.length),
    `${percent(low)}-${percent(high)}`,
    citing.length === 0 ? "" : `${citing.filter((one) => one.cited).length}/${citing.length}`,
    mean((one) => one.calls),
    most((one) => one.calls),
    mean((one) => one.frames),
    most((one) => one.frames),
    mean((one) => one.seconds),
  ];
}

/** A Markdown table with a line for each way over all films: means per question of what the strategy counted. */
export function strategyTable(outcomes: readonly Outcome[]): string {
  const head = ["strategy", "right", "cited", "calls", "frames", "tokens"];
  const rows = WAYS.flatMap((way) => {
    const group = outcomes.filter((one) => one.way === way);
    if (group.length === 0) return [];
    const [right = "", , , cited = ""] = figuresOf(group);
    const mean = (of: "calls" | "frames" | "tokens", digits: number) =>
      (group.reduce((sum, { used }) => sum + (used?.[of] ?? 0), 0) / group.length).toFixed(digits);
    return [[way, right, cited, mean("calls", 1), mean("frames", 1), mean("tokens", 0)]];
  });
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
